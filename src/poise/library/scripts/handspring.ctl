# A handspring: squats, springs onto the hands, passes over them stretched, pushes off, and lands on both feet.
# From standing to standing; a landing that fails is followed by getting up. first, knee, tk: shoulders, knees and time of
# the push of the legs; kick, tp, shoulder, arch: hips, time, shoulders and back as the legs are thrown over; fx, fy, tv:
# push of each hand, in newtons, and its longest time; hip, bend, ankle: before landing; depth, rise: of the squat. Found by
# CMA-ES (package cma, seeds 1 and then 2) after 70 uniform draws, the last search at 0.0005 s from five starts of phase
# 2 changed by 0.006 rad and 0.02 rad/s, for a whole turn of the trunk and a still squat after it.
SCRIPTS _stand.ctl, _squat.ctl, _get_up.ctl;
SET first = -1.608
SET knee = .675
SET tk = .244
SET kick = -1.502
SET tp = .209
SET shoulder = -2.545
SET fx = .9
SET fy = -1407
SET arch = -.206
SET tv = .159
SET hip = .052
SET bend = 1.341
SET ankle = -.306
SET depth = 1.593
SET rise = .463

BEGINSCRIPT handspring(first, knee, tk, kick, tp, shoulder, fx, fy, arch, tv, hip, bend, ankle, depth, rise)
PHASE 0
    > _stand.ctl(.3, .5);
    TRANSITION to(9).after(fallen x 1.2);
    TRANSITION to(1).after(complete);
ENDPHASE

PHASE 1
    > _squat.ctl(1.6, .8, 1.2);
    TRANSITION to(9).after(fallen x 1.2);
    TRANSITION to(2).after(complete);
ENDPHASE

# The trunk goes down between the knees, and the arms reach for the ground.
PHASE 2
    ACTIONS
        POSE waist(.2, 600, 60), lTorso2uTorso(.2, 600, 60), neck2head(-.5, 200, 20);
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

# The legs push off.
PHASE 3
    ACTIONS
        POSE lShoulder(first, 1000, 60), rShoulder(first, 1000, 60), lElbow(-.05, 1000, 60),
             rElbow(-.05, 1000, 60);
        POSE lWrist(-1.5, 300, 30), rWrist(-1.5, 300, 30), neck2head(-.6, 200, 20);
        POSE lHip(-2, 600, 40), rHip(-2, 600, 40), lKnee(knee, 600, 40), rKnee(knee, 600, 40);
        POSE lAnkle(.6, 300, 30), rAnkle(.6, 300, 30);
    ENDACTIONS
    TRANSITION to(4).after(time tk);
ENDPHASE

# The legs are thrown over the hands.
PHASE 4
    ACTIONS
        POSE lShoulder(shoulder, 1000, 60), rShoulder(shoulder, 1000, 60);
        POSE lHip(kick, 600, 40), rHip(kick, 600, 40), lKnee(.3, 300, 30), rKnee(.3, 300, 30);
        POSE waist(arch, 600, 60), lTorso2uTorso(arch, 600, 60);
    ENDACTIONS
    TRANSITION to(5).after(time tp);
ENDPHASE

# The hands push off.
PHASE 5
    ACTIONS
        POSE lHip(hip, 600, 40), rHip(hip, 600, 40), lKnee(bend, 300, 30), rKnee(bend, 300, 30);
        POSE lAnkle(ankle), rAnkle(ankle);
        VF (fx, fy, 0).on(lHand).by(lShoulder);
        VF (fx, fy, 0).on(rHand).by(rShoulder);
    ENDACTIONS
    TRANSITION to(6).after(contact lFoot);
    TRANSITION to(6).after(time tv);
ENDPHASE

# The feet reach for the ground.
PHASE 6
    ACTIONS
        POSE lHip(hip, 600, 40), rHip(hip, 600, 40), lKnee(bend, 300, 30), rKnee(bend, 300, 30);
        POSE lAnkle(ankle), rAnkle(ankle), lShoulder(-1.5, 200, 20), rShoulder(-1.5, 200, 20);
    ENDACTIONS
    TRANSITION to(7).after(contact lFoot);
    TRANSITION to(7).after(contact rFoot);
    TRANSITION to(7).after(time .8);
ENDPHASE

PHASE 7
    > _squat.ctl(depth, rise, 1);
    TRANSITION to(9).after(fallen x 1.2);
    TRANSITION to(8).after(complete);
ENDPHASE

PHASE 8
    > _stand.ctl(1, 1.5);
    TRANSITION to(9).after(fallen x 1.2);
ENDPHASE

PHASE 9
    > _get_up.ctl(void);
    TRANSITION to(8).after(complete);
ENDPHASE
ENDSCRIPT
