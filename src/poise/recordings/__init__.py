"""What a run leaves: recordings, their files, and contacts and rotations read from them."""
