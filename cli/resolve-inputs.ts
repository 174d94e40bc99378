import { hasErrors, type Diagnostic } from '../compiler/diagnostic.ts';
import { resolve, type Resolution } from '../compiler/resolve.ts';
import { readInputs, type ReadOptions, type Snapshot } from './inputs.ts';
import type { Hub } from './options.ts';
import { Stopwatch } from './stopwatch.ts';
import type { Terminal } from './terminal.ts';

/** A resolution, or why there is none. */
export interface ResolvedInputs {
  readonly resolution: Resolution | undefined;
  readonly diagnostics: readonly Diagnostic[];
  /** The texts that diagnostics point into, by file. */
  readonly texts: ReadonlyMap<string, string>;
  readonly snapshots: readonly Snapshot[];
}

/** Reads what a command was given and follows it through the hub. Nothing is resolved where something cannot be read. */
export async function resolveInputs(
  { path, fleet }: { readonly path: readonly string[]; readonly fleet: readonly string[] },
  { hub, now }: Hub,
  terminal: Terminal,
  { watch = new Stopwatch(terminal), ...read }: ReadOptions = {},
): Promise<ResolvedInputs> {
  const { objects, diagnostics, texts, snapshots, time } = await readInputs(path, fleet, terminal, {
    ...read,
    watch,
  });
  const { known } = read;
  if (hasErrors(diagnostics)) return { resolution: undefined, diagnostics, texts, snapshots };
  const resolved = resolve(objects, {
    now: now ?? time ?? terminal.now(),
    hub,
    run: watch.run,
    ...(known && { known }),
  });
  return {
    resolution: resolved.value,
    diagnostics: [...diagnostics, ...resolved.diagnostics],
    texts,
    snapshots,
  };
}
