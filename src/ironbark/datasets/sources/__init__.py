"""One module per source, each with ``fetch(id, entry, folder, mirror) -> Path`` of the raw file that it wrote."""
