/** The part of a stream that a command uses: Node leaves `isTTY` undefined in pipes and files. */
interface Stream {
  readonly isTTY?: boolean;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Whether output to a stream may have colors. `NO_COLOR` disables them everywhere, and `FORCE_COLOR` enables them in
 * pipes too. Otherwise terminals have them, except for `dumb` ones.
 */
export function hasColors({ isTTY }: Stream, env: Environment): boolean {
  if (isSet(env['NO_COLOR'])) return false;
  if (env['FORCE_COLOR'] === '0' || env['FORCE_COLOR'] === 'false') return false;
  if (isSet(env['FORCE_COLOR'])) return true;
  return isTTY === true && env['TERM'] !== 'dumb';
}

/** Whether a stream shows progress. CI systems keep every line of output, also lines that were meant to be replaced. */
export function showsProgress({ isTTY }: Stream, env: Environment): boolean {
  return isTTY === true && env['TERM'] !== 'dumb' && !isCI(env);
}

/** Whether a user can answer prompts: some CI systems provide a terminal to their jobs. */
export function isInteractive(input: Stream, output: Stream, env: Environment): boolean {
  return input.isTTY === true && output.isTTY === true && !isCI(env);
}

function isCI(env: Environment): boolean {
  return isSet(env['CI']) && env['CI'] !== 'false';
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== '';
}
