"""Experiments about a source: Limit cycle control of pose control graphs [Laszlo96]."""
