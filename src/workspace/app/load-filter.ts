/** The numbers of `prctl` by architecture. */
const prctl: Readonly<Record<string, number>> = { x64: 157, arm64: 167 };

/**
 * Loads a seccomp filter from a descriptor and runs the program of the parameters, which inherits it: `struct sock_fprog`,
 * PR_SET_NO_NEW_PRIVS and PR_SET_SECCOMP of linux/prctl.h. Any failure ends it. It uses no modules, which a sandbox may not have.
 */
const program = `
my ($prctl, $descriptor) = splice @ARGV, 0, 2;
open(my $file, '<&=', $descriptor) or exit 126;
binmode $file;
my $filter = do { local $/; <$file> };
close $file;
my $loaded = pack('S x6 P', length($filter) / 8, $filter);
syscall($prctl + 0, 38, 1, 0, 0, 0) == 0 or exit 126;
syscall($prctl + 0, 22, 2, $loaded, 0, 0) == 0 or exit 126;
exec { $ARGV[0] } @ARGV;
exit 127;
`;

/**
 * Returns the parameters of Perl with which it loads the filter of system calls and starts the program that follows. `setpriv` does
 * it only since util-linux 2.41.
 *
 * @param descriptor - of the file with the filter
 */
export function loadFilter(descriptor: number): readonly string[] {
  return ['-e', program, String(prctl[process.arch] ?? 0), String(descriptor)];
}
