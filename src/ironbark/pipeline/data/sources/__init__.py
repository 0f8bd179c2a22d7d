"""One module per source, each with ``fetch(id, entry, folder, mirror)``.

It writes ``folder/table.parquet``, or ``folder/original.<format>`` where the source gives one file of another format,
and returns its path, and what ``fetch.json`` is to say of it: a dict, with sha256 and bytes of each original file.
"""
