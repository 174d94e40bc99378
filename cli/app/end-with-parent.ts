import { spawn } from 'node:child_process';

/**
 * Has a process ended as soon as this one is gone, however that ends: after SIGKILL it can end nothing itself, and code that loops
 * would run on. A shell waits for its input to end, which the system closes with this process. Without a shell, as on Windows, only
 * this process ends the other one.
 *
 * @returns what releases the process, to be called once it has ended
 */
export function endWithParent(process: number): () => void {
  const guard = spawn('/bin/sh', ['-c', 'read -r _; kill -9 "$1" 2>/dev/null', 'sh', String(process)], {
    env: {},
    stdio: ['pipe', 'ignore', 'ignore'],
    // An interrupt from the terminal goes to the whole group, and code can ignore it.
    detached: true,
  });
  guard.on('error', () => {});
  guard.stdin.on('error', () => {});
  guard.unref();
  return () => {
    guard.kill('SIGKILL');
  };
}
