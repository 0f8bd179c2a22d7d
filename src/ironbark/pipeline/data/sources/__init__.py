"""Functions ``f(id, entry, folder, mirror)`` that fetch the table of an entry, one per source.

It returns the table, or the path of the file that the source gives as it is, ``folder/table.parquet`` or
``folder/original.<format>``; and what ``fetch.json`` is to say of it: a dict, with sha256 and bytes of each file.
"""
