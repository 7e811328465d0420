"""Commands that Wolverine adds to gdb's machine interface.

Each does in one round trip what would take many: run on and pass over what
does not count, read the registers, evaluate a C expression.
"""

import os
import re
import signal
import struct
import threading
import time

import gdb

REGISTERS = (
    "rax rbx rcx rdx rsi rdi rbp rsp r8 r9 r10 r11 r12 r13 r14 r15 rip eflags orig_rax"
).split()
ARGUMENTS = "rdi rsi rdx rcx r8 r9".split()
WORD = 0xFFFFFFFFFFFFFFFF
# What the kernel leaves as the result of a system call that a signal interrupted.
RESTARTS = {-number & WORD for number in (512, 513, 514, 516)}


class Session:
    """What is known of the program between two commands."""

    def __init__(self):
        self.breakpoints = {}  # address -> gdb.Breakpoint
        self.enabled = set()
        self.exit_address = None
        self.trap = None  # the breakpoint on wolverine_return
        self.trap_address = None
        self.stack = None  # the end of the stack of short calls
        self.trapped = None  # (slot, return address, enabled) while a trap is set
        self.may_trap = True
        self.libraries = False  # whether their symbols are read
        self.event = None
        self.result = {}  # of the last command that ran the program
        self.signalled = False  # whether it stands at a signal, which is not passed on
        self.moved = False  # whether it was put where it stands, which gdb does not know
        self.ended = None  # how a call ended the program, or would have


S = Session()


def on_stop(event):
    S.event = event


def on_exit(event):
    S.event = event


gdb.events.stop.connect(on_stop)
gdb.events.exited.connect(on_exit)


def watch_parent():
    """Nothing is left running when Wolverine itself is killed."""
    parent = os.getppid()
    while os.getppid() == parent:
        time.sleep(0.25)
    os.kill(os.getpid(), 9)


def start_watching():
    """gdb waits for SIGCHLD in its main thread: a signal that this thread took
    instead would leave gdb waiting forever, so it must take none."""
    old = signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
    threading.Thread(target=watch_parent, daemon=True).start()
    signal.pthread_sigmask(signal.SIG_SETMASK, old)


start_watching()


def register(name):
    return int(gdb.newest_frame().read_register(name)) & WORD


def set_register(name, value):
    # Setting one register may make gdb select another frame, whose registers cannot be set.
    gdb.newest_frame().select()
    gdb.execute("set $%s = %d" % (name, value), to_string=True)


def process():
    return gdb.selected_inferior()


def read_word(address):
    return int.from_bytes(bytes(process().read_memory(address, 8)), "little")


def write_word(address, value):
    process().write_memory(address, value.to_bytes(8, "little"))


def place(address):
    """A breakpoint that the user does not see, not set yet."""
    breakpoint = gdb.Breakpoint("*%d" % address, internal=True)
    breakpoint.silent = True
    breakpoint.enabled = False
    return breakpoint


def enable(wanted):
    for address in S.enabled - wanted:
        S.breakpoints[address].enabled = False
    for address in wanted - S.enabled:
        if address not in S.breakpoints:
            S.breakpoints[address] = place(address)
        S.breakpoints[address].enabled = True
    S.enabled = wanted


def signal_mask(kind):
    with open("/proc/%d/status" % process().pid) as status:
        for line in status:
            if line.startswith(kind):
                return int(line.split()[1], 16)
    return 0


def is_handled(name):
    """Whether the program itself handles or ignores the signal it just got."""
    try:
        number = int(gdb.parse_and_eval("$_siginfo.si_signo"))
        if name == "SIGINT" and int(gdb.parse_and_eval("$_siginfo._sifields._kill.si_pid")) != process().pid:
            return False
        return bool((signal_mask("SigCgt") | signal_mask("SigIgn")) >> (number - 1) & 1)
    except (gdb.error, OSError):
        return False


def go_on(command=None):
    """Resumes once; what happened is in S.event."""
    S.event = None
    command = command or ("signal 0" if S.signalled else "continue")
    S.signalled = False
    try:
        gdb.execute(command, to_string=True)
    except KeyboardInterrupt:
        pass
    except gdb.error as error:
        if S.event is None:
            return {"reason": "error", "message": str(error)}
    return None


def settle():
    """Makes gdb know that it stands at a breakpoint, so that it goes on from
    there. A jump to it stops at once; `continue` would not where gdb happens to
    have stopped at the same place before."""
    S.moved = False
    if register("rip") in S.enabled:
        failed = go_on("jump *%d" % register("rip"))
        S.signalled = isinstance(S.event, gdb.SignalEvent)
        return failed
    return None


