# Squats in a second, from a stand that may lean or move: at first the hips rotate the trunk against the direction in which the
# centre of mass leaves the feet. Waits (wait) until the body is still, as _squat.ctl does.
SCRIPTS _squat.ctl;
SET wait = 2.5

BEGINSCRIPT squat_caught(wait)
PHASE 0
    ACTIONS
        POSE waist(0, 600, 30), lTorso2uTorso(0, 600, 30), neck2head(0, 1000, 100),
             uTorso2neck(0, 100, 10);
        POSE lElbow(-.2, 100, 30), rElbow(-.2, 100, 30), lWrist(0, 5, 3), rWrist(0, 5, 3);
        LIPOSE lShoulder(-1.4, 100, 30).time(1);
        LIPOSE rShoulder(-1.4, 100, 30).time(1);
        LIPOSE lHip(-1.3).time(1);
        LIPOSE rHip(-1.3).time(1);
        LIPOSE lKnee(1.6).time(1);
        LIPOSE rKnee(1.6).time(1);
        LIPOSE lAnkle(-.6, 300, 30).time(1);
        LIPOSE rAnkle(-.6, 300, 30).time(1);
        VFFB uTorso(2000, 250).by(lAnkle).over(cop);
        VFFB uTorso(2000, 250).by(rAnkle).over(cop);
        POSEFB lHip(-4, -1.5).on(part lFoot);
        POSEFB rHip(-4, -1.5).on(part rFoot);
    ENDACTIONS
    TRANSITION to(1).after(time .3);
ENDPHASE

PHASE 1
    > _squat.ctl(1.6, .7, wait);
    TRANSITION to(-1).after(complete);
ENDPHASE
ENDSCRIPT
