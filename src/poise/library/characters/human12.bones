# The simplest human of Laszlo's thesis [Laszlo96 §2.5]: 12 degrees of freedom, no arms, one torso, hips without yaw.
#
# Legs, pelvis, head, gains and monitor points are those of human.bones. The torso merges its two halves and both arms in
# the reference position: mass and centre of mass add up, moments follow by the parallel axis theorem. Bones have no
# products of inertia here: one of 0.056 kg m2 between forward and up is omitted, which would tilt the principal axes by
# 3.5 degrees.
#
# Metres, kilograms, newton metres per radian. Forward is -x, right is -z, up is +y; all points are those of one pose.
# Bones hang on each other with one hinge axis, except the hips (two: roll, pitch) and ankles (two: pitch, roll).
# laszlo_human12.toml gives the names that Poise uses.

# --- trunk

bone 1              # pelvis: the root
  seg 0,0.95,0.12 0,0.95,-0.12
  mass 16.61
  iner 0.23 0.16 0.18
  cofm 0 0.98 0

bone 2              # torso with the arms, on the waist
  seg 0,1.02,0 0,1.505,0
  mass 38.372
  iner 1.6255226 0.7081659 1.1221761
  cofm -0.0202496 1.3191491 0
  hinge 1 0,1.0202,0 0,0,1

bone 3              # head, on the neck
  seg 0.02,1.57,0 0.02,1.80,0
  mass 5.89
  iner 0.03 0.023 0.033
  cofm -0.01 1.70 0
  hinge 2 0.0478,1.5052,0 0,0,1

# --- left leg

bone 4              # thigh
  seg 0.00478,0.9629,0.0932 0.00478,0.5197,0.09091
  mass 8.35
  iner 0.15 0.025 0.16
  cofm 0 0.80 0.09
  uhinge 1 0.00478,0.9629,0.0932 1,0,0 0,0,1

bone 5              # shank
  seg 0.00478,0.5197,0.09091 0.03348,0.09164,0.0837
  mass 4.16
  iner 0.055 0.007 0.056
  cofm 0 0.35 0.07
  hinge 4 0.00478,0.5197,0.09091 0,0,1

bone 6              # foot
  seg -0.10,0,0.0837 0.07,0,0.0837
  mass 1.20
  iner 0.0018 0.0070 0.0075
  cofm -0.03 0.02 0.08
  uhinge 5 0.03348,0.09164,0.0837 0,0,1 1,0,0

# --- right leg

bone 7              # thigh
  seg 0.00478,0.9629,-0.0932 0.00478,0.5197,-0.09091
  mass 8.35
  iner 0.15 0.025 0.16
  cofm 0 0.80 -0.09
  uhinge 1 0.00478,0.9629,-0.0932 1,0,0 0,0,1

bone 8              # shank
  seg 0.00478,0.5197,-0.09091 0.03348,0.09164,-0.0837
  mass 4.16
  iner 0.055 0.007 0.056
  cofm 0 0.35 -0.07
  hinge 7 0.00478,0.5197,-0.09091 0,0,1

bone 9              # foot
  seg -0.10,0,-0.0837 0.07,0,-0.0837
  mass 1.20
  iner 0.0018 0.0070 0.0075
  cofm -0.03 0.02 -0.08
  uhinge 8 0.03348,0.09164,-0.0837 0,0,1 1,0,0

# --- gains

kpd hinge 2:0 2000 100      # waist
kpd hinge 3:0 100 10        # neck

kpd hinge 4:0 900 30        # left hip: roll, pitch
kpd hinge 4:1 1275 60
kpd hinge 5:0 1275 60       # left knee
kpd hinge 6:0 170 17        # left ankle: pitch, roll
kpd hinge 6:1 170 17

kpd hinge 7:0 900 30        # right hip: roll, pitch
kpd hinge 7:1 1275 60
kpd hinge 8:0 1275 60       # right knee
kpd hinge 9:0 170 17        # right ankle: pitch, roll
kpd hinge 9:1 170 17

# --- monitor points

mon 0,1.1,0                 #  1 up vector of the torso: origin
mon 0,1.3,0                 #  2   up
mon 0,1.1,-.05              #  3   right

mon 0.03348,0,0.0837        #  4 under the left ankle
mon 0.03348,0,-0.0837       #  5 under the right ankle

mon -0.10,0,0.05            #  6 left foot: ball, inner side
mon 0.07,0,0.05             #  7   heel, inner side
mon 0.07,0,0.13             #  8   heel, outer side
mon -0.10,0,0.13            #  9   ball, outer side

mon -0.10,0,-0.05           # 10 right foot, in the same order
mon 0.07,0,-0.05            # 11
mon 0.07,0,-0.13            # 12
mon -0.10,0,-0.13           # 13

mon 0.00478,0.5197,0.09091  # 14 left knee
mon 0.00478,0.5197,-0.09091 # 15 right knee

mon 0.02,1.80,0             # 16 top of the head

mon 0,0.95,0                # 17 up vector of the pelvis: origin
mon 0,0.97,0                # 18   up
mon 0,0.95,-.02             # 19   right
mon 0,0.95,+.02             # 20 servo axis of the torso
mon 0,1.1,+.05              # 21 torso axis

set up_mon 1,2,3            # origin, up, right
set cofm_mon 5,4            # swing and stance foot at the start
