"""Holding a pose: PD control of every joint towards fixed angles, the simplest controller there is."""
