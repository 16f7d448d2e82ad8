"""Transit feeds: read, check, store, publish and ask; knows neither complaints nor HTTP."""
