# Two steps on the hands, the right one first: a hand is lifted by its elbow, reaches ahead, and is set down; the body is
# drawn over it, balanced by virtual forces through the wrists.
# reach: shoulder of the arm that steps; back: of the other one; lift: elbow; tl: time of the lift; ts: time in which the
# weight shifts over both hands; hip, arch: hips and back, which hang the legs over the hands; cd, cv: balance; fx: a force
# on the trunk, ahead. Ends after two steps, or when the trunk leaves the inverted range.
SET reach = -3.13
SET back = -2.905
SET lift = -.8461
SET tl = .2483
SET ts = .1647
SET hip = .1559
SET arch = -.1117
SET cd = 1728
SET cv = 299.5
SET fx = 44.79

BEGINSCRIPT hand_step(reach, back, lift, tl, ts, hip, arch, cd, cv, fx)
PHASE 0
    ACTIONS
        POSE waist(arch, 1000, 60), lTorso2uTorso(arch, 1000, 60), neck2head(-.5, 200, 20);
        POSE lHip(hip, 600, 60), rHip(hip, 600, 60), lKnee(.1, 300, 30), rKnee(.1, 300, 30);
        POSE lWrist(-1.5, 300, 30), rWrist(-1.3, 60, 6), lAnkle(.6, 60, 6), rAnkle(.6, 60, 6);
        POSE lElbow(-.05, 1000, 60), rElbow(lift, 300, 30);
        POSE rShoulder(reach, 600, 40);
        LIPOSE lShoulder(back, 1000, 60).time(tl);
        VFFB uTorso(cd, cv).by(lWrist).over(lHand);
        VF (fx, 0, 0).on(uTorso).by(lWrist);
    ENDACTIONS
    TRANSITION to(-1).after(anglerange -2.3 2.3);
    TRANSITION to(1).after(time tl);
ENDPHASE

PHASE 1
    ACTIONS
        LIPOSE rElbow(-.05, 600, 40).time(.15);
        VFFB uTorso(cd, cv).by(lWrist).over(lHand);
        VF (fx, 0, 0).on(uTorso).by(lWrist);
    ENDACTIONS
    TRANSITION to(-1).after(anglerange -2.3 2.3);
    TRANSITION to(2).after(contact rHand);
    TRANSITION to(2).after(time .5);
ENDPHASE

PHASE 2
    ACTIONS
        LIPOSE rElbow(-.05, 1000, 60).time(.1);
        POSE rWrist(-1.5, 300, 30);
        VFFB uTorso(cd, cv).by(lWrist).over(rHand);
        VFFB uTorso(cd, cv).by(rWrist).over(rHand);
    ENDACTIONS
    TRANSITION to(-1).after(anglerange -2.3 2.3);
    TRANSITION to(3).after(time ts);
ENDPHASE

PHASE 3
    ACTIONS
        POSE rWrist(-1.5, 300, 30), lWrist(-1.3, 60, 6);
        POSE rElbow(-.05, 1000, 60), lElbow(lift, 300, 30);
        POSE lShoulder(reach, 600, 40);
        LIPOSE rShoulder(back, 1000, 60).time(tl);
        VFFB uTorso(cd, cv).by(rWrist).over(rHand);
        VF (fx, 0, 0).on(uTorso).by(rWrist);
    ENDACTIONS
    TRANSITION to(-1).after(anglerange -2.3 2.3);
    TRANSITION to(4).after(time tl);
ENDPHASE

PHASE 4
    ACTIONS
        LIPOSE lElbow(-.05, 600, 40).time(.15);
        VFFB uTorso(cd, cv).by(rWrist).over(rHand);
        VF (fx, 0, 0).on(uTorso).by(rWrist);
    ENDACTIONS
    TRANSITION to(-1).after(anglerange -2.3 2.3);
    TRANSITION to(5).after(contact lHand);
    TRANSITION to(5).after(time .5);
ENDPHASE

PHASE 5
    ACTIONS
        LIPOSE lElbow(-.05, 1000, 60).time(.1);
        POSE lWrist(-1.5, 300, 30);
        VFFB uTorso(cd, cv).by(lWrist).over(lHand);
        VFFB uTorso(cd, cv).by(rWrist).over(lHand);
    ENDACTIONS
    TRANSITION to(-1).after(time ts);
ENDPHASE
ENDSCRIPT
