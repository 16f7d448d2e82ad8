"""What inspectors order and find."""
