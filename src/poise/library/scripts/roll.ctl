# A diving roll: squats, sets the hands down, throws itself over them tucked, comes down on its seat, rocks up onto its feet
# and stands.
# From standing to standing; if it stays on its back it gets up. push, tk: knees and time of the push; bend, arm: elbows and
# shoulders that give way; tuck, knee, tr: hips, knees and time of the roll; ankle, to, arms: coming up on the feet; depth,
# rise: of the squat. Found by CMA-ES (package cma, seeds 1 and then 2) after 70 uniform draws, 499 and about 260
# evaluations, the last at 0.0005 s from five starts of phase 2 changed by 0.006 rad and 0.02 rad/s, for a whole turn of
# the trunk and a still squat after it.
SCRIPTS _stand.ctl, _squat.ctl, _get_up.ctl;
SET push = .355
SET tk = .1
SET bend = -1.124
SET arm = -1.573
SET tuck = -2.411
SET knee = 3.076
SET tr = .694
SET ankle = -.19
SET to = .117
SET depth = 1.787
SET rise = .87
SET arms = -.561

BEGINSCRIPT roll(push, tk, bend, arm, tuck, knee, tr, ankle, to, depth, rise, arms)
PHASE 0
    > _stand.ctl(.3, .5);
    TRANSITION to(8).after(fallen x 1.2);
    TRANSITION to(1).after(complete);
ENDPHASE

PHASE 1
    > _squat.ctl(1.6, .8, 1.2);
    TRANSITION to(8).after(fallen x 1.2);
    TRANSITION to(2).after(complete);
ENDPHASE

# The trunk goes down between the knees, and the arms reach for the ground.
PHASE 2
    ACTIONS
        POSE waist(.2, 600, 60), lTorso2uTorso(.2, 600, 60), neck2head(.6, 200, 20);
        LIPOSE lHip(-2.1).time(.6);
        LIPOSE rHip(-2.1).time(.6);
        LIPOSE lKnee(1.8).time(.6);
        LIPOSE rKnee(1.8).time(.6);
        LIPOSE lShoulder(-1.7, 400, 40).time(.4);
        LIPOSE rShoulder(-1.7, 400, 40).time(.4);
        POSE lElbow(-.1, 300, 30), rElbow(-.1, 300, 30), lWrist(-1.4, 60, 6), rWrist(-1.4, 60, 6);
        POSE lAnkle(-1, 300, 30), rAnkle(-1, 300, 30);
    ENDACTIONS
    TRANSITION to(3).after(contact lHand);
    TRANSITION to(3).after(contact rHand);
    TRANSITION to(3).after(time 1.5);
ENDPHASE

# The legs push, the arms give way, the chin is on the chest.
PHASE 3
    ACTIONS
        POSE waist(.39, 600, 60), lTorso2uTorso(.39, 600, 60), neck2head(.75, 400, 40);
        POSE lShoulder(arm, 300, 30), rShoulder(arm, 300, 30), lElbow(bend, 300, 30),
             rElbow(bend, 300, 30);
        POSE lHip(-2.2, 600, 60), rHip(-2.2, 600, 60), lKnee(push, 600, 40), rKnee(push, 600, 40);
        POSE lAnkle(.6, 300, 30), rAnkle(.6, 300, 30);
    ENDACTIONS
    TRANSITION to(4).after(time tk);
ENDPHASE

# Rolling, tucked.
PHASE 4
    ACTIONS
        POSE lHip(tuck, 600, 60), rHip(tuck, 600, 60), lKnee(knee, 600, 40), rKnee(knee, 600, 40);
        POSE lAnkle(0), rAnkle(0), lShoulder(-1.5, 200, 20), rShoulder(-1.5, 200, 20);
        POSE lElbow(-.4, 200, 20), rElbow(-.4, 200, 20);
    ENDACTIONS
    TRANSITION to(5).after(time tr);
ENDPHASE

# Up on the feet, the arms reach forward.
PHASE 5
    ACTIONS
        POSE lHip(-2.35, 1000, 60), rHip(-2.35, 1000, 60), lKnee(2.5, 600, 40),
             rKnee(2.5, 600, 40);
        POSE lAnkle(ankle, 300, 30), rAnkle(ankle, 300, 30), lShoulder(arms, 300, 30),
             rShoulder(arms, 300, 30);
    ENDACTIONS
    TRANSITION to(6).after(time to);
ENDPHASE

PHASE 6
    > _squat.ctl(depth, rise, 1);
    TRANSITION to(8).after(fallen x 1.2);
    TRANSITION to(7).after(complete);
ENDPHASE

PHASE 7
    > _stand.ctl(1, 1.5);
    TRANSITION to(8).after(fallen x 1.2);
ENDPHASE

PHASE 8
    > _get_up.ctl(void);
    TRANSITION to(7).after(complete);
ENDPHASE
ENDSCRIPT
