"""From result rows to what people read: tables, figures, comparisons and the results site."""
