# From skip to walk: begins where skip may be left, and ends in walk.
# Found by `poise transition skip walk --phases 5 --generations 60 --starts 1 --seed 3 --noise 3 --failing` (Poise
# 0.1.0): 60 generations, 60 candidates, each from 1 starts; 169 unknowns, all numbers of 5 phases.
# Objective [Firmin15 §4.2]: com 100, trunk 1, joints 1, fallen 200; cost 4.85e+05 before, 1930 after the search.
# Of 5 starts with 3 times the noise from which an immediate switch fails (32 were drawn) at 0.0005 s, 3 arrive; 0 do
# with an immediate switch.
SCRIPTS walk.ctl;
SET TORQUELIMIT = 300

BEGINSCRIPT skip_to_walk(void)
# Was phase 0 of _gait.ctl.
PHASE 0
    ACTIONS
        POSE waist(-.023732, 661.48, 30.323), lTorso2uTorso(-.18405, 638.97, 32.259),
             neck2head(.072175, 98.153, 8.8771), uTorso2neck(.12575, 97.619, 9.4868);
        POSE lElbow(-.29623, 99.425, 29.531), rElbow(-.30628, 100.89, 27.326),
             lWrist(.076871, 5.1162, 5.7655), rWrist(-.063483, 6.3093, 5.1579);
        POSE lShoulder(-.22528, 94.467, 30.583), rShoulder(.40454, 95.81, 28.966);
        POSE rKnee(1.0538, 298.86, 32.741), lKnee(.19533, 282.47, 30.834),
             lAnkle(-.15621, 312.71, 29.102), rAnkle(-.29552, 283.2, 31.954);
        VPD uTorso(.045458, 944.21, 102.11).joint(lHip);
        COMFB2 .012802 -.15005 j rAnkle
        VPD rThigh(-.48575, -281.86, -32.151).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(1).after(time .26305);
ENDPHASE

# Was phase 1 of _gait.ctl.
PHASE 1
    ACTIONS
        POSE rKnee(.057465, 305.35, 29.522), lKnee(.089674, 316.03, 29.872),
             lAnkle(-.10345, 300.81, 29.847), rAnkle(-.1533, 309.56, 29.848);
        VPD uTorso(-.054515, 1020.2, 109.02).joint(lHip);
        COMFB2 -1.9493 .02251 j rAnkle
        VPD rThigh(.63872, -310.03, -31.418).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(2).after(contact rFoot);
ENDPHASE

# Was phase 2 of _gait.ctl.
PHASE 2
    ACTIONS
        POSE rShoulder(-.44562, 99.303, 29.78), lShoulder(.31548, 97.906, 27.254);
        POSE lKnee(.97923, 283.64, 30.278), rKnee(-.088787, 292.48, 30.889),
             lAnkle(-.31347, 294.29, 30.676), rAnkle(-.23608, 288.17, 30.932);
        VPD uTorso(.045269, 981.2, 99.644).joint(rHip);
        COMFB2 .034166 -.16838 j lAnkle
        VPD lThigh(-.51444, -323.27, -30.523).joint(lHip).flags(s);
    ENDACTIONS
    TRANSITION to(3).after(time .23017);
ENDPHASE

# Was phase 3 of _gait.ctl.
PHASE 3
    ACTIONS
        POSE lKnee(-.046663, 303.58, 28.593), rKnee(.19557, 286.05, 28.328),
             lAnkle(-.39594, 311.97, 29.435), rAnkle(-.21917, 312.28, 32.962);
        VPD uTorso(.026135, 1059.7, 98.913).joint(rHip);
        COMFB2 -2.2411 -.020516 j lAnkle
        VPD lThigh(.59249, -294.68, -32.231).joint(lHip).flags(s);
    ENDACTIONS
    TRANSITION to(4).after(contact lFoot);
ENDPHASE

# Was phase 0 of _gait.ctl.
PHASE 4
    ACTIONS
        POSE waist(.0075741, 569.75, 31.601), lTorso2uTorso(-.053667, 565.87, 31.887),
             neck2head(-.11091, 97.443, 8.1341), uTorso2neck(.034446, 99.749, 7.8007);
        POSE lElbow(-.19607, 99.681, 31.344), rElbow(-.15145, 104.17, 33.918),
             lWrist(.064799, 4.6569, 1.3449), rWrist(-.073962, 5.3773, 4.3024);
        POSE lShoulder(-.11064, 103.46, 29.326), rShoulder(.23432, 101.12, 31.683);
        POSE rKnee(1.0135, 300.19, 30.522), lKnee(.059187, 310.59, 31.125),
             lAnkle(-.2531, 312.88, 27.352), rAnkle(-.11881, 300.05, 29.455);
        VPD uTorso(-.078175, 1013.9, 101.44).joint(lHip);
        COMFB2 -.12378 -.25752 j rAnkle
        VPD rThigh(-.60921, -326.86, -31.025).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(5).after(time .24503);
ENDPHASE

# walk takes over.
PHASE 5
    > walk.ctl(void);
    TRANSITION to(-1).after(fallen x 1.2);
ENDPHASE
ENDSCRIPT
