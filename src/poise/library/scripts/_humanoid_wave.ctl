# One swing of the raised right forearm, out and in, while the body stands balanced. swing: how far the elbow goes to each
# side, in radians.
CHARACTER humanoid;
SET swing = .5

BEGINSCRIPT wave(swing)
PHASE 0
    ACTIONS
        LIPOSE rElbow(linterp(swing, 0, 1, -1.5, -.5), 150, 10).time(.25);
        VFFB uTorso(1200, 250).side(1000, 200).by(lAnkle).over(feet);
        VFFB uTorso(1200, 250).side(1000, 200).by(rAnkle).over(feet);
    ENDACTIONS
    TRANSITION to(1).after(time .3);
ENDPHASE

PHASE 1
    ACTIONS
        LIPOSE rElbow(linterp(swing, 0, 1, -1.5, -2.5), 150, 10).time(.25);
        VFFB uTorso(1200, 250).side(1000, 200).by(lAnkle).over(feet);
        VFFB uTorso(1200, 250).side(1000, 200).by(rAnkle).over(feet);
    ENDACTIONS
    TRANSITION to(-1).after(time .3);
ENDPHASE
ENDSCRIPT
