"""The results site: pages of static files that a browser opens without a server or a network."""
