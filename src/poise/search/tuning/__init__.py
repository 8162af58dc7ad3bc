"""Searches of their own kind that found values of shipped controllers, and find them again: `poise tune`."""
