# One hop on the right leg, the left one held up. crouch: knee before the push; push, ahead: newtons on the trunk; ts, tp:
# times of bending and of pushing; place, cd, cv: thigh in flight and its gains on position and velocity of the centre of mass; lean: of
# the trunk; ankle: while the leg bends.
SET crouch = .809
SET push = 1040
SET ts = .312
SET tp = .2
SET place = -.073
SET cd = -.393
SET cv = -.259
SET lean = .079
SET ahead = -.625
SET ankle = -.328

BEGINSCRIPT one_leg_hop(crouch, push, ts, tp, place, cd, cv, lean, ahead, ankle)
# The right leg bends,
PHASE 0
    ACTIONS
        LIPOSE rKnee(crouch, 1000, 60).time(ts);
        POSE rAnkle(ankle, 300, 30);
        VPD uTorso(lean, 600, 60).joint(rHip);
        VFFB uTorso(1500, 200).by(rAnkle).over(rFoot);
    ENDACTIONS
    TRANSITION to(1).after(time ts);
ENDPHASE

# pushes off,
PHASE 1
    ACTIONS
        POSE rKnee(.1, 300, 10), rAnkle(.4, 200, 10);
        VPD uTorso(lean, 600, 60).joint(rHip);
        VF (ahead, push, 0).on(uTorso).by(rAnkle);
    ENDACTIONS
    TRANSITION to(2).after(nocontact rFoot);
    TRANSITION to(2).after(time tp);
ENDPHASE

# and is put under the body in the air.
PHASE 2
    ACTIONS
        POSE rKnee(.35, 400, 30), rAnkle(-.15, 200, 20);
        COMFB2 cd cv j rAnkle
        VPD rThigh(place, -300, -30).joint(rHip);
    ENDACTIONS
    TRANSITION to(-1).after(contact rFoot);
    TRANSITION to(-1).after(time .6);
ENDPHASE
ENDSCRIPT
