import { expect, test } from 'vitest';
import type { KubernetesObject } from '../../../src/base/objects/object-meta.ts';
import {
  compareRendered,
  compareRenderedObject,
  renderedObject,
  type RenderedObject,
  type WaitingClusters,
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

const nobody: WaitingClusters = new Map();

function renderedOf(objects: readonly KubernetesObject[]): Map<string, RenderedObject[]> {
  const ofKind = (kind: string): RenderedObject[] =>
    objects.filter((object) => object.kind === kind).map((object) => renderedObject(object, 'agent'));
  return new Map(['ManifestWork', 'RoleBinding'].map((kind) => [kind, ofKind(kind)]));
}

test('works and permissions that are as predicted are equal, and need not be read', () => {
  const compared = compareRendered(resolution, nobody, renderedOf(answered));
  expect(compared.equal.map(({ subject }) => subject)).toHaveLength(4);
  expect(compared).toMatchObject({ otherwise: [], surplus: [] });
});

test('another content is found by its hash, and shown by its fields', () => {
  const changed = JSON.parse(JSON.stringify(answered).replace('"info"', '"debug"')) as KubernetesObject[];
  const { otherwise } = compareRendered(resolution, nobody, renderedOf(changed));
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
  const { surplus } = compareRendered(resolution, nobody, rendered);
  expect(surplus.map(({ subject }) => subject)).toEqual(['ManifestWork c1/addon-agent-deploy-7']);
});

test('a cluster that waits for its wave is left out, and so is a kind that may not be read', () => {
  const rendered = new Map<string, RenderedObject[] | undefined>(renderedOf(answered));
  rendered.set('RoleBinding', undefined);
  const compared = compareRendered(resolution, new Map([['agent', new Set(['c2'])]]), rendered);
  expect(compared.equal.map(({ subject }) => subject)).toEqual(['ManifestWork c1/addon-agent-deploy-0']);
  expect(compared.otherwise).toEqual([]);
});

test('only the add-ons that are named are compared', () => {
  const names = { addOns: new Set<string>() };
  const compared = compareRendered(resolution, nobody, renderedOf(answered), names);
  expect(compared).toMatchObject({ equal: [], otherwise: [], surplus: [] });
});
