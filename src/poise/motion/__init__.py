"""Recorded motion: clips from files, the algebra of poses, retargeting to characters. Contains no physics."""
