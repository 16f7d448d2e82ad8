"""Small feeds made by hand: what a clerk types becomes values, and values become a GTFS zip."""
