"""The generalized walker [Coros10 ch. 5]: one controller for every body, style and speed."""
