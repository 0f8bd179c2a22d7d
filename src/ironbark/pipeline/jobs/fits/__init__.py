"""From noisy labels to result rows: fits, their store and packs of them."""
