"""Trees and forests."""
