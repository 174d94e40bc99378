import { describe, expect, test } from 'vitest';
import { fleetOf } from '../../resolve-text.ts';
import { app, clusters, planOf } from './states.ts';

const prefix = 'addon.open-cluster-management.io';

/** The fleet, of which some clusters have a hosting cluster. */
function hostedFleet(hosting: Readonly<Record<string, string>>): string {
  return Object.entries(hosting).reduce(
    (fleet, [name, host]) =>
      fleet.replace(
        `name: ${name},`,
        `name: ${name}, annotations: { ${prefix}/hosting-cluster-name: ${host} },`,
      ),
    fleetOf(clusters),
  );
}

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: object;
  readonly spec?: object;
}

/** The app with compiled delivery, and more manifests for the hosting cluster. */
function withHosted(...manifests: readonly Manifest[]): string {
  const list = manifests.map((manifest) => {
    const annotations = { [`${prefix}/hosted-manifest-location`]: 'hosting' };
    return `      - ${JSON.stringify({ ...manifest, metadata: { ...manifest.metadata, annotations } })}\n`;
  });
  return app
    .replace(
      'metadata: { name: hello }',
      'metadata: { name: hello, annotations: { fleetwright.dev/delivery: compiled } }',
    )
    .replace('      manifests:\n', `      manifests:\n${list.join('')}`);
}

const namespace = (name: string): Manifest => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });

const deployment = (label: string): Manifest => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'agent', namespace: 'agents' },
  spec: { selector: { matchLabels: { app: label } }, template: { metadata: { labels: { app: label } } } },
});

const work = (cluster: string, manifest: Manifest): string => `
---
apiVersion: work.open-cluster-management.io/v1
kind: ManifestWork
metadata: { name: w, namespace: ${cluster} }
spec: ${JSON.stringify({ workload: { manifests: [manifest] } })}
`;

const two = hostedFleet({ c2: 'c6', c3: 'c6' });

function answers(base: string, head: string, fleet = two, later = fleet): string[] {
  const { findings } = planOf({ text: base, fleet }, { text: head, fleet: later });
  return findings
    .filter(({ code }) => code.startsWith('FW83'))
    .map(({ code, message }) => `${code}: ${message}`);
}

describe('what a hosting cluster answers', () => {
  test('a change of an immutable field is refused there', () => {
    const found = answers(withHosted(deployment('a')), withHosted(deployment('b')));
    expect(found.join('\n')).toContain(
      'Deployment agents/agent (hosting cluster): spec.selector is immutable',
    );
  });

  test('an object that all share is deleted once, one of each cluster for each', () => {
    const count = (manifest: Manifest): number =>
      planOf({ text: withHosted(manifest), fleet: two }, { text: withHosted(), fleet: two })
        .plan.addOns.flatMap(({ groups }) => groups)
        .flatMap(({ answers = [] }) => answers)
        .filter(({ object }) => object.endsWith('(hosting cluster)'))
        .reduce((sum, { clusters }) => sum + clusters, 0);
    expect(count(namespace('shop'))).toBe(1);
    expect(count(namespace('shop-{{CLUSTER_NAME}}'))).toBe(2);
  });

  test('an object stays while something else delivers it to the hosting cluster', () => {
    const base = withHosted(namespace('shop'));
    const onHost = (head: string, later?: string): string[] =>
      answers(base, head, two, later).filter((text) => text.includes('(hosting cluster)'));
    expect(onHost(withHosted())).toHaveLength(1);
    expect(onHost(withHosted() + work('c6', namespace('shop')))).toEqual([]);
    expect(onHost(withHosted() + work('c2', namespace('shop')))).toHaveLength(1);
    // c3 is hosted as before
    expect(onHost(base, hostedFleet({ c3: 'c6' }))).toEqual([]);
    expect(onHost(base, hostedFleet({ c2: 'c5', c3: 'c5' }))).toHaveLength(1);
  });

  test('an object of a work stays while a hosted add-on delivers it', () => {
    const shop = namespace('shop');
    expect(answers(withHosted(shop) + work('c6', shop), withHosted(shop))).toEqual([]);
    expect(answers(withHosted() + work('c6', shop), withHosted())).toHaveLength(1);
  });
});
