# From walk to walkover: begins where walk may be left, and ends in walkover.
# Found by `poise transition walk walkover --starts 3 --spread 1.5 --at-phase 2 --noise 0.4 --goal 2.8:6.5` (Poise
# 0.1.0): 200 generations, 200 candidates, each from 3 starts; 118 unknowns, all numbers of 4 phases.
# Objective [Firmin15 §4.2]: com 100, trunk 1, joints 1, fallen 200; cost 4.391e+04 before, 1065 after the search.
# Of 20 starts with 0.4 times the noise at 0.0005 s, 18 arrive; 0 do with an immediate switch.
SCRIPTS walkover.ctl;

BEGINSCRIPT walk_to_walkover(void)
# Was phase 0 of _gait.ctl.
PHASE 0
    ACTIONS
        POSE waist(.013221, 629.38, 31.074), lTorso2uTorso(-.034007, 612.97, 29.552),
             neck2head(-.11965, 105.27, 10.478), uTorso2neck(.063347, 102.54, 13.336);
        POSE lElbow(-.33975, 102.64, 27.482), rElbow(-.33571, 98.783, 27.745),
             lWrist(-.0071777, 2.6244, 3.1143), rWrist(-.20412, 5.2921, 4.004);
        POSE lShoulder(-.52267, 83.477, 29.9), rShoulder(.34109, 103.86, 29.343);
        POSE rKnee(1.215, 269.05, 30.374), lKnee(.3108, 301.66, 28.46),
             lAnkle(-.22362, 287.26, 26.188), rAnkle(-.1815, 312.51, 30.2);
        VPD uTorso(.035679, 975.49, 104.31).joint(lHip);
        COMFB2 -.037848 -.23625 j rAnkle
        VPD rThigh(-.50755, -301.19, -28.277).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(1).after(time .25253);
ENDPHASE

# Was phase 1 of _gait.ctl.
PHASE 1
    ACTIONS
        POSE rKnee(.0452, 321.26, 29.313), lKnee(.17821, 307.3, 29.755),
             lAnkle(-.26966, 268.45, 28.895), rAnkle(-.27141, 304.18, 27.555);
        VPD uTorso(-.19121, 939.57, 103.33).joint(lHip);
        COMFB2 -2.1835 .023999 j rAnkle
        VPD rThigh(.57832, -297.67, -27.034).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(2).after(contact rFoot);
ENDPHASE

# Was phase 2 of _gait.ctl.
PHASE 2
    ACTIONS
        POSE rShoulder(-.28035, 93.711, 29.899), lShoulder(.2379, 98.429, 31.575);
        POSE lKnee(.92046, 271.39, 28.072), rKnee(.049312, 307.05, 26.231),
             lAnkle(-.24973, 317.15, 32.911), rAnkle(-.086291, 338.26, 32.685);
        VPD uTorso(-.05142, 1021.3, 102.26).joint(rHip);
        COMFB2 .088342 -.18135 j lAnkle
        VPD lThigh(-.33101, -332.72, -29.327).joint(lHip).flags(s);
    ENDACTIONS
    TRANSITION to(3).after(time .32243);
ENDPHASE

# Was phase 3 of _gait.ctl.
PHASE 3
    ACTIONS
        POSE lKnee(-.090957, 314.94, 30.621), rKnee(.15286, 311.98, 33.464),
             lAnkle(-.10364, 305.17, 28.224), rAnkle(-.3598, 325.77, 29.218);
        VPD uTorso(-.074927, 971.86, 92.26).joint(rHip);
        COMFB2 -2.208 .016259 j lAnkle
        VPD lThigh(.61273, -318.35, -26.844).joint(lHip).flags(s);
    ENDACTIONS
    TRANSITION to(4).after(contact lFoot);
ENDPHASE

# walkover takes over.
PHASE 4
    > walkover.ctl(.09706, .7682, -.2, .2697, .4645, .8608, -.338, 1.941, -1.622, -1.788, -1.82,
                   .304, .798, -2.819, .7827, .1407, .1495, .9071, -.2186, 642.8, -1050, .4114,
                   -1.065, -1.726, 1.431, .4044, .41, -.3448, .2215, .3379).atPhase(2);
    TRANSITION to(-1).after(fallen x 1.2);
ENDPHASE
ENDSCRIPT
