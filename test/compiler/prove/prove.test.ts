import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Invariant, WrittenCondition } from '../../../src/compiler/prove/invariant.ts';
import { prove } from '../../../src/compiler/prove/prove.ts';
import type { ProofVerdict } from '../../../src/compiler/prove/verdict.ts';
import type { Resolution } from '../../../src/compiler/resolve.ts';
import { hubVersion } from '../../../src/ocm/hub-version.ts';
import { resolveText } from '../../resolve-text.ts';
import { binding, cluster, clusterSet, placementNamed } from '../place/hub-fixture.ts';

const hub = hubVersion('1.3');
const addOnNames = ['red', 'green', 'blue'];
const placementNames = ['default/one', 'default/two', 'default/three'];
const configNames = ['default/loud', 'default/quiet'];
const values = ['a', 'b', 'ab', 'x'];
const setLabel = 'cluster.open-cluster-management.io/clusterset';

const value = fc.constantFrom('a', 'b', 'ab');
const requirement = fc.oneof(
  fc.record({
    key: fc.constantFrom('env', 'tier'),
    operator: fc.constantFrom('In', 'NotIn'),
    values: fc.uniqueArray(value, { minLength: 1, maxLength: 2 }),
  }),
  fc.record({ key: fc.constantFrom('env', 'tier'), operator: fc.constantFrom('Exists', 'DoesNotExist') }),
);
const expression = fc.oneof(
  fc
    .tuple(fc.constantFrom('env', 'tier'), value)
    .map(([key, each]) => `managedCluster.metadata.labels["${key}"] == "${each}"`),
  fc.constantFrom(
    'managedCluster.metadata.labels["env"].startsWith("a")',
    'managedCluster.metadata.labels["tier"].matches("^[ab]+$")',
    '!("env" in managedCluster.metadata.labels)',
    'managedCluster.status.clusterClaims.exists(c, c.name == "p" && c.value == "a")',
  ),
);
const predicate = fc
  .record(
    {
      labelSelector: fc.record({ matchExpressions: fc.array(requirement, { maxLength: 2 }) }),
      celSelector: fc.record({ celExpressions: fc.array(expression, { minLength: 1, maxLength: 2 }) }),
    },
    { requiredKeys: [] },
  )
  .map((requiredClusterSelector) => ({ requiredClusterSelector }));

const placementSpec = fc
  .record({
    predicates: fc.array(predicate, { maxLength: 2 }),
    clusterSets: fc.option(fc.constantFrom(['prod'], ['global'], ['default', 'prod']), {
      nil: undefined,
      freq: 2,
    }),
    numberOfClusters: fc.oneof(
      { weight: 12, arbitrary: fc.constant(undefined) },
      { weight: 1, arbitrary: fc.constant(2) },
    ),
  })
  .map(({ predicates, clusterSets, numberOfClusters }) => ({
    predicates,
    ...(clusterSets !== undefined && { clusterSets }),
    ...(numberOfClusters !== undefined && { numberOfClusters }),
  }));

const configs = fc.uniqueArray(fc.constantFrom('loud', 'quiet'), { maxLength: 1 }).map((names) =>
  names.map((name) => ({
    group: 'addon.open-cluster-management.io',
    resource: 'addondeploymentconfigs',
    namespace: 'default',
    name,
  })),
);

function addOnNamed(name: string): fc.Arbitrary<readonly object[]> {
  return fc
    .record({
      placements: fc.uniqueArray(fc.record({ name: fc.constantFrom('one', 'two', 'three'), configs }), {
        selector: (each) => each.name,
        minLength: 1,
        maxLength: 3,
      }),
      override: fc.option(fc.tuple(fc.constantFrom('c1', 'c2'), configs), { nil: undefined, freq: 2 }),
    })
    .map(({ placements, override }) => [
      {
        apiVersion: 'addon.open-cluster-management.io/v1alpha1',
        kind: 'ClusterManagementAddOn',
        metadata: { name },
        spec: {
          supportedConfigs: [
            { group: 'addon.open-cluster-management.io', resource: 'addondeploymentconfigs' },
          ],
          installStrategy: {
            type: 'Placements',
            placements: placements.map((each) => ({ namespace: 'default', ...each })),
          },
        },
      },
      ...(override === undefined
        ? []
        : [
            {
              apiVersion: 'addon.open-cluster-management.io/v1alpha1',
              kind: 'ManagedClusterAddOn',
              metadata: { name, namespace: override[0] },
              spec: { configs: override[1] },
            },
          ]),
    ]);
}

