"""Optimisers with an ask-and-tell interface. They know nothing of worlds or controllers."""
