# From hands and knees to a squat: one foot after the other is set down behind the hands, which then push off and throw
# the trunk back over the feet. fx, fy, tp: push of each hand, in newtons, and its time; hip, bend, ankle, reach: hips,
# knees, ankles and shoulders at its end; rise: time to reach the squat. These eight were found by CMA-ES (package
# cma, seed 1) after 100 uniform draws, 120 evaluations in all at 0.001 s, each from two starts of the push, one changed
# by 0.02 rad and 0.05 rad/s, for a still squat with the hands in the air.
SCRIPTS _squat.ctl;
SET fx = 528
SET fy = -1323
SET tp = .179
SET hip = -2.37
SET bend = 1.932
SET ankle = -.424
SET reach = -1.549
SET rise = .978

BEGINSCRIPT crawl_to_squat(fx, fy, tp, hip, bend, ankle, reach, rise)
# The right foot comes forward, folded, while the left thigh holds the pelvis up.
PHASE 0
    ACTIONS
        POSE waist(.1, 600, 60), lTorso2uTorso(.1, 600, 60), neck2head(-.4, 200, 20);
        LIPOSE rHip(-2.33).time(.3);
        LIPOSE rKnee(2.5).time(.2);
        POSE rAnkle(-1, 300, 30);
        LIPOSE lHip(-1.1).time(.3);
        LIPOSE lShoulder(-1.3).time(.3);
        LIPOSE rShoulder(-1.3).time(.3);
    ENDACTIONS
    TRANSITION to(1).after(time .4);
ENDPHASE

# It is set down.
PHASE 1
    ACTIONS
        LIPOSE rKnee(2.3).time(.2);
        LIPOSE rAnkle(-.9, 300, 30).time(.2);
    ENDACTIONS
    TRANSITION to(2).after(time .3);
ENDPHASE

# The left one follows.
PHASE 2
    ACTIONS
        LIPOSE lHip(-2.33).time(.3);
        LIPOSE lKnee(2.5).time(.2);
        POSE lAnkle(-1, 300, 30);
        LIPOSE rKnee(2.2).time(.3);
    ENDACTIONS
    TRANSITION to(3).after(time .4);
ENDPHASE

PHASE 3
    ACTIONS
        LIPOSE lKnee(2.2).time(.2);
        LIPOSE lAnkle(-.9, 300, 30).time(.2);
    ENDACTIONS
    TRANSITION to(4).after(time .3);
ENDPHASE

# The hands push forward and down, and throw the trunk up and back over the feet.
PHASE 4
    ACTIONS
        LIPOSE lHip(hip).time(tp);
        LIPOSE rHip(hip).time(tp);
        LIPOSE lKnee(bend).time(tp);
        LIPOSE rKnee(bend).time(tp);
        LIPOSE lAnkle(ankle, 300, 30).time(tp);
        LIPOSE rAnkle(ankle, 300, 30).time(tp);
        LIPOSE lShoulder(reach, 100, 10).time(tp);
        LIPOSE rShoulder(reach, 100, 10).time(tp);
        VF (fx, fy, 0).on(lHand).by(lShoulder);
        VF (fx, fy, 0).on(rHand).by(rShoulder);
    ENDACTIONS
    TRANSITION to(5).after(time tp);
ENDPHASE

PHASE 5
    > _squat.ctl(1.6, rise, 1.2);
    TRANSITION to(-1).after(complete);
ENDPHASE
ENDSCRIPT
