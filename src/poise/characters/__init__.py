"""What a biped is made of: segments, joints, roles, landmarks; their files, their proportions, their pictures."""
