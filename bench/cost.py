# Runs a command to its end, its output on standard error, and prints what it took with all processes that it started.
# Works on Linux only.
import ctypes, json, os, re, resource, sys, threading, time
from pathlib import Path

PR_SET_CHILD_SUBREAPER = 36

# The processes of an update, by their command lines. The plugin and the host of dynamic providers both count as provider host.
ROLES = {
    "engine": r"^(\S*/)?pulumi ",
    "provider host": r"/(pulumi-resource-|dynamic-provider\b)",
    "program": r"@pulumi/pulumi/cmd/run[ /]",
    "language host": r"pulumi-language-",
}

cpu_of = {}  # CPU seconds of each process when it was last seen
role_of = {}
resident = [0]  # bytes of all processes together, each time


def watch():
    while True:
        tree, total = {os.getpid()}, 0
        # In ascending order, so that a parent comes before its children.
        for pid in sorted(int(name) for name in os.listdir("/proc") if name.isdigit()):
            try:
                fields = Path(f"/proc/{pid}/stat").read_text("latin-1").rpartition(")")[2].split()
                command = Path(f"/proc/{pid}/cmdline").read_text("latin-1").replace("\0", " ")
            except OSError:
                continue  # it has just ended
            if int(fields[1]) in tree:
                tree.add(pid)
                total += int(fields[21]) * resource.getpagesize()
                cpu_of[pid] = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
                # A process becomes another one by exec, so its last command line counts.
                role_of.update((pid, role) for role, pattern in ROLES.items() if re.search(pattern, command))
        resident.append(total)
        time.sleep(0.05)


# A killed process leaves children that nobody waits for, so their CPU seconds reach nobody: here they are adopted and waited for.
ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
started = time.monotonic()
child = os.posix_spawnp(sys.argv[1], sys.argv[1:], os.environ, file_actions=[(os.POSIX_SPAWN_DUP2, 2, 1)])
threading.Thread(target=watch, daemon=True).start()
codes = {}
try:
    while True:
        pid, status = os.wait()
        codes[pid] = os.waitstatus_to_exitcode(status)
except ChildProcessError:
    seconds = time.monotonic() - started  # all have ended
used = resource.getrusage(resource.RUSAGE_CHILDREN)
seen = role_of.copy()  # the thread still runs
roles = {role: sum(cpu_of[pid] for pid in seen if seen[pid] == role) for role in ROLES if role in seen.values()}
figures = {"wall s": seconds, "CPU": used.ru_utime + used.ru_stime, **roles, "peak MiB": max(resident) / 2**20}
print(json.dumps(figures))
sys.exit(codes[child])
