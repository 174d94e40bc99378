import { fileURLToPath } from 'node:url';
import { guardFrame } from './guarded-function.ts';

/** The location in the user's code that created a construct. */
export interface SourceLocation {
  /** Absolute path. */
  readonly file: string;
  /** Line, from 1. */
  readonly line: number;
  /** Column, from 1. */
  readonly column: number;
}

// Symbol.for, because apps may load another copy of these constructs than the command that collects them.
const trace = Symbol.for('fleetwright.constructs.trace');

/** Enough frames to include the user's code if a library calls the constructor. */
const depth = 8;

interface Trace {
  readonly holder: { stack?: string };
  /** Number of leading frames that are ours. */
  readonly frameCount: number;
  /** The location, once it has been computed. Null for a construct without a location. */
  location?: SourceLocation | null;
}

/**
 * Records the caller of the constructor. Stores only the raw trace, which is cheap; V8 formats it, with source maps,
 * when `sourceOf` is first called.
 */
export function rememberSource(
  construct: object,
  constructor: abstract new (...args: never[]) => unknown,
): void {
  remember(construct, constructor, 0);
}

/** Records the caller of the method that calls this function, which created the construct for the user. */
export function rememberCaller(construct: object): void {
  remember(construct, rememberCaller, 1);
}

function remember(
  construct: object,
  hidden: Parameters<typeof Error.captureStackTrace>[1],
  frameCount: number,
): void {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = depth;
  const holder: Trace['holder'] = {};
  Error.captureStackTrace(holder, hidden);
  Error.stackTraceLimit = limit;
  Object.defineProperty(construct, trace, {
    value: { holder, frameCount } satisfies Trace,
    configurable: true,
  });
}

/**
 * Returns the location in the user's code that created a construct; `undefined` for constructs that are not ours.
 */
export function sourceOf(construct: object): SourceLocation | undefined {
  if (!(trace in construct)) return undefined;
  const recorded = construct[trace] as Trace;
  recorded.location ??= locationOf(recorded) ?? null;
  return recorded.location ?? undefined;
}

function locationOf({ holder, frameCount }: Trace): SourceLocation | undefined {
  const frames = (holder.stack ?? '').split('\n').filter((line) => line.startsWith('    at '));
  for (const line of frames.slice(frameCount)) {
    if (guardFrame.test(line)) continue;
    // so Node names code that was compiled to CommonJS on the way: its lines are not known, those below are not the app's
    if (line.includes('data:text/javascript')) return undefined;
    const location = parseFrame(line);
    if (location !== undefined && !/[\\/]node_modules[\\/]/.test(location.file)) return location;
  }
  return undefined;
}

const frame = /^ {4}at (?:.*\()?((?:file:\/\/)?(?:\/|[A-Za-z]:[\\/]).*?):(\d+):(\d+)\)?$/;

function parseFrame(text: string): SourceLocation | undefined {
  const [, place, line, column] = frame.exec(text) ?? [];
  if (place === undefined) return undefined;
  // Module loaders add queries to distinguish several loads of one file.
  const path = place.replace(/\?.*$/, '');
  const file = path.startsWith('file://') ? fileURLToPath(path) : path;
  return { file, line: Number(line), column: Number(column) };
}
