# Every action and modifier of the language, in its author's spelling.
SCRIPTS other.t , endless.s;
SET TORQUELIMIT = 370
BEGINSCRIPT every_action(angle, kp, T, speed_1)
# a comment where a phase could stand
PHASE 0
    # and where a command could
    ACTIONS # and after a block word
        POSE lHip(angle), rHip(-0.4, kp), lKnee(.05, 300, 30) , rKnee( 7. );
        POSE	waist(linterp(angle, 0, 1, -.5, .5));
        LIPOSE lShoulder(-.2).time(T); LIPOSE rShoulder(-.2, 100, 30).time (linterp( T,0,1,.1,.2 ));
        POSEFB lHip(-2, 0).on(joint lAnkle), rHip(2, 1).on (part rFoot);
        # a comment where an action could stand
        COMFB2 0.1 -.2 j lAnkle
        VPD uTorso(0.0, 1000., 100).joint(lHip);
        COMFB2 kp T p rFoot
        VPD rThigh(angle, -300, -30).joint(rHip) .flags(s);
        COMFB2 0 0 c anyword
        VPD head(0).joint( neck2head );
        VF (0, 100.5, 0).on(uTorso).by(rAnkle);
        VFFB uTorso (2000, 250).by (lAnkle).over (cop);
        VFFB uTorso(2000, 250).by(rAnkle).over(lFoot) ;
        VFSFB uTorso(300).by(lAnkle).speed(speed_1);
        IK rHand.targetglobal(1, .5, -10).base(rShoulder);
        IK lHand.targetlocal (.1, -.6, 0).base (lShoulder).tolerance (0.001);
        GC lFArm.by(lShoulder);
        EF uTorso (-50.0, .5, 0.0);
        MATCH lElbow.to(rElbow);
        MATCH lWrist.to (rWrist, 100, 10) .time (.5);
        HOLD neck2head;
    ENDACTIONS
    TRANSITION to(1).after(time T);
ENDPHASE
PHASE 1
    ENVACTIONS
        toggleVisible(BOX); toggleCollidable ( BOX ) ;
        # a comment among env-actions
    ENDACTIONS
    SAVE some name.sav ;
    LOAD start.sav;
    TRANSITION to(2).after(complete);
ENDPHASE
PHASE 2
    TRANSITION to(0).after(fallen > 1.2) ;
    > other.t( angle , 2, linterp(T, 0, 1, 2, 3) ) .atPhase ( 1 ) ;
    TRANSITION to(3).after(iterations 3);
ENDPHASE
PHASE 3
    TRANSITION to(-1).after(complete);
ENDPHASE
ENDSCRIPT
Text after the script is ignored too.
