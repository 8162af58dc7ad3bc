# One cycle of a crawl: a hand and the knee of the other side are lifted and brought forward while the other two push
# back, and the same mirrored. dt: time of a lift; reach, bend: shoulder and elbow of the arm in the air; plant: shoulder
# when the hand comes down; push: shoulder of the one on the ground; stride, lift: hip and knee of the leg in the air;
# kneel: hip when the knee comes down; drive: hip of the leg that pushes.
SET dt = .388
SET reach = -1.854
SET bend = -1.412
SET plant = -1.782
SET push = -1.138
SET stride = -1.987
SET lift = 1.935
SET kneel = -1.767
SET drive = -1.188

BEGINSCRIPT crawl_gait(dt, reach, bend, plant, push, stride, lift, kneel, drive)
PHASE 0
    ACTIONS
        LIPOSE rShoulder(reach, 600, 60).time(.25);
        LIPOSE rElbow(bend, 600, 60).time(.15);
        LIPOSE lHip(stride).time(.25);
        LIPOSE lKnee(lift).time(.15);
        LIPOSE lShoulder(push).time(dt);
        LIPOSE rHip(drive).time(dt);
        POSE rKnee(1.5, 600, 60), lElbow(-.1, 1000, 100);
    ENDACTIONS
    TRANSITION to(-1).after(fallen > 2.2);
    TRANSITION to(1).after(time dt);
ENDPHASE

PHASE 1
    ACTIONS
        LIPOSE rElbow(-.1, 600, 60).time(.15);
        LIPOSE rShoulder(plant, 600, 60).time(.2);
        LIPOSE lHip(kneel).time(.2);
        LIPOSE lKnee(1.5, 600, 60).time(.15);
    ENDACTIONS
    TRANSITION to(2).after(time .25);
ENDPHASE

PHASE 2
    ACTIONS
        LIPOSE lShoulder(reach, 600, 60).time(.25);
        LIPOSE lElbow(bend, 600, 60).time(.15);
        LIPOSE rHip(stride).time(.25);
        LIPOSE rKnee(lift).time(.15);
        LIPOSE rShoulder(push).time(dt);
        LIPOSE lHip(drive).time(dt);
        POSE lKnee(1.5, 600, 60), rElbow(-.1, 1000, 100);
    ENDACTIONS
    TRANSITION to(-1).after(fallen > 2.2);
    TRANSITION to(3).after(time dt);
ENDPHASE

PHASE 3
    ACTIONS
        LIPOSE lElbow(-.1, 600, 60).time(.15);
        LIPOSE lShoulder(plant, 600, 60).time(.2);
        LIPOSE rHip(kneel).time(.2);
        LIPOSE rKnee(1.5, 600, 60).time(.15);
    ENDACTIONS
    TRANSITION to(-1).after(time .25);
ENDPHASE
ENDSCRIPT
