/** The numbers of system calls of x64 and arm64. */
const numbers: Readonly<Record<string, readonly [x64: number, arm64: number]>> = {
  ptrace: [101, 117],
  process_vm_readv: [310, 270],
  process_vm_writev: [311, 271],
  kill: [62, 129],
  pidfd_open: [434, 434],
  prlimit64: [302, 261],
  sched_setaffinity: [203, 122],
  ioprio_set: [251, 30],
  move_pages: [279, 239],
  kcmp: [312, 272],
  mount: [165, 40],
  umount2: [166, 39],
  fsopen: [430, 430],
  open_tree: [428, 428],
  mount_setattr: [442, 442],
  unshare: [272, 97],
  clone: [56, 220],
  setns: [308, 268],
  chroot: [161, 51],
  pivot_root: [155, 41],
  name_to_handle_at: [303, 264],
  open_by_handle_at: [304, 265],
  mknodat: [259, 33],
  add_key: [248, 217],
  request_key: [249, 218],
  keyctl: [250, 219],
  bpf: [321, 280],
  perf_event_open: [298, 241],
  io_uring_setup: [425, 425],
  userfaultfd: [323, 282],
  init_module: [175, 105],
  delete_module: [176, 106],
  reboot: [169, 142],
  swapon: [167, 224],
  acct: [163, 89],
  syslog: [103, 116],
  settimeofday: [164, 170],
  sethostname: [170, 161],
  socket: [41, 198],
  shmget: [29, 194],
};

/** The key that the session of the command has, and the shared memory that another process has. */
export const sessionKey = 'fleetwright-test';
export const sharedMemory = 0x46570001;

/** The number of threads that a process in the sandbox can have. */
export const mostThreads = 256;

/**
 * What native code in an app tries by direct system calls. Each value is the body of a Perl function, which returns a true value if it
 * succeeded: Perl needs no other files, and can make every system call. `$root` and `$victim` are the repository and a process outside.
 */
