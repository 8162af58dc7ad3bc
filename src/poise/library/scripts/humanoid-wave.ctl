# Waves in space: stands, raises the right arm to the side until the forearm points up, swings it four times, lets it hang.
# swing: how far the elbow goes to each side, in radians.
SCRIPTS _humanoid_stand.ctl, _humanoid_wave.ctl;
CHARACTER humanoid;
SET swing = .5

BEGINSCRIPT wave(swing)
PHASE 0
    > _humanoid_stand.ctl(.3, .8);
    TRANSITION to(-1).after(fallen x 1);
    TRANSITION to(1).after(complete);
ENDPHASE

# The upper arm goes out and turns, so that the bent forearm stands upright.
PHASE 1
    ACTIONS
        LIPOSE rShoulder((0, 1.4, 1.4), 150, 15).time(.8);
        LIPOSE rElbow(-1.5, 60, 8).time(.8);
        LIPOSE neck2head((0, .15, -.3), 40, 4).time(.8);
        VFFB uTorso(1200, 250).side(1000, 200).by(lAnkle).over(feet);
        VFFB uTorso(1200, 250).side(1000, 200).by(rAnkle).over(feet);
    ENDACTIONS
    TRANSITION to(-1).after(fallen x 1);
    TRANSITION to(2).after(time 1);
ENDPHASE

PHASE 2
    > _humanoid_wave.ctl(swing);
    TRANSITION to(-1).after(fallen x 1);
    TRANSITION to(3).after(iterations 3);
ENDPHASE

PHASE 3
    > _humanoid_stand.ctl(1, 1.5);
    TRANSITION to(-1).after(fallen x 1);
ENDPHASE
ENDSCRIPT