const workspace = fc
  .tuple(fc.tuple(placementSpec, placementSpec, placementSpec), ...addOnNames.map(addOnNamed))
  .map(([[one, two, three], ...addOns]) => [
    placementNamed('one', one),
    placementNamed('two', two),
    placementNamed('three', three),
    ...addOns.flat(),
    ...['loud', 'quiet'].map((name) => ({
      apiVersion: 'addon.open-cluster-management.io/v1alpha1',
      kind: 'AddOnDeploymentConfig',
      metadata: { name, namespace: 'default' },
      spec: { customizedVariables: [{ name: 'VOLUME', value: name }] },
    })),
    binding('global'),
    binding('default'),
    binding('prod'),
    clusterSet('prod'),
  ]);

const someAddOns = fc.uniqueArray(fc.constantFrom(...addOnNames), { minLength: 1, maxLength: 2 });
const somePlacements = fc.uniqueArray(fc.constantFrom(...placementNames), { minLength: 1, maxLength: 3 });
const writtenValues = fc.oneof(value, fc.boolean(), fc.uniqueArray(value, { minLength: 1, maxLength: 2 }));

const { condition } = fc.letrec<{ condition: WrittenCondition }>((tie) => ({
  condition: fc
    .record(
      {
        labels: fc.dictionary(fc.constantFrom('env', 'tier'), writtenValues, { maxKeys: 2 }),
        claims: fc.dictionary(fc.constantFrom('p'), writtenValues, { maxKeys: 1 }),
        sets: fc.constantFrom(['prod'], ['default'], ['default', 'prod']),
        placements: somePlacements,
        cel: fc.array(expression, { minLength: 1, maxLength: 1 }),
        has: someAddOns,
        lacks: someAddOns,
        not: tie('condition'),
      },
      { requiredKeys: [] },
    )
    .map((each) => pick(each, 2)),
}));

const stateRequirement = fc
  .record(
    {
      has: someAddOns,
      lacks: someAddOns,
      only: someAddOns,
      oneOf: someAddOns,
      atMostOneOf: fc.constant(addOnNames),
      configs: fc
        .tuple(fc.constantFrom(...addOnNames), fc.constantFrom(...configNames))
        .map(([name, config]) => ({ [name]: { addondeploymentconfigs: config } })),
      values: fc
        .tuple(fc.constantFrom(...addOnNames), fc.constantFrom('loud', 'quiet'))
        .map(([name, each]) => ({ [name]: { VOLUME: each } })),
      onePlacementOf: somePlacements,
      atMostOnePlacementOf: somePlacements,
      are: condition,
    },
    { requiredKeys: [] },
  )
  .map((each) => pick(each, 1))
  .filter((each) => Object.keys(each).length > 0);

const aboutAny = fc
  .tuple(fc.option(condition, { nil: undefined }), stateRequirement)
  .map(([where, must]): Invariant => ({ name: 'any', ...(where && { where }), ...must }));

const aboutEdits = fc
  .record({
    edits: fc.constantFrom(0, 1, 2),
    of: fc.constantFrom(['labels'] as const, ['labels', 'sets'] as const),
    before: fc.option(condition, { nil: undefined }),
    where: fc.option(condition, { nil: undefined }),
    must: fc.oneof(
      stateRequirement,
      someAddOns.map((keeps) => ({ keeps })),
      fc.constant({ keeps: true as const }),
      fc.constant({ unchanged: true as const }),
      someAddOns.map((unchanged) => ({ unchanged })),
    ),
  })
  .map(({ edits, of, before, where, must }): Invariant => ({
    name: 'edits',
    edits,
    of,
    ...(before && { before }),
    ...(where && { where }),
    ...must,
  }));

/** The first fields of an object, so that few conditions exclude everything. */
function pick<T extends object>(all: T, count: number): T {
  return Object.fromEntries(Object.entries(all).slice(0, count)) as T;
}

interface Fields {
  readonly env?: string;
  readonly tier?: string;
  readonly p?: string;
  readonly set?: string;
}

function clusterOf(name: string, { env, tier, p, set }: Fields): object {
  const labels = {
    ...(env !== undefined && { env }),
    ...(tier !== undefined && { tier }),
    ...(set !== undefined && { [setLabel]: set }),
  };
  return cluster(name, { labels, claims: p === undefined ? {} : { p } });
}

const optionalValues = [undefined, ...values];
const sets = [undefined, 'prod', 'other'];
const universe: readonly Fields[] = optionalValues.flatMap((env) =>
  optionalValues.flatMap((tier) =>
    sets.flatMap((set) =>
      [undefined, 'a', 'q'].map((p) => ({
        ...(env !== undefined && { env }),
        ...(tier !== undefined && { tier }),
        ...(set !== undefined && { set }),
        ...(p !== undefined && { p }),
      })),
    ),
  ),
);

