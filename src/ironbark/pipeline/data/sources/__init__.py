"""Sources: functions `fetch(id, entry, folder, mirror)`, named in `ironbark.pipeline.data.SOURCES`, see data.md."""