def registers_now():
    return {"pc": str(register("rip")), "sp": str(register("rsp")), "bp": str(register("rbp"))}


def set_trap(floor, always):
    """Makes the call that left the frame `floor` return to the trap; on the
    way there only the places `always` stop."""
    load_libraries()
    frame = gdb.newest_frame()
    while True:
        older = frame.older()
        if older is None or not older.is_valid():
            return False
        if int(older.read_register("rbp")) & WORD >= floor:
            break
        frame = older
    slot = (int(older.read_register("rsp")) & WORD) - 8
    back = int(older.pc())
    if read_word(slot) != back:
        return False
    write_word(slot, S.trap_address)
    S.trapped = (slot, back, set(S.enabled))
    enable(always)
    S.trap.enabled = True
    return True


def clear_trap(arrived):
    slot, back, wanted = S.trapped
    S.trapped = None
    if arrived:
        set_register("rip", back)
    elif process().pid:
        write_word(slot, back)
    S.trap.enabled = False
    enable(wanted)


def exited(event):
    if hasattr(event, "exit_code"):
        return {"reason": "exited", "code": str(event.exit_code), "gone": "1"}
    return {"reason": "killed", "message": "the program was killed"}


def at_signal(event):
    S.signalled = True
    result = {"reason": "signal", "name": event.stop_signal}
    details = [
        ("address", "(unsigned long)$_siginfo._sifields._sigfault.si_addr"),
        ("code", "$_siginfo.si_code"),
    ]
    if event.stop_signal == "SIGINT":
        details = [("sender", "$_siginfo._sifields._kill.si_pid")]
    for key, expression in details:
        try:
            result[key] = str(int(gdb.parse_and_eval(expression)))
        except gdb.error:
            pass
    return result


def run(floor, always):
    """Runs to an enabled breakpoint in a frame at or outside of `floor`, or to
    one of the places `always` in any frame."""
    failed = settle() if S.moved else None
    while True:
        failed = failed or go_on()
        if failed:
            return failed
        event = S.event
        if event is None:
            return {"reason": "error", "message": "gdb did not say why the program stopped"}
        if isinstance(event, gdb.ExitedEvent):
            S.trapped = None
            return exited(event)
        if isinstance(event, gdb.SignalEvent):
            if is_handled(event.stop_signal):
                continue
            if S.trapped:
                clear_trap(False)
            return dict(at_signal(event), **registers_now())
        now = registers_now()
        pc = int(now["pc"])
        if S.trapped and pc == S.trap_address:
            clear_trap(True)
            continue
        if pc == S.exit_address:
            if S.trapped:
                clear_trap(False)
            code = register("rdi") & 0xFF
            return dict(now, reason="exited", code=str(code), gone="0")
        if pc not in S.enabled:
            # Somebody's own int3, or a stop that gdb made up.
            if S.trapped:
                clear_trap(False)
            S.signalled = True
            return dict(now, reason="signal", name="SIGTRAP")
        if pc in always or int(now["bp"]) >= floor:
            if S.trapped:
                clear_trap(False)
            return dict(now, reason="step")
        if S.may_trap:
            set_trap(floor, always)


def count(stops, times, counted):
    """Runs to one of `stops`, or until each address of `times` was come to as
    often as it says, and counts the visits to the places `counted` before. gdb
    passes over these without telling anybody, which is much faster."""
    endless = 2**30
    failed = settle() if S.moved else None
    if failed:
        return failed
    places = {address: S.breakpoints[address] for address in set(times) | counted}
    before = {address: places[address].hit_count for address in counted}
    for address in counted - stops:
        places[address].ignore_count = endless
    for address, often in times.items():
        places[address].ignore_count = often - 1
    left = len(times)
    try:
        while True:
            result = run(0, S.enabled)
            pc = int(result.get("pc", 0))
            is_step = result["reason"] == "step"
            if not is_step or pc not in times:
                break
            left -= 1
            if left == 0:
                break
            places[pc].ignore_count = endless
    finally:
        for breakpoint in places.values():
            breakpoint.ignore_count = 0
    visits = {a: places[a].hit_count - before[a] - (is_step and a == pc) for a in counted}
    return dict(result, counts=" ".join("%d=%d" % visit for visit in visits.items() if visit[1]))


