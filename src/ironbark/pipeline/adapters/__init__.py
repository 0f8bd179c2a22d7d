"""Classifiers of other packages in the form that a method needs: a seed by `random_state`, one thread, no files."""
