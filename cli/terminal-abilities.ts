/** What a command asks of a stream: Node leaves `isTTY` undefined in pipes and files. */
interface Stream {
  readonly isTTY?: boolean;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Whether what is written to a stream may have colours: `NO_COLOR` takes them away everywhere, `FORCE_COLOR` gives them to
 * pipes too; otherwise terminals have them that are not `dumb`.
 */
export function hasColors({ isTTY }: Stream, env: Environment): boolean {
  if (isSet(env['NO_COLOR'])) return false;
  if (env['FORCE_COLOR'] === '0' || env['FORCE_COLOR'] === 'false') return false;
  if (isSet(env['FORCE_COLOR'])) return true;
  return isTTY === true && env['TERM'] !== 'dumb';
}

/** CI systems keep every line that is written, also those that were meant to be replaced. */
export function showsProgress({ isTTY }: Stream, env: Environment): boolean {
  return isTTY === true && env['TERM'] !== 'dumb' && !isCI(env);
}

/** Whether somebody is there to answer: some CI systems give their jobs a terminal. */
export function isInteractive(input: Stream, output: Stream, env: Environment): boolean {
  return input.isTTY === true && output.isTTY === true && !isCI(env);
}

function isCI(env: Environment): boolean {
  return isSet(env['CI']) && env['CI'] !== 'false';
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== '';
}
