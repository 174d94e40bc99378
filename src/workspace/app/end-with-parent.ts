import { spawn } from 'node:child_process';

/**
 * Ends a process as soon as this process has ended, for whatever reason. After SIGKILL, this process can end nothing
 * itself, and code in a loop would continue to run. A shell waits for the end of its input, which the system closes
 * with this process. Without a shell, as on Windows, only this process ends the other one.
 *
 * @returns a function that releases the process, to be called once the process has ended
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
