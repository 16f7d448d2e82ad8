"""The demonstration: made-up networks and people for towns whose real data are not at hand."""
