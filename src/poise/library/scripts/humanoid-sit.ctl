# Sits down on a bench, rests there, leans forward, rises and stands. down: time to sit down; rest: how long it
# sits; flex, hip: bend of the hips when it leans forward, and when it has left the bench; up: the time to rise.
SCRIPTS _humanoid_stand.ctl;
CHARACTER humanoid;
ENVIRONMENT humanoid-seat.env;
SET down = 2
SET rest = 2
SET flex = -1.5
SET hip = -1.2
SET up = .8

BEGINSCRIPT sit(down, rest, flex, hip, up)
PHASE 0
    > _humanoid_stand.ctl(.3, .5);
    TRANSITION to(-1).after(fallen x 1.4);
    TRANSITION to(1).after(complete);
ENDPHASE

# Down, the arms forward, until the pelvis is on the bench.
PHASE 1
    ACTIONS
        LIPOSE waist((.1, 0, 0), 400, 40).time(down);
        LIPOSE lTorso2uTorso((.1, 0, 0), 400, 40).time(down);
        LIPOSE neck2head((-.3, 0, 0), 40, 4).time(down);
        LIPOSE lShoulder((-1.3, .1, 0), 60, 8).time(down);
        LIPOSE rShoulder((-1.3, .1, 0), 60, 8).time(down);
        LIPOSE lHip((-1.5, .05, 0), 600, 60).time(down);
        LIPOSE rHip((-1.5, .05, 0), 600, 60).time(down);
        LIPOSE lKnee(2, 600, 60).time(down);
        LIPOSE rKnee(2, 600, 60).time(down);
        LIPOSE lAnkle((-.6, -.05), 200, 20).time(down);
        LIPOSE rAnkle((-.6, -.05), 200, 20).time(down);
        VFFB uTorso(1200, 250).side(1000, 200).by(lAnkle).over(feet);
        VFFB uTorso(1200, 250).side(1000, 200).by(rAnkle).over(feet);
    ENDACTIONS
    TRANSITION to(-1).after(fallen x 1.4);
    TRANSITION to(2).after(contact pelvis);
    TRANSITION to(2).after(time 4);
ENDPHASE

# Upright on the bench, at rest: no force holds the body over its feet any more.
PHASE 2
    ACTIONS
        LIPOSE waist((0, 0, 0), 400, 40).time(1);
        LIPOSE lTorso2uTorso((0, 0, 0), 400, 40).time(1);
        LIPOSE neck2head((0, 0, 0), 40, 4).time(1);
        LIPOSE lShoulder((-.5, .1, 0), 60, 8).time(1);
        LIPOSE rShoulder((-.5, .1, 0), 60, 8).time(1);
        LIPOSE lElbow(-.9, 30, 4).time(1);
        LIPOSE rElbow(-.9, 30, 4).time(1);
        LIPOSE lHip((-1.36, .05, 0), 600, 60).time(1);
        LIPOSE rHip((-1.36, .05, 0), 600, 60).time(1);
        LIPOSE lKnee(1.9, 100, 10).time(1);
        LIPOSE rKnee(1.9, 100, 10).time(1);
        LIPOSE lAnkle((-.4, 0), 50, 5).time(1);
        LIPOSE rAnkle((-.4, 0), 50, 5).time(1);
    ENDACTIONS
    TRANSITION to(3).after(time rest);
ENDPHASE

# Forward, until the weight is over the feet,
PHASE 3
    ACTIONS
        LIPOSE waist((.05, 0, 0), 400, 40).time(.6);
        LIPOSE lTorso2uTorso((.05, 0, 0), 400, 40).time(.6);
        LIPOSE neck2head((-.3, 0, 0), 40, 4).time(.6);
        LIPOSE lShoulder((-1.2, .1, 0), 60, 8).time(.6);
        LIPOSE rShoulder((-1.2, .1, 0), 60, 8).time(.6);
        LIPOSE lElbow(-.2, 30, 4).time(.6);
        LIPOSE rElbow(-.2, 30, 4).time(.6);
        LIPOSE lAnkle((-.6, -.05), 300, 30).time(.6);
        LIPOSE rAnkle((-.6, -.05), 300, 30).time(.6);
        LIPOSE lHip((flex, .05, 0), 600, 60).time(.7);
        LIPOSE rHip((flex, .05, 0), 600, 60).time(.7);
        LIPOSE lKnee(2.05, 600, 60).time(.6);
        LIPOSE rKnee(2.05, 600, 60).time(.6);
    ENDACTIONS
    TRANSITION to(-1).after(fallen x 1.6);
    TRANSITION to(4).after(time .8);
ENDPHASE

# then into a squat, off the bench,
PHASE 4
    ACTIONS
        LIPOSE waist((.05, 0, 0), 400, 40).time(up);
        LIPOSE lTorso2uTorso((.05, 0, 0), 400, 40).time(up);
        LIPOSE lHip((hip, .05, 0), 600, 60).time(up);
        LIPOSE rHip((hip, .05, 0), 600, 60).time(up);
        LIPOSE lKnee(1.5, 600, 60).time(up);
        LIPOSE rKnee(1.5, 600, 60).time(up);
        LIPOSE lAnkle((-.6, -.05), 200, 20).time(up);
        LIPOSE rAnkle((-.6, -.05), 200, 20).time(up);
        VFFB lShin(1200, 250).side(1000, 200).by(lAnkle).over(feet);
        VFFB rShin(1200, 250).side(1000, 200).by(rAnkle).over(feet);
    ENDACTIONS
    TRANSITION to(-1).after(fallen x 1.6);
    TRANSITION to(5).after(time up);
ENDPHASE

# and up.
PHASE 5
    > _humanoid_stand.ctl(1.8, 2.3);
    TRANSITION to(-1).after(fallen x 1.4);
ENDPHASE
ENDSCRIPT