function resolved(objects: readonly object[], clusters: readonly object[]): Resolution {
  const text = objects.map((object) => JSON.stringify(object)).join('\n---\n');
  return resolveText(text, { fleet: clusters.map((object) => JSON.stringify(object)).join('\n---\n') })
    .resolution;
}

/** The result of the compiler for one cluster, read without the prover. */
class Facts {
  readonly name: string;
  readonly resolution: Resolution;

  constructor(name: string, resolution: Resolution) {
    this.name = name;
    this.resolution = resolution;
  }

  has(addOn: string): boolean {
    return this.resolution.configuration.get(addOn)?.clusters.has(this.name) === true;
  }

  configs(addOn: string): readonly string[] {
    const references =
      this.resolution.configuration.get(addOn)?.clusters.get(this.name)?.effective.references ?? [];
    return references.map(({ namespace, name }) => `${namespace}/${name}`);
  }

  isSelectedBy(placement: string): boolean {
    return this.resolution.decisions.byPlacement.get(placement)?.selected.includes(this.name) === true;
  }

  is(asked: WrittenCondition | undefined): boolean {
    if (asked === undefined) return true;
    const object = this.resolution.decisions.clusters.get(this.name);
    const labels = object?.metadata.labels ?? {};
    const claims = Object.fromEntries(
      (object?.status?.clusterClaims ?? []).map((claim) => [claim.name, claim.value]),
    );
    const met = (wanted: unknown, actual: string | undefined): boolean =>
      typeof wanted === 'boolean'
        ? wanted === (actual !== undefined)
        : actual !== undefined && [wanted].flat().includes(actual);
    return (
      Object.entries(asked.labels ?? {}).every(([key, wanted]) => met(wanted, labels[key])) &&
      Object.entries(asked.claims ?? {}).every(([key, wanted]) => met(wanted, claims[key])) &&
      (asked.sets?.includes(labels[setLabel] ?? '') ?? true) &&
      (asked.placements?.some((key) => this.isSelectedBy(key)) ?? true) &&
      (asked.cel ?? []).every((each) => celHolds(each, labels, claims)) &&
      (asked.has ?? []).every((each) => this.has(each)) &&
      (asked.lacks ?? []).every((each) => !this.has(each)) &&
      (asked.not === undefined || !this.is(asked.not))
    );
  }

  meets(must: Invariant): boolean {
    const count = (all: readonly boolean[]): number => all.filter(Boolean).length;
    return (
      (must.has ?? []).every((each) => this.has(each)) &&
      (must.lacks ?? []).every((each) => !this.has(each)) &&
      (must.only === undefined ||
        addOnNames.every((each) => must.only?.includes(each) === true || !this.has(each))) &&
      (must.oneOf === undefined || count(must.oneOf.map((each) => this.has(each))) === 1) &&
      (must.atMostOneOf === undefined || count(must.atMostOneOf.map((each) => this.has(each))) <= 1) &&
      Object.entries(must.configs ?? {}).every(
        ([name, { addondeploymentconfigs }]) =>
          !this.has(name) || this.configs(name).includes(String(addondeploymentconfigs)),
      ) &&
      Object.entries(must.values ?? {}).every(
        ([name, { VOLUME }]) => !this.has(name) || this.configs(name).includes(`default/${String(VOLUME)}`),
      ) &&
      (must.onePlacementOf === undefined ||
        count(must.onePlacementOf.map((each) => this.isSelectedBy(each))) === 1) &&
      (must.atMostOnePlacementOf === undefined ||
        count(must.atMostOnePlacementOf.map((each) => this.isSelectedBy(each))) <= 1) &&
      this.is(must.are)
    );
  }

  isLike(other: Facts, addOn: string): boolean {
    return this.has(addOn) === other.has(addOn) && this.configs(addOn).join() === other.configs(addOn).join();
  }
}

function celHolds(
  text: string,
  labels: Readonly<Record<string, string>>,
  claims: Readonly<Record<string, string | undefined>>,
): boolean {
  const equality = /labels\["(\w+)"\] == "(\w+)"/.exec(text);
  if (equality !== null) return labels[equality[1] ?? ''] === equality[2];
  if (text.includes('startsWith')) return labels['env']?.startsWith('a') === true;
  if (text.includes('matches')) return /^[ab]+$/.test(labels['tier'] ?? '');
  if (text.includes('!("env"')) return labels['env'] === undefined;
  return claims['p'] === 'a';
}

const counts = { proved: 0, refuted: 0, 'cannot prove': 0 };

function only(verdicts: readonly ProofVerdict[]): ProofVerdict {
  const [verdict] = verdicts;
  if (verdict === undefined) throw new Error('no verdict');
  counts[verdict.answer] += 1;
  return verdict;
}

