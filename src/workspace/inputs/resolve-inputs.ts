import {
  type Diagnostic,
  hasErrors,
  type Resolution,
  type ResolveOptions,
  resolve,
} from '../../compiler/index.ts';
import { readInputs, type Inputs, type ReadOptions } from './inputs.ts';
import type { Snapshot } from './snapshot-age.ts';
import { maskOf } from '../masked-findings.ts';
import { Stopwatch } from '../stopwatch.ts';
import type { Host } from '../host.ts';
import { workspaceInputs } from '../workspace.ts';
import type { CompileTarget } from '../output/compile-target.ts';

/** A resolution, or the reason why there is none. */
export interface ResolvedInputs {
  readonly resolution: Resolution | undefined;
  readonly diagnostics: readonly Diagnostic[];
  /** The texts that diagnostics point into, by file. */
  readonly texts: ReadonlyMap<string, string>;
  readonly snapshots: readonly Snapshot[];
}

/** The options for resolving inputs. */
export interface ResolveReadOptions extends Pick<ReadOptions, 'cache' | 'watch'> {
  /** The objects that an earlier state had and this one no longer has, as `Surroundings.gone`. */
  readonly gone?: ReadonlySet<string>;
  /** As `ResolveOptions.earlier`. */
  readonly earlier?: ResolveOptions['earlier'];
  /** As `ResolveOptions.results`. */
  readonly results?: object | undefined;
}

/**
 * Reads the inputs of a command and resolves them through the hub. Nothing is resolved if an input cannot be read.
 *
 * @param options - with `external` of another file than that of the workspace, if the command line names one
 */
export async function resolveInputs(
  { path, fleet }: { readonly path: readonly string[]; readonly fleet: readonly string[] },
  target: CompileTarget,
  host: Host,
  options: ReadOptions = {},
): Promise<ResolvedInputs> {
  const ofWorkspace = await workspaceInputs(host);
  return resolveRead(
    await readInputs(path, fleet, host, { ...ofWorkspace, ...options }),
    target,
    host,
    options,
  );
}

/** Does the part of `resolveInputs` after the inputs are read. */
export function resolveRead(
  inputs: Inputs,
  { hub, now }: CompileTarget,
  host: Host,
  { watch = new Stopwatch(host), cache, gone, earlier, results }: ResolveReadOptions = {},
): ResolvedInputs {
  const { objects, diagnostics, texts, snapshots, time, surroundings } = inputs;
  const masked = maskOf(inputs, host);
  if (hasErrors(diagnostics))
    return { resolution: undefined, diagnostics: masked(diagnostics), texts, snapshots };
  const resolved = resolve(objects, {
    now: now ?? time ?? host.now(),
    hub,
    run: watch.run,
    surroundings: { ...surroundings, ...(gone && { gone }) },
    ...(cache && { cache }),
    ...(earlier && { earlier }),
    ...(results && { results }),
  });
  if (resolved.value !== undefined) watch.count(resolved.value);
  return {
    resolution: resolved.value,
    diagnostics: masked([...diagnostics, ...resolved.diagnostics]),
    texts,
    snapshots,
  };
}
