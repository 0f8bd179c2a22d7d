"""Ways to choose parameters on noisy labels."""
