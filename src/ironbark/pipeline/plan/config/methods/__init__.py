"""Methods of the configuration: what is known of their estimators without importing them here."""
