"""Recorded motion: clips from files, the algebra of poses, retargeting onto characters. No physics happens here."""