def start():
    """Runs to the first statement of main and finds the places in libraries that count."""
    failed = None
    S.event = None
    try:
        gdb.execute("run", to_string=True)
    except gdb.error as error:
        failed = {"reason": "error", "message": str(error)}
    event = S.event
    if failed and event is None:
        return failed
    if isinstance(event, gdb.ExitedEvent):
        return exited(event)
    S.exit_address = int(gdb.parse_and_eval("wolverine_heap.exit_function"))
    place(S.exit_address).enabled = True
    S.trap_address = int(gdb.parse_and_eval("(unsigned long)&wolverine_return"))
    S.trap = place(S.trap_address)
    S.stack = int(gdb.parse_and_eval("(unsigned long)(&wolverine_stack + 1)"))
    now = dict(registers_now(), pid=str(process().pid))
    if isinstance(event, gdb.SignalEvent):
        return dict(at_signal(event), **now)
    return dict(now, reason="step")


def save():
    """The registers. At the border of two statements no others are in use.

    A system call that was interrupted is made again from its start: the kernel
    does not remember how far it came once the program has run on.
    """
    values = {name: register(name) for name in REGISTERS}
    if values["orig_rax"] >> 63 == 0 and values["rax"] in RESTARTS:
        values["rax"] = values["orig_rax"]
        values["rip"] -= 2
    # Otherwise the kernel would move the program back to a system call.
    values["orig_rax"] = WORD
    return values


def load(values):
    now = {name: register(name) for name in values}
    for name, value in values.items():
        if now[name] != value:
            set_register(name, value)
    gdb.execute("maintenance flush register-cache", to_string=True)
    S.moved = True


def call_and_wait(function, arguments, interruptible):
    """Runs a function up to its return; whether it came back."""
    # What is never interrupted is short and has its own stack: the program's may be full.
    top = register("rsp") - 1024 if interruptible else S.stack
    stack = top // 16 * 16 - 8
    write_word(stack, S.trap_address)
    values = {name: value & WORD for name, value in zip(ARGUMENTS, arguments)}
    load(dict(values, rax=0, rsp=stack, rip=function, orig_rax=WORD))
    S.trap.enabled = True
    while True:
        failed = go_on()
        late = isinstance(S.event, gdb.SignalEvent) and S.event.stop_signal == "SIGINT"
        if failed or interruptible or not late:
            break
        S.signalled = True
    S.trap.enabled = False
    return not failed and process().pid and register("rip") == S.trap_address


def call(function, arguments, interruptible):
    """Calls a function of the program with integers and pointers.

    gdb's own calls also write the vector registers, which gdb 13 cannot do on
    processors with large ones; at the border of two statements they are free.
    """
    if len(arguments) > len(ARGUMENTS):
        raise gdb.GdbError("a call with more than six arguments cannot be made here")
    before = save()
    arrived = call_and_wait(function, arguments, interruptible)
    if not process().pid:
        raise gdb.GdbError("the program ended in the call")
    if not arrived:
        S.ended = end_of_call()
        if S.ended["reason"] != "exited":
            load(before)
            S.signalled = True
        S.ended.update(registers_now())
        raise gdb.GdbError("the called function did not come back")
    result = register("rax")
    load(before)
    return result


def end_of_call():
    """Why a call did not come back."""
    if isinstance(S.event, gdb.SignalEvent):
        return at_signal(S.event)
    if register("rip") == S.exit_address:
        return {"reason": "exited", "code": str(register("rdi") & 0xFF), "gone": "0"}
    return {"reason": "error", "message": "the called function did not come back"}


def call_freely(function, arguments):
    """Calls a function that may be the user's, where no statement stops."""
    wanted = set(S.enabled)
    enable(set())
    try:
        return call(function, arguments, True)
    finally:
        if process().pid:
            enable(wanted)


class Callable(gdb.Function):
    """A function of the program that expressions can call."""

    def __init__(self, name, target, result):
        super().__init__("wolverine_" + name)
        self.target, self.result = target, result

    def invoke(self, *arguments):
        numbers = []
        for value in arguments:
            kind = value.type.strip_typedefs()
            if kind.code == gdb.TYPE_CODE_ARRAY and value.address is not None:
                value = value.address
            elif kind.code in (gdb.TYPE_CODE_FLT, gdb.TYPE_CODE_STRUCT, gdb.TYPE_CODE_UNION):
                raise gdb.GdbError("a call with a floating value or a struct cannot be made here")
            numbers.append(int(value.cast(gdb.lookup_type("long"))))
        result = call_freely(self.target, numbers)
        kind = self.result
        if kind is None or kind.code == gdb.TYPE_CODE_VOID:
            return gdb.Value(0)
        return gdb.Value(result - (1 << 64) if result >> 63 else result).cast(kind)


