"""Recordings of runs, their files, and contacts and rotations computed from them."""
