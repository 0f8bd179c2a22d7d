"""Configuration in YAML: read, checked and completed before any job runs."""
