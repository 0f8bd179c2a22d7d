"""Sources: functions `fetch(who, entry, folder)`, named in `ironbark.pipeline.data.SOURCES`, see data.md."""
