"""Tracking of recorded motions whose reference is changed for balance [Lee10]."""
