"""The rider's case and the authority's answer; knows neither feeds nor HTTP."""
