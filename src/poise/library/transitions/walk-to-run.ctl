# From walk to run: begins where walk may be left, and ends in run.
# Found by `poise transition walk run --starts 6 --seed 2` (Poise 0.1.0): 200 generations, 200 candidates, each from 6
# starts; 118 unknowns, all numbers of 4 phases.
# Objective [Firmin15 §4.2]: com 100, trunk 1, joints 1, fallen 200; cost 1.424e+05 before, 2350 after the search.
# Of 20 disturbed starts at 0.0005 s, 20 arrive; 20 do with an immediate switch.
SCRIPTS run.ctl;

BEGINSCRIPT walk_to_run(void)
# Was phase 0 of _gait.ctl.
PHASE 0
    ACTIONS
        POSE waist(-.084224, 604.24, 27.311), lTorso2uTorso(-.064605, 483.29, 30.666),
             neck2head(-.44622, 118.01, 14.779), uTorso2neck(-.043667, 92.424, 17.293);
        POSE lElbow(-.49916, 81.921, 32.378), rElbow(-.32159, 97.277, 27.323),
             lWrist(-.48268, 5.4997, 4.0048), rWrist(-.090519, 1.6948, 5.7421);
        POSE lShoulder(-.18068, 98.236, 25.577), rShoulder(.31822, 96.91, 26.985);
        POSE rKnee(.91726, 296.9, 31.925), lKnee(.10847, 277.71, 27.847),
             lAnkle(-.46947, 297.24, 29.544), rAnkle(-.39745, 195.39, 28.319);
        VPD uTorso(.27421, 970.95, 113.75).joint(lHip);
        COMFB2 .03343 -.10683 j rAnkle
        VPD rThigh(-.47475, -286.39, -33.473).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(1).after(time .3125);
ENDPHASE

# Was phase 1 of _gait.ctl.
PHASE 1
    ACTIONS
        POSE rKnee(-.11495, 294.92, 34.093), lKnee(.043685, 300.87, 27.062),
             lAnkle(-.22481, 261.64, 23.135), rAnkle(.037719, 347.58, 32.089);
        VPD uTorso(.17046, 927.29, 95.362).joint(lHip);
        COMFB2 -2.0515 -.021446 j rAnkle
        VPD rThigh(.61138, -277, -36.09).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(2).after(contact rFoot);
ENDPHASE

# Was phase 2 of _gait.ctl.
PHASE 2
    ACTIONS
        POSE rShoulder(-.37001, 107.96, 26.712), lShoulder(.18359, 91.121, 32.301);
        POSE lKnee(1.3026, 323.9, 25.956), rKnee(.078156, 315.86, 30.464),
             lAnkle(-.50222, 321.77, 37.292), rAnkle(-.4047, 302.09, 29.063);
        VPD uTorso(.28064, 816.97, 92.09).joint(rHip);
        COMFB2 -.117 -.15548 j lAnkle
        VPD lThigh(-.33757, -292.92, -32.586).joint(lHip).flags(s);
    ENDACTIONS
    TRANSITION to(3).after(time .36425);
ENDPHASE

# Was phase 3 of _gait.ctl.
PHASE 3
    ACTIONS
        POSE lKnee(.3712, 279.28, 34.503), rKnee(.23451, 306.27, 25.721),
             lAnkle(-.1532, 212.4, 33.028), rAnkle(-.36259, 279.92, 25.758);
        VPD uTorso(-.27438, 1010.2, 105.14).joint(rHip);
        COMFB2 -2.8085 .047472 j lAnkle
        VPD lThigh(.63076, -281.62, -27.43).joint(lHip).flags(s);
    ENDACTIONS
    TRANSITION to(4).after(contact lFoot);
ENDPHASE

# run takes over.
PHASE 4
    > run.ctl(void);
    TRANSITION to(-1).after(fallen x 1.2);
ENDPHASE
ENDSCRIPT
