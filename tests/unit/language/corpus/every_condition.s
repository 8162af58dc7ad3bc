BEGINSCRIPT every_condition (void)
PHASE 0
ACTIONS
POSE lHip(0);
ENDACTIONS
TRANSITION to(1).after(time .5);
TRANSITION to(1).after( contact rFoot );
TRANSITION to(1).after(nocontact lHand);
TRANSITION to(1).after(stable .01);
TRANSITION to(1).after(iterations 100);
TRANSITION to(1).after(press W);
TRANSITION to(1).after(release 3);
TRANSITION to(1).after(fallen > .6);
TRANSITION to(1).after(fallen < -.6);
TRANSITION to(1).after(fallen x 1.2);
TRANSITION to(1).after(anglerange -2 2.8);
TRANSITION to(1).after(anglerange 2.8 -2);
TRANSITION to(1).after(pass CHAIR .3);
TRANSITION to(1).after(random .25);
TRANSITION to(1).after(complete);
ENDPHASE
# between phases
PHASE 3
TRANSITION to(-1).after(complete);
ENDPHASE
ENDSCRIPT
