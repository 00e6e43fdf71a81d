# Runs a command to its end, with whatever it leaves behind, and prints the CPU seconds of all of it on descriptor 3.
# Killed hosts leave children that nobody waits for, so their CPU seconds reach nobody: here they are adopted and waited for.
import ctypes, os, resource, sys

PR_SET_CHILD_SUBREAPER = 36
ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
child = os.spawnvp(os.P_NOWAIT, sys.argv[1], sys.argv[1:])
code = 0
while True:
    try:
        pid, status = os.wait()
    except ChildProcessError:
        break
    if pid == child:
        code = os.waitstatus_to_exitcode(status)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
os.write(3, str(used.ru_utime + used.ru_stime).encode())
sys.exit(code)
