# Takes one step forward with the right foot, draws the left one up to it, and stands.
# From standing to standing. The eight values were found by CMA-ES (package cma, seed 1, 110 evaluations at 0.001 s, from
# three starts of phase 1 changed by 0.02 rad and 0.05 rad/s) for a distance of 0.35 m, feet side by side and few further steps.
SCRIPTS _stand.ctl, _step.ctl;
SET lift = -.364
SET reach = .496
SET follow = -.503
SET knee = .623
SET place = -.314
SET lean = -.026
SET ankle = -.242
SET catch = -.109

BEGINSCRIPT step(lift, reach, follow, knee, place, lean, ankle, catch)
PHASE 0
    > _stand.ctl(.3, .5);
    TRANSITION to(-1).after(fallen x 1.2);
    TRANSITION to(1).after(complete);
ENDPHASE

PHASE 1
    > _step.ctl(lift, reach, follow, knee, place, lean, ankle, catch);
    TRANSITION to(2).after(complete);
ENDPHASE

PHASE 2
    > _stand.ctl(.5, 1);
    TRANSITION to(-1).after(fallen x 1.2);
ENDPHASE
ENDSCRIPT
