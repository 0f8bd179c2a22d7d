"""Captions of tables and figures."""


def sentences(*parts):
    """The parts with a full stop each, in one text; empty ones are left out."""
    return " ".join(f"{part.strip().rstrip('.')}." for part in parts if part.strip())
