import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { AddOnClusters } from '../../../src/compiler/configure/add-on-clusters.ts';
import { resolutionDocument } from '../../../src/compiler/emit/resolution.ts';
import { plan, type Plan } from '../../../src/compiler/plan/plan.ts';
import { render } from '../../../src/compiler/render/render.ts';
import type { Resolution } from '../../../src/compiler/resolve.ts';
import { rollout } from '../../../src/compiler/rollout/rollout.ts';
import { hubVersion } from '../../../src/ocm/hub-version.ts';
import { fleetOf, resolveText } from '../../resolve-text.ts';
import { addOn, appWithDeployment, config, installed, placement } from './states.ts';

const hub = hubVersion('1.3');
const names = ['c1', 'c2', 'c3', 'c4', 'c5', 'c6', 'c7', 'c8'];
const registries = `'{"registries":[{"source":"quay.io/a","mirror":"mirror.example/a"}]}'`;

/** An add-on on clusters by their label `env`, some of which have a separate configuration, other annotations, or no label. */
const anyState = fc.record({
  labels: fc.array(fc.constantFrom('prod', 'stage', 'dev'), {
    minLength: names.length,
    maxLength: names.length,
  }),
  annotated: fc.subarray(names, { maxLength: 2 }),
  copied: fc.subarray(names, { maxLength: 2 }),
  overridden: fc.subarray(names, { maxLength: 3 }),
  level: fc.constantFrom('info', 'warn'),
  data: fc.constantFrom('{ level: "{{LEVEL}}" }', '{ cluster: "{{CLUSTER_NAME}}" }'),
  listed: fc.shuffledSubarray(['prod', 'stage', 'all'], { minLength: 1 }),
  pace: fc.constantFrom('{ type: All }', '{ type: Progressive, progressive: { maxConcurrency: 2 } }'),
});

/** The AddOnTemplate of a Deployment, whose images the registries of clusters rewrite, with other data. */
function withData(data: string): string {
  const start = appWithDeployment.indexOf('---', appWithDeployment.indexOf('kind: AddOnTemplate') - 80);
  return `\n${appWithDeployment.slice(start).replace('{ level: "{{LEVEL}}" }', data)}`;
}

type State = typeof anyState extends fc.Arbitrary<infer T> ? T : never;

function resolved({ labels, annotated, copied, overridden, level, data, listed, pace }: State): Resolution {
  const own = overridden.map(
    (cluster) => `
---
apiVersion: addon.open-cluster-management.io/v1alpha1
kind: ManagedClusterAddOn
metadata: { name: hello, namespace: ${cluster} }
spec:
  configs: [{ group: addon.open-cluster-management.io, resource: addondeploymentconfigs, namespace: default, name: own }]
`,
  );
  const text = [
    addOn(listed.map((name) => installed(name, name === 'all' ? undefined : name, pace)).join('')),
    placement('prod', '{ matchLabels: { env: prod } }'),
    placement('stage', '{ matchLabels: { env: stage } }'),
    placement('all', '{}'),
    config('base', 'info'),
    config('prod', level),
    config('stage', 'debug'),
    config('own', level),
    withData(data),
    ...own,
  ].join('');
  let fleet = fleetOf(Object.fromEntries(names.map((name, index) => [name, { env: labels[index] ?? '' }])));
  const annotate = (cluster: string, annotations: string): void => {
    fleet = fleet.replace(
      `metadata: { name: ${cluster},`,
      `metadata: { name: ${cluster}, annotations: { ${annotations} },`,
    );
  };
  for (const cluster of annotated)
    annotate(cluster, `open-cluster-management.io/image-registries: ${registries}`);
  for (const cluster of copied)
    if (!annotated.includes(cluster)) annotate(cluster, 'addon.open-cluster-management.io/values: x');
  return resolveText(text, { fleet }).resolution;
}

/** The same resolution, in which no cluster shares anything with another by its class. */
function individually(resolution: Resolution): Resolution {
  const { inventory, decisions } = resolution;
  const configuration = new Map(
    Array.from(resolution.configuration, ([name, each]) => [
      name,
      { ...each, clusters: new AddOnClusters({ individual: new Map(each.clusters) }) },
    ]),
  );
  const input = { inventory, decisions, configuration };
  const rollouts = rollout(input, { now: decisions.now, hub }).value;
  const rendering = render(inventory, decisions, configuration, { hub, rollouts }).value;
  return { ...resolution, configuration, rollouts, rendering };
}

function planOf(base: Resolution, head: Resolution): Plan {
  return plan([{ app: 'hello', base, head }], { hub, by: ['env'] }).value;
}

const oneEnvironment: State = {
  labels: names.map(() => 'prod' as const),
  annotated: [],
  copied: [],
  overridden: ['c2'],
  level: 'info',
  data: '{ level: "{{LEVEL}}" }',
  listed: ['prod'],
  pace: '{ type: All }',
};
const severalEnvironments: State = {
  ...oneEnvironment,
  labels: ['dev', 'stage', 'stage', ...names.slice(3).map(() => 'prod' as const)],
  overridden: [],
};

test('the plan of classes is the plan of each cluster', { timeout: 60_000 }, () => {
  fc.assert(
    fc.property(anyState, anyState, (earlier, later) => {
      const [base, head] = [resolved(earlier), resolved(later)];
      const [baseAlone, headAlone] = [individually(base), individually(head)];
      expect(planOf(base, head)).toEqual(planOf(baseAlone, headAlone));
      expect(resolutionDocument(head)).toEqual(resolutionDocument(headAlone));
      const groupsOf = ({ rendering }: Resolution): unknown =>
        rendering.groups.map(({ addOn: name, annotation, clusters }) => [name, annotation, clusters]);
      expect(groupsOf(head)).toEqual(groupsOf(headAlone));
    }),
    // New clusters of several classes with one cause: the location is that of the first cluster.
    { numRuns: 30, examples: [[severalEnvironments, oneEnvironment]] },
  );
});
