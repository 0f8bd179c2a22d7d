"""Parts of the documentation that are generated from entries, schemas and reference results."""
