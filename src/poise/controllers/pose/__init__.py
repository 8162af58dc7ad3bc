"""Pose holding: PD control of every joint to a fixed angle, the simplest controller."""
