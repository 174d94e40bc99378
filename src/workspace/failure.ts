import { UserError } from './user-error.ts';

/**
 * Describes an error of the operating system in a sentence: no space left, a folder that may not be written.
 * Undefined for other errors.
 */
export function systemFailure(error: unknown): UserError | undefined {
  if (!(error instanceof Error) || !('syscall' in error) || !('code' in error)) return undefined;
  // The form of Node's messages: `EACCES: permission denied, mkdir '/dist'`
  const [, reason = error.message, call = String(error.syscall)] =
    /^\w+: (.+?), (\w+)(?: '.*)?$/s.exec(error.message) ?? [];
  const file = 'path' in error && typeof error.path === 'string' ? `${error.path}: ` : '';
  return new UserError(`${file}${reason} (${call})`);
}

/**
 * Describes an unexpected error: of code that an app left running, or a fault of Fleetwright. It names the first
 * location outside of Node and of installed packages.
 */
export function unexpectedFailure(error: unknown): string {
  const system = systemFailure(error);
  if (system !== undefined) return system.message;
  if (!(error instanceof Error)) return `something failed: ${describeThrown(error)}`;
  const frame = (error.stack ?? '')
    .split('\n')
    .find((line) => /^\s+at /.test(line) && !/\bnode:|node_modules\/(?!fleetwright\/)/.test(line));
  const place = frame === undefined ? '' : `\n  ${frame.trim()}`;
  return `unexpected error: ${describeThrown(error)}${place}`;
}

/** Returns the first line of an error's message. Anything can be thrown, also values without a string form. */
export function describeThrown(error: unknown): string {
  try {
    const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n', 1);
    return line;
  } catch {
    return 'an object without a text';
  }
}
