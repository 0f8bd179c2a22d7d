"""What the papers prove, checked against the estimators: definitions in plain numpy, and one function per statement."""
