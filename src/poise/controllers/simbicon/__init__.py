"""SIMBICON: pose states, foot placement by a linear law on the swing hip, torso control through the stance hip."""
