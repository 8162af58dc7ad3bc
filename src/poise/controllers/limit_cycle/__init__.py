"""Limit cycle control: pose control graphs that are balanced one step at a time [Laszlo96]."""
