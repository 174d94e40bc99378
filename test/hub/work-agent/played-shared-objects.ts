import { goJson } from '../../../src/base/json/go-json.ts';
import type { KubernetesObject } from '../../../src/base/objects/object-meta.ts';
import { ocmKinds, reference } from '../client/kinds.ts';
import type { Random } from '../differential/random.ts';
import { existingNamespace } from './manifest-pairs.ts';
import { appliedOf, differenceOf } from './observed-answers.ts';
import type { Clients, Round } from './played-works.ts';
import { predictedSteps, wordsOf, type Step } from './predicted-contests.ts';
import { cluster } from './random-works.ts';
import { sharedObject, type Delivery, type SharedObject } from './shared-objects.ts';

/** Delivers random objects by two works each, compares both conditions and the objects, and removes the works. Returns the differences. */
export async function playedSharedObjects(
  { hub, managed }: Clients,
  random: Random,
  { round, count, tally }: Round,
): Promise<readonly string[]> {
  const all = Array.from({ length: count }, (_, index) => sharedObject(random, `${round}-${index}`));
  const differences: string[] = [];
  for (const { one } of all) await hub.apply(workOf(one));
  for (const { one } of all) await appliedOf(hub, one.name);
  const predictions = all.map((shared) => ({ shared, ...predictedSteps(shared) }));
  for (const index of [0, 1] as const) {
    for (const { steps } of predictions) {
      const { delivery } = steps[index] as Step;
      await hub.apply(workOf(delivery, index === 1));
    }
    for (const { shared, contest, steps } of predictions) {
      const { delivery, isApplied, stored } = steps[index] as Step;
      const [applied] = await appliedOf(hub, delivery.name);
      const words = wordsOf(contest);
      if (index === 0) tally.add(words);
      const report = (text: string): void => {
        differences.push(`${words}: ${delivery.name} ${text}\n  ${show(shared)}`);
      };
      if (isApplied !== (applied?.status === 'True'))
        report(`predicted ${isApplied}, is ${applied?.status}: ${applied?.message}`);
      for (const manifest of stored) {
        const difference = await differenceOf(managed, shared.pair, manifest);
        if (difference !== undefined) report(`the object differs: ${difference}`);
      }
      if (stored.length === 0) {
        const difference = await differenceOf(managed, shared.pair, undefined);
        if (difference !== undefined) report(difference);
      }
    }
  }
  for (const { one, other } of all) for (const delivery of [one, other]) await hub.delete(workOf(delivery));
  return differences;
}

/** @param isAgain - whether the work has another manifest, so that the agent applies all of them again */
function workOf({ name, manifest, config }: Delivery, isAgain = false): KubernetesObject {
  const marker = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: existingNamespace } };
  return {
    ...reference(ocmKinds.manifestWork, name, cluster),
    spec: {
      workload: { manifests: isAgain ? [manifest, marker] : [manifest] },
      manifestConfigs: [config],
    },
  };
}

function show({ one, other }: SharedObject): string {
  return [one, other]
    .map(({ config, manifest }) => `${goJson(config.updateStrategy ?? {})} ${goJson(manifest)}`)
    .join('\n  ');
}
