"""Optimisers that are asked for candidates and told their values. They know nothing of worlds or controllers."""
