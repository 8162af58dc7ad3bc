# From skip to walk: begins where skip may be left, and ends in walk.
# Found by `poise transition skip walk --generations 150 --starts 8 --spread 0.5 --seed 3` (Poise 0.1.0): 150
# generations, 150 candidates, each from 8 starts; 118 unknowns, all numbers of 4 phases.
# Objective [Firmin15 §4.2]: com 100, trunk 1, joints 1, fallen 200; cost 7432 before, 889.6 after the search.
# Of 20 disturbed starts at 0.0005 s, 20 arrive; 20 do with an immediate switch.
SCRIPTS walk.ctl;
SET TORQUELIMIT = 300

BEGINSCRIPT skip_to_walk(void)
# Was phase 0 of _gait.ctl.
PHASE 0
    ACTIONS
        POSE waist(-.17533, 546.34, 32.178), lTorso2uTorso(-.072171, 519.12, 31.263),
             neck2head(.13772, 97.193, 9.038), uTorso2neck(.076915, 95.824, 10.666);
        POSE lElbow(-.24954, 100.18, 29.476), rElbow(-.23468, 95.201, 30.946),
             lWrist(.014553, 5.7779, 6.7299), rWrist(.097231, 7.1328, 4.7441);
        POSE lShoulder(-.31584, 110.02, 28.754), rShoulder(.34653, 114.66, 28.994);
        POSE rKnee(1.1939, 348.25, 30.314), lKnee(.093665, 306.27, 29.189),
             lAnkle(-.20393, 315.5, 29.933), rAnkle(-.12607, 304.54, 32.741);
        VPD uTorso(-.00025954, 959.6, 95.244).joint(lHip);
        COMFB2 -.038784 -.19323 j rAnkle
        VPD rThigh(-.5167, -293.91, -27.434).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(1).after(time .26861);
ENDPHASE

# Was phase 1 of _gait.ctl.
PHASE 1
    ACTIONS
        POSE rKnee(-.026653, 287.28, 29.312), lKnee(.042522, 295.9, 32.507),
             lAnkle(-.1685, 259.24, 29.443), rAnkle(-.14929, 307.49, 29.429);
        VPD uTorso(-.10598, 1067.1, 110.19).joint(lHip);
        COMFB2 -2.2404 .0028066 j rAnkle
        VPD rThigh(.58853, -301.23, -34.203).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(2).after(contact rFoot);
ENDPHASE

# Was phase 2 of _gait.ctl.
PHASE 2
    ACTIONS
        POSE rShoulder(-.31061, 99.521, 32.672), lShoulder(.19596, 99.122, 28.765);
        POSE lKnee(1.2329, 325.7, 28.091), rKnee(.049623, 334.21, 32.707),
             lAnkle(-.39472, 295.51, 31.393), rAnkle(-.33307, 304.9, 30.487);
        VPD uTorso(.18978, 985.52, 91.433).joint(rHip);
        COMFB2 .0024554 -.15531 j lAnkle
        VPD lThigh(-.56271, -325.3, -28.432).joint(lHip).flags(s);
    ENDACTIONS
    TRANSITION to(3).after(time .28815);
ENDPHASE

# Was phase 3 of _gait.ctl.
PHASE 3
    ACTIONS
        POSE lKnee(.15068, 297.48, 32.518), rKnee(.081146, 300.75, 28.051),
             lAnkle(-.34911, 307.87, 32.132), rAnkle(-.19724, 291.88, 32.314);
        VPD uTorso(-.0678, 909.9, 101.04).joint(rHip);
        COMFB2 -2.2265 -.05177 j lAnkle
        VPD lThigh(.78314, -304.49, -26.9).joint(lHip).flags(s);
    ENDACTIONS
    TRANSITION to(4).after(contact lFoot);
ENDPHASE

# walk takes over.
PHASE 4
    > walk.ctl(void);
    TRANSITION to(-1).after(fallen x 1.2);
ENDPHASE
ENDSCRIPT
