# The robot bird of Laszlo's thesis [Laszlo96 App. B]: a box-shaped body, a large head, three knees in each leg.
#
# Forward is -x, right is -z, up is +y. Lengths are in decimetres: in any other unit, at the density of water, the bird is
# far too light or too heavy for these gains. The thesis gives no masses: they follow from the density in
# robo_bird.toml. One figure is corrected: the left upper leg is printed at z = 2.4 beside its hinge at z = 2.5.

bone 1              # body: the edges of a box
  seg 1.0,-0.4,-1.5 -4,-0.4,-1.5
  seg 1.0,-0.4,1.5 -4,-0.4,1.5
  seg 1.0,0.8,-1.5 -4,0.8,-1.5
  seg 1.0,0.8,1.5 -4,0.8,1.5
  seg 1.0,0.8,-1.5 1.0,0.8,1.5
  seg 1.0,-0.4,-1.5 1.0,-0.4,1.5
  seg -4,-0.4,-1.5 -4,-0.4,1.5
  seg -4,0.8,-1.5 -4,0.8,1.5
  seg 1.0,-0.4,-1.5 1.0,0.8,-1.5
  seg 1.0,-0.4,1.5 1.0,0.8,1.5
  seg -4,-0.4,-1.5 -4,0.8,-1.5
  seg -4,-0.4,1.5 -4,0.8,1.5

bone 2              # head: the edges of a block that tapers forward; the neck turns
  seg 0.5,1.5,-1.75 -6.0,1.5,-0.9
  seg 0.5,1.5,1.75 -6.0,1.5,0.9
  seg 0.5,5.5,-2.25 -4.5,5.5,-1.25
  seg 0.5,5.5,2.25 -4.5,5.5,1.25
  seg 0.5,1.5,-1.75 0.5,1.5,1.75
  seg 0.5,5.5,-2.25 0.5,5.5,2.25
  seg -6.0,1.5,-0.9 -6.0,1.5,0.9
  seg -4.5,5.5,-1.25 -4.5,5.5,1.25
  seg 0.5,1.5,-1.75 0.5,5.5,-2.25
  seg 0.5,1.5,1.75 0.5,5.5,2.25
  seg -6.0,1.5,-0.9 -4.5,5.5,-1.25
  seg -6.0,1.5,0.9 -4.5,5.5,1.25
  hinge 1 -2.3,1.0,0 0,1,0

# --- right leg, from the hip down

bone 3              # upper leg; the hip rolls, then bends
  seg 0,0,-2.5 -3,0,-2.5
  uhinge 1 0,0,-2.5 1,0,0 0,0,1
bone 4
  seg -3,0,-2.5 -3,-4,-2.5
  hinge 3 -3,0,-2.5 0,0,1
bone 5
  seg -3,-4,-2.5 -3,-9.5,-2.5
  hinge 4 -3,-4,-2.5 0,0,1
bone 6
  seg -4.8,-9.5,-2.5 -1.3,-9.5,-2.5
  hinge 5 -3,-9.5,-2.5 0,0,1
bone 7              # foot; the ankle bends, then rolls
  seg -4.1,-10.4,-2.5 -7.6,-10.4,-2.5
  seg -5.6,-10.4,-3.9 -5.6,-10.4,-1.1
  uhinge 6 -4.8,-9.5,-2.5 0,0,1 1,0,0

# --- left leg; its hip's roll axis is the mirror image of the right one's

bone 8
  seg 0,0,2.5 -3,0,2.5
  uhinge 1 0,0,2.5 -1,0,0 0,0,1
bone 9
  seg -3,0,2.5 -3,-4,2.5
  hinge 8 -3,0,2.5 0,0,1
bone 10
  seg -3,-4,2.5 -3,-9.5,2.5
  hinge 9 -3,-4,2.5 0,0,1
bone 11
  seg -4.8,-9.5,2.5 -1.3,-9.5,2.5
  hinge 10 -3,-9.5,2.5 0,0,1
bone 12
  seg -4.1,-10.4,2.5 -7.6,-10.4,2.5
  seg -5.6,-10.4,1.1 -5.6,-10.4,3.9
  uhinge 11 -4.8,-9.5,2.5 0,0,1 1,0,0

# --- gains

kpd hinge 2 1000 33         # neck
kpd hinge 3:0 1000 33       # right leg: hip roll, hip pitch, three knees, ankle pitch, ankle roll
kpd hinge 3:1 1000 33
kpd hinge 4 1000 33
kpd hinge 5 1000 33
kpd hinge 6 1000 33
kpd hinge 7:0 100 1.5
kpd hinge 7:1 100 1.5
kpd hinge 8:0 1000 33       # left leg, in the same order
kpd hinge 8:1 1000 33
kpd hinge 9 1000 33
kpd hinge 10 1000 33
kpd hinge 11 1000 33
kpd hinge 12:0 100 1.5
kpd hinge 12:1 100 1.5

# --- monitor points

mon -3.8,-10.4,-3.9         #  1 right foot: rear, outer side
mon -3.8,-10.4,-1.1         #  2   rear, inner side
mon -7.6,-10.4,-3.9         #  3   front, outer side
mon -7.6,-10.4,-1.1         #  4   front, inner side
mon -3.8,-10.4,3.9          #  5 left foot, in the same order
mon -3.8,-10.4,1.1          #  6
mon -7.6,-10.4,3.9          #  7
mon -7.6,-10.4,1.1          #  8

mon -5.5,2,0                #  9 nose
mon 1,2,0                   # 10 up vector: origin
mon 1,3,0                   # 11   up
mon 2,2,0                   # 12   printed as "right", but it is to the rear
mon 1,2,0                   # 13 body: the same point as 10, so take the bird's right from its frame

mon -4.8,-10.4,-2.5         # 14 under the right ankle
mon -4.8,-10.4,2.5          # 15 under the left ankle

set up_mon 10,11,13
set cofm_mon 15,14          # swing and stance foot at the start
kpd mon 14 0 0              # these two have no ground contact
kpd mon 15 0 0