SIMPLE = (gdb.TYPE_CODE_VOID, gdb.TYPE_CODE_INT, gdb.TYPE_CODE_PTR, gdb.TYPE_CODE_ENUM, gdb.TYPE_CODE_BOOL)


def result_type(function):
    """Of a function without debug information nobody knows the type."""
    try:
        result = function.target().strip_typedefs()
        if result.code != gdb.TYPE_CODE_ERROR:
            return result
    except (gdb.error, RuntimeError):
        pass
    return gdb.lookup_type("long")


def load_libraries():
    """Reads the libraries' symbols, which the start does without."""
    if not S.libraries:
        S.libraries = True
        gdb.execute("sharedlibrary", to_string=True)


def callables(names):
    """Makes functions callable: `name`, or `name=symbol` for another symbol."""
    load_libraries()
    for argument in names:
        name, _, symbol = argument.partition("=")
        try:
            value = gdb.parse_and_eval(symbol or name)
            if value.type.strip_typedefs().code != gdb.TYPE_CODE_FUNC:
                continue
            result = result_type(value.type.strip_typedefs())
            if result.code not in SIMPLE:
                continue
            Callable(name, int(value.address), result)
            gdb.execute("macro define %s(...) $wolverine_%s(__VA_ARGS__)" % (name, name), to_string=True)
        except gdb.error:
            continue


def frames():
    """All frames, innermost first, as gdb's own unwinder sees them."""
    load_libraries()
    result = []
    frame = gdb.newest_frame()
    while frame is not None and frame.is_valid() and len(result) < 100000:
        bp = int(frame.read_register("rbp")) & WORD
        result.append("%d:%d:%d" % (frame.pc(), bp, frame.type() == gdb.NORMAL_FRAME))
        frame = frame.older()
    return result


def place_text(literal):
    """Puts a string literal into the program's memory, as C text for its address."""
    value = gdb.parse_and_eval(literal.group())
    first, last = value.type.range()
    content = bytes(int(value[i]) & 0xFF for i in range(first, last + 1))
    keeper = int(gdb.parse_and_eval("(unsigned long)&wolverine_keep"))
    address = call(keeper, [len(content)], False)
    process().write_memory(address, content)
    return "((char *)%d)" % address


def parse(text):
    return gdb.parse_and_eval(re.sub(r'"(?:\\.|[^"\\])*"', place_text, text))


def evaluate(text):
    value = parse(text)
    if value.type.code == gdb.TYPE_CODE_VOID:
        return ""
    value.fetch_lazy()
    try:
        return "true" if bool(value) else "false"
    except gdb.error:  # a struct is neither
        return ""


def as_bits(value, kind):
    """A scalar as the bits that a register has, and whether that is one of floating values."""
    kind = kind.strip_typedefs()
    if value.type.code == gdb.TYPE_CODE_ARRAY:
        value = value.address.cast(value.type.target().pointer())
    if kind.code == gdb.TYPE_CODE_FLT and kind.sizeof in (4, 8):
        return struct.unpack("<Q", struct.pack("<f4x" if kind.sizeof == 4 else "<d", float(value.cast(kind))))[0], True
    if kind.code not in SIMPLE:
        raise gdb.GdbError("a value of the type %s cannot be handed over here" % kind)
    return int(value.cast(kind).cast(gdb.lookup_type("long"))) & WORD, False


def set_vector(number, bits):
    call(int(gdb.parse_and_eval("(unsigned long)&wolverine_set_vector")), [number, bits], False)


def give_back(text):
    """Puts the value of an expression where the result of this function is expected."""
    result = gdb.newest_frame().function().type.target()
    bits, is_float = as_bits(parse(text), result)
    # gcc keeps a floating result in rax up to the closing brace.
    if is_float:
        set_vector(0, bits)
    load({"rax": bits})
    return {"reason": "evaluated", "truth": ""}


