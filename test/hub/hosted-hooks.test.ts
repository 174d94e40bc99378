import { isDeepStrictEqual } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { managedClusterAddOns } from '../../src/controller/add-on/managed-cluster-add-ons.ts';
import { managedClusters, manifestWorks } from '../../src/controller/hub/resources.ts';
import { compiledClusters } from '../../src/compiler/deliver/compiled-clusters.ts';
import { goJson } from '../../src/base/json/go-json.ts';
import { conditionOf } from '../../src/base/objects/condition.ts';
import { hubVersion } from '../../src/ocm/hub-version.ts';
import type { Condition, ManifestWorkV1 } from '../../schemas/types.gen.ts';
import { HookHub } from '../controller/hub/hooks/hook-hub.ts';
import { askAddOnFramework, buildHostedMode, type HostedState } from '../hosted-mode/go-program.ts';
import { hostedRequest } from '../hosted-mode/hosted-request.ts';
import { hookWorks, randomHooked } from '../hosted-mode/random-hosted.ts';
import { resolveTemplate, type ResolvedTemplate } from '../compiler/render/template-add-on.ts';

// The companion's controller of hooks and addon-framework's deploy controller, each with the same add-on: it is deployed, deleted, and
// some of its hooks are reported as complete.

/** How many random add-ons are compared; `HOSTED_CASES=300` compares more. */
const count = Number(process.env['HOSTED_CASES'] ?? 40);
const firstSeed = Number(process.env['HOSTED_SEED'] ?? 1);

const target = { hub: hubVersion('1.3'), addOnApiVersion: 'v1alpha1' } as const;
const finalizerNames = ['addon-pre-delete', 'hosting-addon-pre-delete'].map(
  (name) => `addon.open-cluster-management.io/${name}`,
);
const [managedWork, hostingWork] = hookWorks;

/** The hub in one of the three states. */
interface State {
  readonly finalizers: readonly string[];
  /** The names of all works, and the content of those with hooks. */
  readonly works: readonly string[];
  readonly hooks: readonly string[];
  readonly condition: string;
}

interface Outcome {
  readonly deployed: State;
  readonly deleting: State;
  readonly reported: State;
}

// The first build compiles client-go.
beforeAll(buildHostedMode, 900_000);

test('hooks run on both clusters as by the hosted and the default hook sync of addon-framework', async () => {
  const cases = Array.from({ length: count }, (_, index) => {
    const seed = firstSeed + index;
    const { addOn, complete } = randomHooked(seed);
    const resolved = resolveTemplate(addOn);
    return { seed, complete, resolved, isLone: resolved.found('FW7128').length > 0 };
  }).filter(({ resolved }) => resolved.found('FW6039').length === 0);
  const answers = askAddOnFramework(
    cases.map(({ resolved, complete }) => ({ ...hostedRequest(resolved), deletion: { complete } })),
  );
  const compared = [];
  for (const [index, { seed, complete, resolved, isLone }] of cases.entries()) {
    const { deleting, reported, ...deployed } = answers[index] ?? {};
    if (deleting === undefined || reported === undefined) throw new Error(`no answer for seed ${seed}`);
    const go: Outcome = {
      deployed: goState(deployed as HostedState),
      deleting: goState(deleting),
      reported: goState(reported),
    };
    const kinds = hookWorks.filter((work) => go.deleting.works.includes(work));
    compared.push({
      seed,
      isLone,
      kinds,
      complete,
      error: reported.error,
      go,
      ours: await ourOutcome(resolved, complete),
    });
  }

  // Hooks for a hosting cluster that gets nothing else are not run: see FW7128. In addon-framework they are.
  const lone = compared.filter(({ isLone }) => isLone);
  for (const { seed, kinds, ours } of lone)
    expect([seed, kinds.includes(hostingWork), ours.deleting.works.includes(hostingWork)]).toEqual([
      seed,
      true,
      false,
    ]);

  // With hooks on one cluster, everything is the same.
  const others = compared.filter(({ isLone }) => !isLone);
  const single = others.filter(({ kinds }) => kinds.length < 2);
  expect(single.filter(({ go, ours }) => !isDeepStrictEqual(go, ours)).slice(0, 3)).toEqual([]);

  // With hooks on both, the condition of addon-framework is about one of them at a time.
  const both = others.filter(({ kinds }) => kinds.length === 2);
  const withoutCondition = ({ condition: _, ...state }: State): unknown => state;
  for (const { seed, go, ours, complete } of both) {
    for (const state of ['deployed', 'deleting'] as const)
      expect({ seed, state: withoutCondition(ours[state]) }).toEqual({
        seed,
        state: withoutCondition(go[state]),
      });
    expect(ours.deleting.condition).toMatch(/^False HookManifestIsNotCompleted/);
    const areComplete = complete.length === 2;
    expect(ours.reported.condition.startsWith(areComplete ? 'none' : 'False')).toBe(true);
    expect(ours.reported.works).toEqual(areComplete ? [] : ours.deleting.works);
  }
  // Once those on the managed cluster are complete, addon-framework deletes the others, complete or not, and then cannot remove its last
  // finalizer: it adds that of the hooks again.
  for (const { go, error } of both.filter(({ complete }) => complete.includes(managedWork))) {
    expect(go.reported.works).not.toContain(hostingWork);
    expect(error).toContain('no new finalizers can be added if the object is being deleted');
  }
  const name = nameOf(hostingWork);
  for (const { go, complete } of both.filter((each) => !each.complete.includes(managedWork)))
    expect(go.reported.condition).toBe(
      complete.length === 0
        ? `False HookManifestIsNotCompleted hook manifestWork ${name} is not completed.`
        : `True HookManifestIsCompleted hook manifestWork ${name} is completed.`,
    );

  // All outcomes occur.
  const kindsOf = (...kinds: readonly string[]): boolean =>
    single.some((each) => isDeepStrictEqual(each.kinds, kinds));
  expect([kindsOf(), kindsOf(managedWork), kindsOf(hostingWork)]).toEqual([true, true, true]);
  expect(both.length).toBeGreaterThan(0);
  expect(single.some(({ kinds, complete }) => kinds.some((kind) => complete.includes(kind)))).toBe(true);
  expect(single.some(({ kinds, complete }) => kinds.some((kind) => !complete.includes(kind)))).toBe(true);
}, 900_000);

