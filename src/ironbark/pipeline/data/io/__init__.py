"""Files from elsewhere: addresses, downloads, archives, table formats, checksums."""
