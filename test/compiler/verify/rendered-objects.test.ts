import { expect, test } from 'vitest';
import type { KubernetesObject } from '../../../src/base/objects/object-meta.ts';
import {
  compareRendered,
  compareRenderedObject,
  renderedObject,
  type RenderedObject,
} from '../../../src/compiler/verify/index.ts';
import { configMap, resolveTemplate } from '../render/template-add-on.ts';

const registration = [
  {
    type: 'KubeClient',
    kubeClient: {
      hubPermissions: [
        {
          type: 'CurrentCluster',
          currentCluster: { clusterRoleName: 'view' },
        },
      ],
    },
  },
];
const { resolution, rendering } = resolveTemplate({
  manifests: [configMap('a', { level: 'info' })],
  registration,
  clusters: { c1: {}, c2: {} },
});

/** What the hub makes if it answers as predicted. */
const answered = ['c1', 'c2'].flatMap((cluster) => {
  const { works = [], roleBindings = [] } = rendering.clusterAddOn('agent', cluster) ?? {};
  return [...works, ...roleBindings] as object[] as KubernetesObject[];
});

function addOnOn(namespace: string, lastApplied = 'x'): KubernetesObject {
  const reference = {
    desiredConfig: { name: 'template', specHash: 'x' },
    lastAppliedConfig: { name: 'template', specHash: lastApplied },
  };
  return {
    apiVersion: 'addon.open-cluster-management.io/v1beta1',
    kind: 'ManagedClusterAddOn',
    metadata: { name: 'agent', namespace },
    status: { configReferences: [reference] },
  } as KubernetesObject;
}
const settled = [addOnOn('c1'), addOnOn('c2')];

function renderedOf(objects: readonly KubernetesObject[]): Map<string, RenderedObject[]> {
  const ofKind = (kind: string): RenderedObject[] =>
    objects.filter((object) => object.kind === kind).map((object) => renderedObject(object, 'agent'));
  return new Map(['ManifestWork', 'RoleBinding'].map((kind) => [kind, ofKind(kind)]));
}

test('works and permissions that are as predicted are equal, and need not be read', () => {
  const compared = compareRendered(resolution, settled, renderedOf(answered));
  expect(compared.equal.map(({ subject }) => subject)).toHaveLength(4);
  expect(compared).toMatchObject({ otherwise: [], surplus: [], unasked: [] });
});

test('another content is found by its hash, and shown by its fields', () => {
  const changed = JSON.parse(JSON.stringify(answered).replace('"info"', '"debug"')) as KubernetesObject[];
  const { otherwise } = compareRendered(resolution, settled, renderedOf(changed));
  expect(otherwise).toHaveLength(1);
  const [first] = otherwise;
  if (first === undefined) throw new Error('nothing differs');
  const subject = compareRenderedObject(
    first,
    changed.find(
      ({ kind, metadata }) =>
        kind === 'ManifestWork' && metadata.namespace === first.predicted.metadata.namespace,
    ),
  );
  expect(subject.disagreements).toEqual([
    {
      differences: [
        {
          part: 'spec.workload.manifests[0].data.level',
          predicted: 'info',
          answered: 'debug',
        },
      ],
    },
  ]);
  expect(compareRenderedObject(first, undefined).disagreements).toEqual([
    { differences: [{ part: 'object', predicted: 'exists', answered: 'does not exist' }] },
  ]);
});

test('a work that is not predicted differs, unless its add-on renders by other means', () => {
  const [work] = answered;
  if (work === undefined) throw new Error('no work');
  const other = { ...work, metadata: { ...work.metadata, name: 'addon-agent-deploy-7' } };
  const rendered = renderedOf([...answered, other]);
  rendered.get('ManifestWork')?.push(renderedObject({ ...other, metadata: { name: 'w' } }, 'foreign'));
  const { surplus } = compareRendered(resolution, settled, rendered);
  expect(surplus.map(({ subject }) => subject)).toEqual(['ManifestWork c1/addon-agent-deploy-7']);
});

test('a cluster that waits for its wave is left out, and so is a kind that may not be read', () => {
  const rendered = new Map<string, RenderedObject[] | undefined>(renderedOf(answered));
  rendered.set('RoleBinding', undefined);
  const compared = compareRendered(resolution, [addOnOn('c1'), addOnOn('c2', 'w')], rendered);
  expect(compared.equal.map(({ subject }) => subject)).toEqual(['ManifestWork c1/addon-agent-deploy-0']);
  expect(compared.otherwise).toEqual([]);
  expect(compared.unasked).toEqual([
    {
      what: 'works and permissions of add-on agent on 1 cluster',
      why: 'the hub has not applied the latest configuration there yet',
    },
  ]);
});

test('only the add-ons that are named are compared', () => {
  const names = { addOns: new Set<string>() };
  const compared = compareRendered(resolution, settled, renderedOf(answered), names);
  expect(compared).toMatchObject({ equal: [], otherwise: [], surplus: [], unasked: [] });
});
