"""The municipal laws as data, and the pure questions asked of them."""