function editsOf(verdict: ProofVerdict): number {
  return verdict.answer === 'refuted' ? verdict.counterexample.edits.length : NaN;
}

const runs = process.env['PROVE_RUNS'];
/** The number of random workspaces with an invariant about all clusters, and about edits. */
const numRuns = { any: Number(runs ?? 45), edits: Number(runs ?? 15) };
const timeout = 120_000 + numRuns.any * 2000;

test(
  'what is proved holds for all clusters, and what is refuted fails for the example',
  () => {
    let open = 0;
    fc.assert(
      fc.property(workspace, aboutAny, (objects, invariant) => {
        const fleet = [clusterOf('c1', { env: 'a' }), clusterOf('c2', { tier: 'b', set: 'prod' })];
        const verdict = only(prove([invariant], [resolved(objects, fleet)], hub));
        const everything = universe.map((fields, index) => clusterOf(`u${index}`, fields));
        const all = resolved(objects, everything);
        const violating = universe.findIndex((_, index) => {
          const facts = new Facts(`u${index}`, all);
          return facts.is(invariant.where) && !facts.meets(invariant);
        });
        if (verdict.answer === 'refuted') {
          const { object } = verdict.counterexample;
          const facts = new Facts(object.metadata.name ?? '', resolved(objects, [object]));
          if (!facts.is(invariant.where) || facts.meets(invariant))
            throw new Error('the example meets the invariant');
        }
        const isWrong = verdict.answer === 'proved' && violating >= 0;
        expect(isWrong ? universe[violating] : undefined).toBeUndefined();
        const isLimited = JSON.stringify(objects).includes('numberOfClusters');
        if (verdict.answer === 'cannot prove' && !isLimited) open += 1;
      }),
      { numRuns: numRuns.any },
    );
    expect(open / numRuns.any).toBeLessThanOrEqual(Math.max(0.05, 3 / numRuns.any));
  },
  timeout,
);

test(
  'edits of clusters of the fleet are judged as if each of them was made',
  () => {
    let open = 0;
    fc.assert(
      fc.property(workspace, aboutEdits, (objects, invariant) => {
        if (JSON.stringify(objects).includes('numberOfClusters')) return;
        const fields: readonly Fields[] = [
          { env: 'a' },
          { tier: 'b', set: 'prod', p: 'a' },
          { env: 'x', tier: 'ab' },
          {},
        ];
        const fleetOf = (edit: Fields): object[] =>
          fields.map(({ p }, index) =>
            clusterOf(`c${index + 1}`, { ...edit, ...(p !== undefined && { p }) }),
          );
        const base = resolved(
          objects,
          fields.map((each, index) => clusterOf(`c${index + 1}`, each)),
        );
        const verdict = only(prove([invariant], [base], hub));
        const withSets = invariant.of?.includes('sets') === true;
        let cheapest = Infinity;
        for (const env of optionalValues)
          for (const tier of optionalValues)
            for (const set of withSets ? sets : [undefined, 'prod']) {
              const edit = {
                ...(env !== undefined && { env }),
                ...(tier !== undefined && { tier }),
                ...(set !== undefined && { set }),
              };
              const state = resolved(objects, fleetOf(edit));
              for (const [index, before] of fields.entries()) {
                if (!withSets && before.set !== set) continue;
                const cost =
                  Number(before.env !== env) +
                  Number(before.tier !== tier) +
                  Number((before.set ?? 'default') !== (set ?? 'default'));
                if (cost > (invariant.edits ?? 0)) continue;
                const [was, is] = [new Facts(`c${index + 1}`, base), new Facts(`c${index + 1}`, state)];
                if (!was.is(invariant.before) || !is.is(invariant.where)) continue;
                const kept = (invariant.keeps === true ? addOnNames : (invariant.keeps ?? [])).every(
                  (each) => !was.has(each) || is.has(each),
                );
                const same = (invariant.unchanged === true ? addOnNames : (invariant.unchanged ?? [])).every(
                  (each) => was.isLike(is, each),
                );
                if (!is.meets(invariant) || !kept || !same) cheapest = Math.min(cheapest, cost);
              }
            }
        if (verdict.answer === 'cannot prove') open += 1;
        const proved = { proved: Infinity, refuted: editsOf(verdict), 'cannot prove': cheapest }[
          verdict.answer
        ];
        expect(proved).toBe(cheapest);
      }),
      { numRuns: numRuns.edits },
    );
    // one of few runs may be open
    expect(open / numRuns.edits).toBeLessThanOrEqual(Math.max(0.05, 1 / numRuns.edits));
  },
  timeout,
);

test('the random invariants have all answers', () => {
  expect(counts.proved).toBeGreaterThan(0);
  expect(counts.refuted).toBeGreaterThan(0);
});
