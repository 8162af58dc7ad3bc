"""Characters: segments, joints, roles and landmarks of a biped; their files, proportions and pictures."""
