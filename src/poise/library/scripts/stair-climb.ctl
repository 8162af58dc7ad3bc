# Climbs six stairs: a step up onto each, the right foot first, and stands on top.
# From standing to standing; if it falls it gets up. height: of a stair, which is .3 m deep; the first begins .25 m ahead. The
# other values are explained in _step_up.ctl; those with a 2 apply at a height of .25, the others at .05. Written by hand for
# one step, then found for one step by: poise tune skill (that step) over=.1:.16 lean=-.1:.5 shift=.25:.6 rise=.3:.8
# push=-.1:.5 draw=150:800 cd=100:1500 cv=0:400 hold=300:2500 still=100:600 lean2=0:.6 shift2=.35:.8 rise2=.3:.9 push2=-.1:.7
# --cost standing 2*off-block:.03 fallen:1 --starts 1 --change .05,.2 --fails 3 --seconds 8 --cases height=.05 height=.12
# height=.18 height=.25 --evaluations 130 --population 12 --workers 1 --seed 1
SCRIPTS _stand.ctl, _stand_slope.ctl, _step_up.ctl, _get_up.ctl;
ENVIRONMENT stair-climb.env;
SET height = .12
SET over = .1298
SET lean = -.02266
SET shift = .2544
SET rise = .552
SET push = .2543
SET draw = 464.1
SET cd = 390.9
SET cv = 201.1
SET hold = 935.1
SET still = 372
SET lean2 = .3438
SET shift2 = .6876
SET rise2 = .6504
SET push2 = .374

BEGINSCRIPT stair_climb(height, over, lean, shift, rise, push, draw, cd, cv, hold, still, lean2, shift2, rise2, push2)
PHASE 0
    > _stand_slope.ctl(.5, 1);
    TRANSITION to(13).after(fallen x 1.2);
    TRANSITION to(1).after(complete);
ENDPHASE

PHASE 1
    > _step_up.ctl(0.4, linterp(height, 0, 1, .025, 1.025), over, linterp(height, .05, .25, lean, lean2), linterp(height, .05, .25, shift, shift2), linterp(height, .05, .25, rise, rise2), linterp(height, .05, .25, push, push2), draw, cd, cv, hold, still);
    TRANSITION to(13).after(fallen x 1.2);
    TRANSITION to(2).after(complete);
ENDPHASE

PHASE 2
    > _stand.ctl(.5, 1);
    TRANSITION to(13).after(fallen x 1.2);
    TRANSITION to(3).after(complete);
ENDPHASE

PHASE 3
    > _step_up.ctl(0.7, linterp(height, 0, 1, .025, 2.025), over, linterp(height, .05, .25, lean, lean2), linterp(height, .05, .25, shift, shift2), linterp(height, .05, .25, rise, rise2), linterp(height, .05, .25, push, push2), draw, cd, cv, hold, still);
    TRANSITION to(13).after(fallen x 1.2);
    TRANSITION to(4).after(complete);
ENDPHASE

PHASE 4
    > _stand.ctl(.5, 1);
    TRANSITION to(13).after(fallen x 1.2);
    TRANSITION to(5).after(complete);
ENDPHASE

PHASE 5
    > _step_up.ctl(1, linterp(height, 0, 1, .025, 3.025), over, linterp(height, .05, .25, lean, lean2), linterp(height, .05, .25, shift, shift2), linterp(height, .05, .25, rise, rise2), linterp(height, .05, .25, push, push2), draw, cd, cv, hold, still);
    TRANSITION to(13).after(fallen x 1.2);
    TRANSITION to(6).after(complete);
ENDPHASE

PHASE 6
    > _stand.ctl(.5, 1);
    TRANSITION to(13).after(fallen x 1.2);
    TRANSITION to(7).after(complete);
ENDPHASE

PHASE 7
    > _step_up.ctl(1.3, linterp(height, 0, 1, .025, 4.025), over, linterp(height, .05, .25, lean, lean2), linterp(height, .05, .25, shift, shift2), linterp(height, .05, .25, rise, rise2), linterp(height, .05, .25, push, push2), draw, cd, cv, hold, still);
    TRANSITION to(13).after(fallen x 1.2);
    TRANSITION to(8).after(complete);
ENDPHASE

PHASE 8
    > _stand.ctl(.5, 1);
    TRANSITION to(13).after(fallen x 1.2);
    TRANSITION to(9).after(complete);
ENDPHASE

PHASE 9
    > _step_up.ctl(1.6, linterp(height, 0, 1, .025, 5.025), over, linterp(height, .05, .25, lean, lean2), linterp(height, .05, .25, shift, shift2), linterp(height, .05, .25, rise, rise2), linterp(height, .05, .25, push, push2), draw, cd, cv, hold, still);
    TRANSITION to(13).after(fallen x 1.2);
    TRANSITION to(10).after(complete);
ENDPHASE

PHASE 10
    > _stand.ctl(.5, 1);
    TRANSITION to(13).after(fallen x 1.2);
    TRANSITION to(11).after(complete);
ENDPHASE

PHASE 11
    > _step_up.ctl(1.9, linterp(height, 0, 1, .025, 6.025), over, linterp(height, .05, .25, lean, lean2), linterp(height, .05, .25, shift, shift2), linterp(height, .05, .25, rise, rise2), linterp(height, .05, .25, push, push2), draw, cd, cv, hold, still);
    TRANSITION to(13).after(fallen x 1.2);
    TRANSITION to(12).after(complete);
ENDPHASE

PHASE 12
    > _stand.ctl(.5, 1);
    TRANSITION to(13).after(fallen x 1.2);
ENDPHASE

PHASE 13
    > _get_up.ctl(void);
    TRANSITION to(12).after(complete);
ENDPHASE
ENDSCRIPT
