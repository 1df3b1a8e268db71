"""Small statistics from the access log of a web server."""
