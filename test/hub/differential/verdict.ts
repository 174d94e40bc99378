import type { ClusterManagementAddOnV1alpha1 } from '../../../schemas/types.gen.ts';
import type { Hub } from '../client/hub.ts';
import { isOfKind, ocmKinds } from '../client/kinds.ts';
import type { HubVersion } from '../../../src/ocm/hub-version.ts';
import { releaseOf } from '../client/release.ts';
import { RefusedObject } from '../record/apply-scenario.ts';
import { record } from '../record/recording.ts';
import { removeScenario } from '../record/remove-scenario.ts';
import type { Scenario } from '../record/scenario.ts';
import { recordRollout } from '../record/waves.ts';
import { differences, type Difference } from './differences.ts';
import { comparedIn, predict, type Outcome, type Progress } from './predict.ts';

/** How the compiler's prediction of a scenario compares with what the hub made of it. */
export type Verdict =
  | { readonly result: 'agrees' }
  /** `chance`: the hub answered differently when asked again, or did not come to rest. */
  | { readonly result: 'chance' | 'differs'; readonly differences: readonly Difference[] };

/** How often the hub is asked before a difference counts. */
const attempts = 3;

/**
 * Holds the compiler against the hub. Where they differ the hub is asked again: some of its answers depend on which of
 * its controllers was faster.
 *
 * @param version - the release that is predicted. By default it is that of the hub.
 */
export async function judge(
  hub: Hub,
  scenario: Scenario,
  version: HubVersion = releaseOf(hub.versions),
): Promise<Verdict> {
  let first: readonly Difference[] | undefined;
  for (let attempt = 0; attempt < attempts; attempt++) {
    const renamed = attempt === 0 ? scenario : rename(scenario, `${scenario.name}r${attempt}`);
    const { outcome, settled } = await askHub(hub, renamed);
    const predicted = predict(renamed, version, Date.now());
    const found = differences(outcome, predicted);
    if (found.length === 0)
      return first === undefined ? { result: 'agrees' } : { result: 'chance', differences: first };
    if (!settled) return { result: 'chance', differences: found };
    first ??= found;
    if ('thrown' in predicted) break;
  }
  return { result: 'differs', differences: first ?? [] };
}

/** What the hub makes of a scenario, which is removed again. */
async function askHub(hub: Hub, scenario: Scenario): Promise<{ outcome: Outcome; settled: boolean }> {
  try {
    if (scenario.update !== undefined) {
      const waves = await recordRollout(hub, scenario);
      return { outcome: { answer: { ...waves, progress: await progress(hub, scenario) } }, settled: true };
    }
    const { answer, settled } = await record(hub, scenario, comparedIn(scenario.input));
    return { outcome: { answer }, settled };
  } catch (error) {
    if (!(error instanceof RefusedObject)) throw error;
    return {
      outcome: { refused: [`${error.object.kind}/${error.object.metadata.name ?? ''}`] },
      settled: true,
    };
  } finally {
    await removeScenario(hub, [...scenario.input, ...(scenario.update ?? [])]);
  }
}

/** The hub's final status of the rollouts, by placement. */
async function progress({ client }: Hub, { input }: Scenario): Promise<Progress> {
  const addOns = input.filter((object) => isOfKind(object, ocmKinds.clusterManagementAddOn));
  const [apiVersion, kind] = ocmKinds.clusterManagementAddOn;
  const held = await Promise.all(
    addOns.map(({ metadata }) => client.get(apiVersion, kind, metadata.name ?? '')),
  );
  const progressions = (held as unknown as readonly ClusterManagementAddOnV1alpha1[]).flatMap(
    ({ status }) => status?.installProgressions ?? [],
  );
  return Object.fromEntries(
    progressions.map(({ namespace, name, conditions = [] }) => [
      `${namespace}/${name}`,
      conditions.find(({ type }) => type === 'Progressing')?.message ?? '',
    ]),
  );
}

/** The same scenario under another name, so that nothing left of the first one is in its way. */
export function rename(scenario: Scenario, name: string): Scenario {
  return JSON.parse(JSON.stringify(scenario).replaceAll(scenario.name, name)) as Scenario;
}
