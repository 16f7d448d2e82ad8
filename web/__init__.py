"""HTTP, HTML, the command line and the environment: the only place that knows them."""
