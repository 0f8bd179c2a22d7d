"""Sources: functions ``fetch(id, entry, folder, mirror)``, named in `ironbark.pipeline.data.SOURCES`.

It returns the table, or the path of the file that the source gives as it is, ``folder/table.parquet`` or
``folder/original.<format>``; and what ``fetch.json`` is to say of it: a dict, with sha256 and bytes of each file.
"""
