# Hops four times on the right leg, the left foot lifted, and stands.
# From standing to standing; if it falls it gets up. The values are explained in _one_leg_hop.ctl and were found by CMA-ES
# (package cma, seeds 1 and then 2), 50 and 80 evaluations, the last at 0.0005 s from five starts of phase 1 changed by
# 0.006 rad and 0.02 rad/s, for four hops on the spot and a calm end.
SCRIPTS _stand.ctl, _stand_slope.ctl, _one_leg_hop.ctl, _get_up.ctl;
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
# Not _stand.ctl: that may step, and with one foot in front of the other the hops go astray.
PHASE 0
    > _stand_slope.ctl(.5, 1);
    TRANSITION to(4).after(fallen x .7);
    TRANSITION to(1).after(complete);
ENDPHASE

# The left foot leaves the ground.
PHASE 1
    ACTIONS
        POSE lElbow(-.8, 100, 30), rElbow(-.8, 100, 30), lShoulder(-.3, 100, 30),
             rShoulder(-.3, 100, 30);
        LIPOSE lHip(-.5, 300, 30).time(.3);
        LIPOSE lKnee(1.4, 300, 30).time(.3);
        VPD uTorso(lean, 600, 60).joint(rHip);
        VFFB uTorso(2500, 300).by(rAnkle).over(rFoot);
        POSE rKnee(.2, 1000, 100), rAnkle(0);
    ENDACTIONS
    TRANSITION to(2).after(time .5);
ENDPHASE

PHASE 2
    > _one_leg_hop.ctl(crouch, push, ts, tp, place, cd, cv, lean, ahead, ankle);
    TRANSITION to(3).after(fallen x .9);
    TRANSITION to(3).after(iterations 3);
ENDPHASE

PHASE 3
    > _stand.ctl(.4, 1);
    TRANSITION to(4).after(fallen x 1.2);
ENDPHASE

PHASE 4
    > _get_up.ctl(void);
    TRANSITION to(3).after(complete);
ENDPHASE
ENDSCRIPT
