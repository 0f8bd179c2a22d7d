"""The papers: readers of their published values, their tables and figures, and what their text claims."""
