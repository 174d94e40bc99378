import {
  allow,
  end,
  fail,
  jumpIfAtLeast,
  jumpIfEqual,
  jumpIfSet,
  kill,
  load,
  offsets,
  filterProgram,
  type Instruction,
} from './filter-program.ts';

/** The system calls of an architecture by their numbers, and its name for the kernel (AUDIT_ARCH_* of linux/audit.h). */
interface Architecture {
  readonly audit: number;
  /** Calls that fail: those of sockets, other processes, mounts, namespaces, keys and kernel interfaces that Node does not use. */
  readonly denied: readonly number[];
  /** It may create threads, and no processes. */
  readonly clone: number;
}

/** Calls with the same number everywhere: io_uring_*, pidfd_*, process_*, quotactl_fd, the newer calls of mounts. */
const everywhere = [424, 425, 426, 427, 428, 429, 430, 431, 432, 433, 434, 438, 440, 442, 443, 448, 457, 458];
const clone3 = 435;

const architectures: Readonly<Record<string, Architecture>> = {
  x64: {
    audit: 0xc000003e,
    clone: 56,
    // socket … socketpair, fork, vfork, ptrace, personality, modify_ldt, pivot_root, chroot, mount, umount2, swapon, swapoff, reboot,
    // init_module, delete_module, quotactl, kexec_load, add_key, request_key, keyctl, unshare, accept4, perf_event_open,
    // name_to_handle_at, open_by_handle_at, setns, process_vm_readv, process_vm_writev, kcmp, finit_module, bpf, userfaultfd,
    // syslog, vhangup, adjtimex, acct, settimeofday, sethostname, setdomainname, iopl, ioperm, lookup_dcookie, clock_settime,
    // migrate_pages, move_pages, fanotify_init, clock_adjtime
    denied: [
      41, 42, 43, 44, 45, 46, 47, 49, 50, 53, 57, 58, 101, 135, 154, 155, 161, 165, 166, 167, 168, 169, 175,
      176, 179, 246, 248, 249, 250, 272, 288, 298, 303, 304, 308, 310, 311, 312, 313, 321, 323, 103, 153, 159,
      163, 164, 170, 171, 172, 173, 212, 227, 256, 279, 300, 305,
    ],
  },
  arm64: {
    audit: 0xc00000b7,
    clone: 220,
    denied: [
      198, 199, 200, 201, 202, 203, 206, 207, 211, 212, 242, 117, 92, 41, 51, 40, 39, 224, 225, 142, 105, 106,
      60, 104, 217, 218, 219, 97, 241, 264, 265, 268, 270, 271, 272, 273, 280, 282, 116, 58, 171, 89, 170,
      161, 162, 18, 112, 238, 239, 262, 266,
    ],
  },
};

const [notPermitted, notImplemented] = [1, 38];
const cloneThread = 0x10000;
/** The calls of the x32 ABI have numbers from here on. */
const x32 = 0x40000000;

/**
 * Returns a filter of system calls for the kernel, as an array of `struct sock_filter`; undefined for an unknown architecture. It
 * keeps a process that Node no longer controls from what even a sandbox of namespaces leaves: Unix sockets among the visible files,
 * other processes, and rarely used parts of the kernel.
 */
export function seccompFilter(architecture: string = process.arch): Buffer | undefined {
  const known = architectures[architecture];
  if (known === undefined) return undefined;
  const { audit, clone, denied } = known;
  const calls = [...denied, ...everywhere];
  const instructions: readonly Instruction[] = [
    [load, 0, 0, offsets.architecture],
    [jumpIfEqual, 1, 0, audit],
    [end, 0, 0, kill],
    [load, 0, 0, offsets.number],
    [jumpIfAtLeast, 0, 1, x32],
    [end, 0, 0, fail(notPermitted)],
    // glibc then uses clone, whose flags are in a register.
    [jumpIfEqual, 0, 1, clone3],
    [end, 0, 0, fail(notImplemented)],
    [jumpIfEqual, 0, 3, clone],
    [load, 0, 0, offsets.firstArgument],
    [jumpIfSet, calls.length + 1, 0, cloneThread],
    [end, 0, 0, fail(notPermitted)],
    ...calls.map((call, index) => [jumpIfEqual, calls.length - index, 0, call] as const),
    [end, 0, 0, allow],
    [end, 0, 0, fail(notPermitted)],
  ];
  return filterProgram(instructions);
}
