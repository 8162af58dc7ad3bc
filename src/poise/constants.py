"""Physical constants and tolerances, each with its reason. Published parameters live in data files, not here."""

GRAVITY_MPS2 = 9.81

#: The step of the sources [Coros10 §5.4]; search may use 0.001 s and previews 0.002 s.
DEFAULT_TIMESTEP_S = 0.0005
MIN_TIMESTEP_S = 1e-5
#: With a larger step, a stiff biped no longer walks.
MAX_TIMESTEP_S = 0.005

#: Default recording rate: twice the highest frame rate in common use.
DEFAULT_RECORD_HZ = 100.0

#: A foot has struck when it carries this much; less may be a graze [Coros10, released code].
STRIKE_LOAD_N = 20.0
#: A foot has left the ground when it has carried less than this for LIFT_OFF_S without a break: contacts chatter.
LIFT_LOAD_N = 1.0
LIFT_OFF_S = 0.03

#: A trunk this far from upright has fallen; bent-over walks reach about 1 rad.
FALL_TILT_RAD = 1.4
#: A head or pelvis below this fraction of its standing height has fallen; a deep squat stays above it.
FALL_HEIGHT_RATIO = 0.45
#: Segments (by role) that may not touch the ground without counting as a fall.
FALL_ROLES = ("pelvis", "trunk", "head", "left_thigh", "right_thigh")
#: A body that is upright for this long after a fall is back on its feet.
UP_S = 0.3

#: Capacity for the contacts of one tick, in total at least and per character; a sprawling humanoid has about thirty.
MAX_CONTACTS = 256
MAX_CONTACTS_EACH = 48
MAX_EVENTS = 4096
MAX_PUSHES = 64
MAX_SPRINGS = 32

#: MuJoCo's contact time constant and damping ratio. 0.005 s gives a firm floor on which walks still work at a step of
#: 0.002 s.
CONTACT_SOLREF = (0.005, 1.0)
#: Memory for contacts and constraints, generous because an overflow in the C code could end the process. A heap of 28
#: humanoids uses 3 MB.
ARENA_BYTES = 64 * 2**20

#: Longest time for which the compiled loop blocks the interpreter.
CHUNK_WALL_S = 0.008

#: The plane in which the planar body of [Firmin15]'s released code moves, z out of the page.
PLANE_Z_M = -10.0
