import { resolve } from '../../../compiler/index.ts';
import { readAppsAndHub } from '../../../workspace/hub/apps-and-hub.ts';
import type { HubAddress } from '../../../workspace/hub/connect-to-hub.ts';
import type { ResolvedInputs } from '../../../workspace/inputs/resolve-inputs.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import type { CompileTarget } from '../../../workspace/output/compile-target.ts';

/**
 * Resolves the state of the hub, and its state once the apps are applied. Objects of the hub that the apps do not
 * contain stay, and the fleet is that of the hub.
 *
 * @param paths - the folders of the apps
 * @throws HubError if the hub cannot be read.
 */
export async function resolveAgainstHub(
  paths: readonly string[],
  address: HubAddress,
  { hub, now }: CompileTarget,
  terminal: Terminal,
): Promise<{ readonly base: ResolvedInputs; readonly head: ResolvedInputs }> {
  const time = now ?? terminal.now();
  const read = await readAppsAndHub(paths, address, time, terminal);
  const { inputs, written, external } = read;
  const nothing = { diagnostics: [], texts: inputs.texts, snapshots: [] };
  if (read.hub === undefined) {
    const head = { ...nothing, resolution: undefined, diagnostics: inputs.diagnostics };
    return { base: { ...nothing, resolution: resolve([], { now: 0, hub }).value }, head };
  }
  const { held } = read.hub;
  const base = resolve(held, { now: time, hub });
  const head = resolve([...held, ...written], {
    now: time,
    hub,
    surroundings: { external, snapshots: [] },
    ...(base.value && { earlier: base.value.decisions }),
  });
  return {
    base: { ...nothing, resolution: base.value, diagnostics: base.diagnostics },
    head: {
      ...nothing,
      resolution: head.value,
      diagnostics: [...inputs.diagnostics, ...head.diagnostics],
    },
  };
}
