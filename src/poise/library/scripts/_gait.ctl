# One cycle of a walk in the style of SIMBICON: lift for a time, strike until the foot touches, and the same with the
# other leg. Swing thigh and trunk are held in the world; the thigh's target follows the centre of
# mass, measured from the ankle of its own leg. The arms swing against the legs.
# dt: time of the lift; for lift (e) and strike (o): cd, cv feedback gains, swh swing thigh, swk swing knee,
# stk stance knee; tor: lean of the trunk; ankle: both ankles; arm: swing of the arms.
SET dt = .3
SET cde = 0
SET cdo = -2.2
SET cve = -.2
SET cvo = 0
SET tor = 0
SET swhe = -.4
SET swho = .7
SET swke = 1.1
SET swko = .05
SET stke = .05
SET stko = .1
SET ankle = -.2
SET arm = .3

BEGINSCRIPT gait(dt, cde, cdo, cve, cvo, tor, swhe, swho, swke, swko, stke, stko, ankle, arm)
PHASE 0
    ACTIONS
        POSE waist(0, 600, 30), lTorso2uTorso(0, 600, 30), neck2head(0, 100, 10),
             uTorso2neck(0, 100, 10);
        POSE lElbow(-.3, 100, 30), rElbow(-.3, 100, 30), lWrist(0, 5, 3), rWrist(0, 5, 3);
        POSE lShoulder(linterp(arm, 0, 1, 0, -1), 100, 30), rShoulder(arm, 100, 30);
        POSE rKnee(swke), lKnee(stke), lAnkle(ankle), rAnkle(ankle);
        VPD uTorso(tor, 1000, 100).joint(lHip);
        COMFB2 cde cve j rAnkle
        VPD rThigh(swhe, -300, -30).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(1).after(time dt);
ENDPHASE

PHASE 1
    ACTIONS
        POSE rKnee(swko), lKnee(stko), lAnkle(ankle), rAnkle(ankle);
        VPD uTorso(tor, 1000, 100).joint(lHip);
        COMFB2 cdo cvo j rAnkle
        VPD rThigh(swho, -300, -30).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(2).after(contact rFoot);
ENDPHASE

PHASE 2
    ACTIONS
        POSE rShoulder(linterp(arm, 0, 1, 0, -1), 100, 30), lShoulder(arm, 100, 30);
        POSE lKnee(swke), rKnee(stke), lAnkle(ankle), rAnkle(ankle);
        VPD uTorso(tor, 1000, 100).joint(rHip);
        COMFB2 cde cve j lAnkle
        VPD lThigh(swhe, -300, -30).joint(lHip).flags(s);
    ENDACTIONS
    TRANSITION to(3).after(time dt);
ENDPHASE

PHASE 3
    ACTIONS
        POSE lKnee(swko), rKnee(stko), lAnkle(ankle), rAnkle(ankle);
        VPD uTorso(tor, 1000, 100).joint(rHip);
        COMFB2 cdo cvo j lAnkle
        VPD lThigh(swho, -300, -30).joint(lHip).flags(s);
    ENDACTIONS
    TRANSITION to(-1).after(contact lFoot);
ENDPHASE
ENDSCRIPT
