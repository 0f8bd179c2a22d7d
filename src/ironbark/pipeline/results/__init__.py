"""Files of runs: stored fits, result rows and noisy labels, each format with its only reader and writer."""