export const systemCalls: Readonly<Record<string, string>> = {
  // Processes
  'trace a process outside': `return call('ptrace', 16, $victim, 0, 0) || call('ptrace', 0x4206, $victim, 0, 0);`,
  'read the memory of a process outside': `my $b = "\\0" x 8; my $v = pack('P Q', $b, 8); return call('process_vm_readv', $victim, $v, 1, $v, 1, 0);`,
  'write the memory of a process outside': `my $b = "\\0" x 8; my $v = pack('P Q', $b, 8); return call('process_vm_writev', $victim, $v, 1, $v, 1, 0);`,
  'signal a process outside': `return call('kill', $victim, 15);`,
  'open a process outside': `return call('pidfd_open', $victim, 0);`,
  'change the limits of a process outside': `return call('prlimit64', $victim, 7, pack('Q2', 0, 0), 0);`,
  'move a process outside to other processors': `return call('sched_setaffinity', $victim, 8, pack('Q', 1)) || call('ioprio_set', 1, $victim, 0x6000);`,
  'move the pages of a process outside': `return call('move_pages', $victim, 0, 0, 0, 0, 0);`,
  'compare a process outside': `return call('kcmp', $victim, $victim, 0, 0, 0);`,
  // Mounts and namespaces
  'mount a file system': `return call('mount', 'none', "$root/apps", 'tmpfs', 0, 0);`,
  'make the repository writable': `call('mount', 'none', $root, 'none', 4096 | 32, 0); return open(my $f, '>', "$root/written");`,
  'make all mounts writable': `call('mount_setattr', -100, '/', 0x8000, pack('Q4', 0, 1, 0, 0), 32); return open(my $f, '>', "$root/written");`,
  'unmount what hides .git': `call('umount2', "$root/.git", 2); return open(my $f, '<', "$root/.git/config");`,
  'mount by newer calls': `return call('fsopen', 'tmpfs', 0) || call('open_tree', -100, '/', 1);`,
  'create another user namespace': `return call('unshare', 0x10000000);`,
  'create another user and mount namespace, and unmount there': `call('unshare', 0x10020000); call('umount2', "$root/.git", 2); return open(my $f, '<', "$root/.git/config");`,
  'create a user namespace by clone': `my $pid = syscall($number{clone}, 0x10000011, 0, 0, 0, 0); exit 0 if $pid == 0; return $pid > 0;`,
  'enter the namespaces of a process outside': `my $fd = syscall($number{pidfd_open}, $victim, 0); return $fd >= 0 && call('setns', $fd, 0x20000);`,
  'enter the namespaces of the first process': `my $fd = syscall($number{pidfd_open}, 1, 0); return $fd >= 0 && call('setns', $fd, 0x10000000);`,
  'leave the root folder': `call('chroot', "$root/apps"); chdir('../' x 30); return open(my $f, '<', 'etc/passwd');`,
  'exchange the root folder': `return call('pivot_root', $root, $root);`,
  'open a file by its handle': `my ($h, $id) = (pack('L2', 128, 0) . "\\0" x 128, "\\0" x 8); opendir(my $d, $root); return syscall($number{name_to_handle_at}, -100, $root, $h, $id, 0) >= 0 && call('open_by_handle_at', fileno($d), $h, 0);`,
  'create a block device': `return grep { call('mknodat', -100, "$_/written", 0060600, 0x800) } ($root, '/tmp', '/dev', '/');`,
  // Keys, shared memory, descriptors
  'read a key of the session': `my ($type, $name) = ('user', '${sessionKey}'); my $key = syscall($number{keyctl}, 10, -3, $type, $name, 0); return $key >= 0 && call('keyctl', 11, $key, "\\0" x 16, 16);`,
  'add a key to the session': `return call('add_key', 'user', 'written', 'x', 1, -3);`,
  'let the machine request a key': `return call('request_key', 'user', 'missing', 'x', -3);`,
  'find shared memory': `return call('shmget', ${sharedMemory}, 0, 0);`,
  'use inherited descriptors': `return grep { open(my $f, '<&=', $_) } (4 .. 64);`,
  // The kernel
  'load a program into the kernel': `return call('bpf', 0, pack('L5 x60', 2, 4, 4, 1, 0), 72);`,
  'watch the processor': `return call('perf_event_open', pack('L2 Q x112', 1, 112, 0), -1, 0, -1, 0);`,
  'use io_uring': `my $p = "\\0" x 120; return call('io_uring_setup', 4, $p);`,
  'handle page faults': `return call('userfaultfd', 1);`,
  'load a module': `return call('init_module', 'x', 1, '') || call('delete_module', 'none', 0);`,
  'change how the machine restarts': `return call('reboot', 0xfee1dead, 672274793, 0, 0);`,
  'use a swap file': `return call('swapon', "$root/package.json", 0);`,
  'end the accounting of processes': `return call('acct', 0);`,
  'read the log of the kernel': `my $b = "\\0" x 4096; return call('syslog', 3, $b, 4096) || call('syslog', 10, $b, 0);`,
  'set the clock': `return call('settimeofday', pack('q2', time, 0), 0);`,
  'set the name of the machine': `return call('sethostname', 'written', 7);`,
  'open a socket to the host of a virtual machine': `return call('socket', 40, 1, 0);`,
  'use sockets of the kernel': `return grep { call('socket', $_, 3, 0) } (16, 17, 38);`,
  // Processes without end
  'create processes without end': `my $n = 0; while ($n <= ${mostThreads}) { my $pid = fork; last if !defined $pid; if ($pid == 0) { sleep 9; exit } $n += 1; } return $n > ${mostThreads};`,
};

/** Returns the program that tries one system call and prints `succeeded` or `refused`. */
export function callProgram(body: string, root: string, victim: number): string {
  const known = Object.entries(numbers).map(
    ([name, [x64, arm64]]) => `${name} => ${process.arch === 'arm64' ? arm64 : x64}`,
  );
  return `$| = 1;
my %number = (${known.join(', ')});
my ($root, $victim) = (q(${root}), ${victim});
# Copies: literals cannot be parameters of syscall.
sub call { my ($name, @p) = @_; return syscall($number{$name}, @p) >= 0; }
sub attempt { ${body} }
my @done = attempt();
print((grep { $_ } @done) ? 'succeeded' : 'refused');
exit 0;`;
}
