# From a step on the hands over onto the first foot: a first guess, from which handwalk-to-walkover was searched.
# The phases are those of the walkover in which its legs pass over the hands; the numbers were tried by hand and by
# CMA-ES, and rounded.
BEGINSCRIPT hands_over(void)
# Both hands are down: one leg goes ahead, the other stays behind, and the wrists tip the body over.
PHASE 0
    ACTIONS
        POSE waist(.13, 1000, 60), lTorso2uTorso(.13, 1000, 60), neck2head(-.47, 200, 20);
        POSE lShoulder(-3.07, 1000, 60), rShoulder(-3.07, 1000, 60), lElbow(-.05, 1000, 60),
             rElbow(-.05, 1000, 60), lWrist(-1.5, 100, 10), rWrist(-1.5, 100, 10);
        POSE rHip(.73, 600, 40), lHip(-1.68, 600, 40), lKnee(.1, 300, 30), rKnee(.1, 300, 30);
        VF (213, 0, 0).on(uTorso).by(lWrist);
        VF (213, 0, 0).on(uTorso).by(rWrist);
    ENDACTIONS
    TRANSITION to(1).after(time .13);
ENDPHASE

# The legs pass over the hands, split.
PHASE 1
    ACTIONS
        POSE lShoulder(-2.21, 1000, 60), rShoulder(-2.21, 1000, 60);
        POSE rHip(.73, 600, 40), lHip(.26, 600, 40), rKnee(1.16, 300, 30), lKnee(.1, 300, 30),
             rAnkle(.68);
        POSE waist(-.3, 600, 60), lTorso2uTorso(-.3, 600, 60);
    ENDACTIONS
    TRANSITION to(2).after(contact rFoot);
    TRANSITION to(2).after(time .52);
ENDPHASE

# The first foot reaches for the ground.
PHASE 2
    ACTIONS
        POSE lAnkle(-.2), rAnkle(.68), rKnee(1.58, 300, 30), lHip(.26, 600, 40),
             rHip(.73, 600, 40);
        POSE lShoulder(-2.75, 600, 40), rShoulder(-2.75, 600, 40);
    ENDACTIONS
    TRANSITION to(-1).after(contact rFoot);
    TRANSITION to(-1).after(time 1.2);
ENDPHASE
ENDSCRIPT
