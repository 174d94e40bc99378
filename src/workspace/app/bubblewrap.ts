import { statSync } from 'node:fs';
import type { SandboxView } from './sandbox-view.ts';

/** The namespaces of a sandbox: no other process, no network, no shared memory of others, no rights over mounts. */
export const bubblewrapFlags = [
  '--unshare-user',
  '--unshare-ipc',
  '--unshare-pid',
  '--unshare-net',
  '--unshare-uts',
  '--unshare-cgroup-try',
  '--die-with-parent',
  '--new-session',
  '--cap-drop',
  'ALL',
] as const;

/**
 * Returns the parameters of bubblewrap.
 *
 * @param filter - the descriptor of a seccomp filter. @default - no system call is filtered
 * @param programs - programs of the system at other paths, by their path in the sandbox
 * @param variables - the environment in the sandbox
 */
export function bubblewrapParameters(
  view: SandboxView,
  filter: number | undefined,
  variables: Readonly<Record<string, string>>,
  programs: ReadonlyMap<string, string>,
): string[] {
  const parameters: string[] = [...bubblewrapFlags, '--clearenv'];
  for (const [name, value] of Object.entries(variables)) parameters.push('--setenv', name, value);
  for (const place of view.bound) parameters.push('--ro-bind', place, place);
  for (const [place, program] of programs) parameters.push('--ro-bind', program, place);
  for (const [place, target] of view.links) parameters.push('--symlink', target, place);
  parameters.push('--dev-bind', '/dev/null', '/dev/null');
  for (const place of view.hidden) {
    if (statSync(place).isDirectory()) parameters.push('--tmpfs', place, '--remount-ro', place);
    else parameters.push('--ro-bind', '/dev/null', place);
  }
  parameters.push('--remount-ro', '/', '--chdir', view.cwd);
  if (filter !== undefined) parameters.push('--seccomp', String(filter));
  return parameters;
}
