# From handwalk to walkover: begins where handwalk may be left, and ends in walkover.
# Found by `poise transition handwalk walkover --via _hands-over.ctl --phases 3 --generations 140 --starts 8 --spread
# 0.4 --at-phase 6 --pose handstand --noise 0.4 --weight energy=0.001 --weight knocked=20000 --goal 4.36:7.4` (Poise
# 0.1.0): 140 generations, 140 candidates, each from 8 starts; 103 unknowns, all numbers of 3 phases.
# Objective [Firmin15 §4.2]: com 100, trunk 1, joints 1, energy 0.001, fallen 200, knocked 20000; cost 4.864e+04
# before, 4064 after the search.
# Of 20 starts with 0.4 times the noise at 0.0005 s, 18 arrive; 0 do with an immediate switch.
SCRIPTS walkover.ctl;

BEGINSCRIPT handwalk_to_walkover(void)
# Was phase 0 of _hands-over.ctl.
PHASE 0
    ACTIONS
        POSE uTorso2neck(.014593, 101.76, 10.825), lAnkle(.60047, 58.833, 6.5036),
             rAnkle(.67925, 59.232, 5.0913);
    ENDACTIONS
    ACTIONS
        POSE waist(.18624, 1006.5, 57.088), lTorso2uTorso(.14262, 907.47, 61.007),
             neck2head(-.382, 205.29, 18.784);
        POSE lShoulder(-3.0803, 1010.1, 59.434), rShoulder(-2.9948, 1017.7, 60.846),
             lElbow(.0037774, 946.1, 60.092), rElbow(.0024625, 1023.7, 61.018),
             lWrist(-1.511, 102.16, 7.6377), rWrist(-1.4855, 105.2, 10.482);
        POSE rHip(.81591, 565.17, 39.503), lHip(-1.6932, 569.47, 39.521),
             lKnee(.1349, 294.27, 29.852), rKnee(.055682, 312.94, 28.743);
        VF (231.31, -11.555, 0).on(uTorso).by(lWrist);
        VF (212.9, -11.035, 0).on(uTorso).by(rWrist);
    ENDACTIONS
    TRANSITION to(1).after(time .096791);
ENDPHASE

# Was phase 1 of _hands-over.ctl.
PHASE 1
    ACTIONS
        POSE lShoulder(-2.1539, 1064.1, 61.696), rShoulder(-2.1951, 998.78, 58.687);
        POSE rHip(.78245, 581.38, 40.947), lHip(.29052, 634.13, 37.543),
             rKnee(1.1304, 295.91, 29.042), lKnee(.14966, 300.35, 30.758),
             rAnkle(.68044, 294.55, 30.571);
        POSE waist(-.22596, 578.63, 63.759), lTorso2uTorso(-.36286, 610.73, 59.987);
    ENDACTIONS
    TRANSITION to(2).after(contact rFoot);
    TRANSITION to(2).after(time .50864);
ENDPHASE

# Was phase 2 of _hands-over.ctl.
PHASE 2
    ACTIONS
        POSE lAnkle(-.17605, 290.29, 29.876), rAnkle(.62729, 298.81, 31.121),
             rKnee(1.6351, 308.41, 29.57), lHip(.26274, 627.33, 39.61),
             rHip(.69599, 574.28, 39.927);
        POSE lShoulder(-2.7394, 595.79, 38.071), rShoulder(-2.8625, 580.64, 39.736);
    ENDACTIONS
    TRANSITION to(3).after(contact rFoot);
    TRANSITION to(3).after(time 1.2276);
ENDPHASE

# walkover takes over.
PHASE 3
    > walkover.ctl(.09706, .7682, -.2, .2697, .4645, .8608, -.338, 1.941, -1.622, -1.788, -1.82,
                   .304, .798, -2.819, .7827, .1407, .1495, .9071, -.2186, 642.8, -1050, .4114,
                   -1.065, -1.726, 1.431, .4044, .41, -.3448, .2215, .3379).atPhase(6);
    TRANSITION to(-1).after(fallen x 1.2);
ENDPHASE
ENDSCRIPT
