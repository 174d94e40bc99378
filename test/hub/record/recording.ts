import type { KubernetesObject } from '../../../src/base/objects/object-meta.ts';
import { project, type ProjectionOptions } from '../../conformance/projection.ts';
import { applyScenario } from './apply-scenario.ts';
import type { Hub } from '../client/hub.ts';
import { ocmKinds, role, roleBinding, serviceAccount } from '../client/kinds.ts';
import { belongsTo, type Scenario } from './scenario.ts';

/** What the hub made of a scenario: the comparable part of its objects, by `Kind/namespace/name`. */
export type Answer = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** An answer, and whether the hub came to rest on it. */
export interface Recording {
  readonly answer: Answer;
  readonly settled: boolean;
}

/** What holds for the hub before its answer is read, in milliseconds. */
export const atRest = { quiet: 1_500, atMost: 60_000 };

const answeringKinds = [
  ocmKinds.placement,
  ocmKinds.placementDecision,
  ocmKinds.clusterManagementAddOn,
  ocmKinds.managedClusterAddOn,
  ocmKinds.manifestWork,
  roleBinding,
  role,
  serviceAccount,
];

/** Applies a scenario, waits until the hub is still, and reads what it made of it. */
export async function record(
  hub: Hub,
  { input }: Scenario,
  options: ProjectionOptions = {},
): Promise<Recording> {
  return hub.watch.follow(belongsTo(input), async (follower) => {
    await applyScenario(hub, follower, input);
    const settled = await follower.still(atRest);
    return { answer: await readHub(hub, input, options), settled };
  });
}

/** The hub's present answer to a scenario, in the order of its keys, so that it can be compared as text. */
export async function readHub(
  hub: Hub,
  objects: readonly KubernetesObject[],
  options: ProjectionOptions = {},
): Promise<Answer> {
  const belongs = belongsTo(objects);
  const lists = await Promise.all(
    answeringKinds.map(([apiVersion, kind]) => hub.client.list(apiVersion, kind)),
  );
  const projected = project(lists.flat().filter(belongs), options);
  return Object.fromEntries(Object.entries(projected).sort(([a], [b]) => (a < b ? -1 : 1)));
}