function nameOf(work: string): string {
  return work.split('/')[1] ?? '';
}

function stateOf(
  finalizers: readonly string[],
  works: readonly ManifestWorkV1[],
  conditions: readonly Condition[],
): State {
  const names = works.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`);
  const completed = conditionOf(conditions, 'HookManifestCompleted');
  return {
    finalizers: finalizerNames.filter((name) => finalizers.includes(name)),
    works: names.sort(),
    hooks: works
      .filter(({ metadata }) => metadata.name?.includes('-pre-delete') === true)
      .map(hookText)
      .sort(),
    condition:
      completed === undefined ? 'none' : `${completed.status} ${completed.reason} ${completed.message}`,
  };
}

/** The companion asks for one more value of Jobs, and annotates works that have no owner. */
function hookText({ metadata, spec }: ManifestWorkV1): string {
  const { name, namespace, labels, ownerReferences = [] } = metadata;
  const owners = ownerReferences.map(({ uid: _uid, apiVersion: _version, ...owner }) => owner);
  const manifestConfigs = (spec?.manifestConfigs ?? []).map(({ feedbackRules = [], ...config }) => ({
    ...config,
    feedbackRules: feedbackRules.filter(({ type }) => type !== 'JSONPaths'),
  }));
  return goJson({ name, namespace, labels, owners, manifestConfigs, workload: spec?.workload });
}

function goState({ finalizers, works, conditions }: HostedState): State {
  return stateOf(finalizers ?? [], works ?? [], conditions ?? []);
}

/** What the companion makes of what synth writes, while an engine applies it and prunes what it may. */
async function ourOutcome(resolved: ResolvedTemplate, complete: readonly string[]): Promise<Outcome> {
  const hub = await HookHub.start('agent', 'c1');
  try {
    const [file] = compiledClusters(resolved.resolution, target);
    if (file === undefined) throw new Error('the cluster has the add-on');
    const [onCluster, ...works] = file.objects;
    for (const cluster of resolved.resolution.decisions.clusters.values())
      await hub.client.create(managedClusters, cluster);
    await hub.client.create(managedClusterAddOns, onCluster as never);
    const uid = (await hub.addOn())?.metadata.uid ?? '';
    const owner = { apiVersion: onCluster.apiVersion, kind: 'ManagedClusterAddOn', name: 'agent', uid };
    for (const work of works as readonly ManifestWorkV1[]) {
      const ownerReferences = work.metadata.namespace === 'c1' ? [owner] : [];
      await hub.client.create(manifestWorks, { ...work, metadata: { ...work.metadata, ownerReferences } });
    }
    await hub.settle();
    const deployed = await ourState(hub);
    await hub.deleteAddOn();
    for (const { metadata } of await hub.works())
      if (metadata.namespace !== 'c1' && metadata.annotations?.['fleetwright.dev/deleted-by'] === undefined)
        await hub.client.delete(manifestWorks, metadata);
    await hub.settle();
    const deleting = await ourState(hub);
    for (const work of complete) {
      const [namespace = '', name = ''] = work.split('/');
      if (deleting.works.includes(work)) await hub.report(namespace, name);
    }
    await hub.settle();
    return { deployed, deleting, reported: await ourState(hub) };
  } finally {
    await hub.stop();
  }
}

async function ourState(hub: HookHub): Promise<State> {
  const { metadata, status } = (await hub.addOn()) ?? {};
  return stateOf(metadata?.finalizers ?? [], await hub.works(), status?.conditions ?? []);
}
