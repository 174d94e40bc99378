import { statSync } from 'node:fs';
import type { SandboxView } from './sandbox-view.ts';

/** The namespaces of a sandbox, as those of bubblewrap. */
export const unshareFlags = [
  '--user',
  '--map-root-user',
  '--mount',
  '--net',
  '--pid',
  '--ipc',
  '--uts',
  '--fork',
  '--kill-child=SIGKILL',
] as const;

/** Where the sandbox has `setpriv`. */
const setprivPlace = '/.setpriv';

/**
 * Builds the root folder in a file system of this process, and runs a program in it without any capability. Reads the plan from the
 * parameters: the folder, the working folder, then pairs until `--`. Any failure ends it: an app never runs outside of the sandbox.
 */
const setUp = `set -eu
root=$1 cwd=$2 unshare=$3 environment=$4; shift 4
mount -t tmpfs -o mode=755,size=4m tmpfs "$root"
attach() {
  if [ -d "$1" ]; then mkdir -p "$root$2"; else mkdir -p "$(dirname "$root$2")"; [ -e "$root$2" ] || : > "$root$2"; fi
  mount --rbind "$1" "$root$2"
}
while [ "$1" != -- ]; do
  case $1 in
    bind) attach "$2" "$2" ;;
    program) attach "$2" "$3"; shift ;;
    link) mkdir -p "$(dirname "$root$2")"; ln -s "$3" "$root$2"; shift ;;
    hide) mount -t tmpfs -o ro,size=4k tmpfs "$root$2" ;;
    blank) mount --bind /dev/null "$root$2" ;;
  esac
  shift 2
done
shift
attach /dev/null /dev/null
while read -r _ _ _ _ at _; do
  at=$(printf '%b' "$at")
  case $at in "$root"/dev/null) ;; "$root"|"$root"/*) mount -o remount,bind,ro "$at" ;; esac
done < /proc/self/mountinfo
exec env -i $environment "$unshare" --root="$root" --wd="$cwd" \\
  ${setprivPlace} --no-new-privs --bounding-set=-all --inh-caps=-all -- "$@"
`;

/** The programs that the set-up needs. */
export const setUpPrograms = [
  'unshare',
  'setpriv',
  'mount',
  'setsid',
  'prlimit',
  'env',
  'mkdir',
  'ln',
  'dirname',
] as const;

/**
 * Returns the parameters of `unshare`, up to those of the program that runs in the sandbox.
 *
 * @param folder - an empty folder, over which the root folder is mounted
 * @param programs - programs of the system at other paths, by their path in the sandbox
 * @param variables - the environment in the sandbox: names and values without spaces
 */
export function unshareParameters(
  view: SandboxView,
  folder: string,
  { program, setpriv }: { readonly program: string; readonly setpriv: string },
  variables: readonly string[],
  programs: ReadonlyMap<string, string>,
): string[] {
  const plan = [
    ...view.bound.flatMap((place) => ['bind', place]),
    ...[[setprivPlace, setpriv] as const, ...programs].flatMap(([place, file]) => ['program', file, place]),
    ...[...view.links].flatMap(([place, target]) => ['link', place, target]),
    ...view.hidden.flatMap((place) => [statSync(place).isDirectory() ? 'hide' : 'blank', place]),
  ];
  return [
    ...unshareFlags,
    '/bin/sh',
    '-c',
    setUp,
    'sandbox',
    folder,
    view.cwd,
    program,
    variables.join(' '),
    ...plan,
    '--',
  ];
}