def begin(name, arguments):
    """Puts the program at the start of a function of the user, as if the
    statement that it stands before had called it."""
    function = gdb.parse_and_eval(name)
    kinds = [field.type for field in function.type.fields()]
    if len(kinds) != len(arguments):
        raise gdb.GdbError("%s takes %d arguments" % (name, len(kinds)))
    pairs = list(zip(arguments, kinds))
    values = [as_bits(parse(text), kind) for text, kind in reversed(pairs)][::-1]
    floats = [bits for bits, is_float in values if is_float]
    integers = [bits for bits, is_float in values if not is_float]
    if len(integers) > len(ARGUMENTS) or len(floats) > 8:
        raise gdb.GdbError("a call with so many arguments cannot be made here")
    for number, bits in enumerate(floats):
        set_vector(number, bits)
    saved = save()
    back = gdb.newest_frame().architecture().disassemble(saved["rip"], count=2)[1]["addr"]
    stack = (saved["rsp"] - 1024) // 16 * 16 - 8
    write_word(stack, back)
    load(dict(zip(ARGUMENTS, integers), rax=len(floats), rsp=stack, rip=int(function.address), orig_rax=WORD))
    text = " ".join("%s=%d" % item for item in saved.items())
    return dict(registers_now(), reason="begun", back=str(back), end=str(stack + 8), saved=text)


def finish(name, saved):
    """After such a call: its result as C text, and the program where it was before."""
    result = gdb.parse_and_eval(name).type.target()
    kind = result.strip_typedefs()
    text = "((void)0)"
    if kind.code == gdb.TYPE_CODE_FLT:
        member = "v4_float" if kind.sizeof == 4 else "v2_double"
        text = "((%s)%r)" % (kind, float(gdb.newest_frame().read_register("xmm0")[member][0]))
    elif kind.code != gdb.TYPE_CODE_VOID:
        bits = register("rax")
        value = gdb.Value(bits - (1 << 64) if bits >> 63 else bits).cast(kind).cast(gdb.lookup_type("long"))
        name = "long" if "(" in str(result) else result
        text = "((%s)(%d))" % (name, int(value))
    load(saved)
    return dict(registers_now(), reason="finished", text=text)


class Command(gdb.MICommand):
    def __init__(self, name, action):
        super().__init__("-wolverine-" + name)
        self.action = action

    def invoke(self, arguments):
        try:
            return self.action(arguments) or {}
        except (gdb.error, RuntimeError, OSError, ValueError) as error:
            raise gdb.GdbError(str(error) or type(error).__name__)


def define(name, action):
    Command(name, action)


def numbers(text):
    """`12 13` as a set, `12=3 13=1` as a table; `-` and `=` are empty ones."""
    if "=" in text:
        return {int(key): int(value) for key, value in (item.split("=") for item in text.split() if item != "=")}
    return {int(item) for item in text.split() if item != "-"}


def addresses(arguments):
    return {int(argument) for argument in arguments}


def assignments(arguments):
    return {name: int(value) for name, value in (item.split("=") for item in arguments)}


def option(name, value):
    setattr(S, name, value)


def remember(action):
    """gdb answers a command that runs the program before it has run: the
    result is asked for with the next command."""

    def run_and_remember(arguments):
        S.result = {"reason": "error", "message": "gdb was interrupted"}
        S.ended = None
        try:
            S.result = action(arguments)
        except (gdb.error, RuntimeError, OSError, ValueError) as error:
            S.result = S.ended or {"reason": "error", "message": str(error) or type(error).__name__}

    return run_and_remember


def evaluate_or_say(text):
    return {"reason": "evaluated", "truth": evaluate(text)}


define("start", remember(lambda a: start()))
define("run", remember(lambda a: run(int(a[0]), addresses(a[1:]))))
define("count", remember(lambda a: count(*[numbers(part) for part in a])))
define("evaluate", remember(lambda a: evaluate_or_say(a[0])))
define("return", remember(lambda a: give_back(a[0])))
define("begin", remember(lambda a: begin(a[0], a[1:])))
define("finish", remember(lambda a: finish(a[0], assignments(a[1:]))))
define("call", remember(lambda a: {"reason": "called", "value": str(call(int(a[0]), [int(x) for x in a[1:]], False))}))
define("result", lambda a: S.result)
define("enable", lambda a: enable(addresses(a)))
define("trap", lambda a: option("may_trap", a[0] == "on"))
define("callables", lambda a: callables(a))
define("save", lambda a: {name: str(value) for name, value in save().items()})
define("load", lambda a: load(assignments(a)))
define("frames", lambda a: {"frames": frames()})
define("read", lambda a: {"bytes": bytes(process().read_memory(int(a[0]), int(a[1]))).hex()})
define("write", lambda a: process().write_memory(int(a[0]), bytes.fromhex(a[1])))
