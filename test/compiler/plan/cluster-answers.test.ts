import { describe, expect, test } from 'vitest';
import { checkGuardrails } from '../../../src/compiler/plan/guardrails.ts';
import { fleetOf } from '../../resolve-text.ts';
import { app, clusters, planOf, reported } from './states.ts';

/** The app with more manifests in its template. */
function withManifests(...manifests: readonly object[]): string {
  const list = manifests.map((manifest) => `      - ${JSON.stringify(manifest)}\n`).join('');
  return app.replace('      manifests:\n', `      manifests:\n${list}`);
}

const namespace = (name: string, annotations = {}): object => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name, annotations },
});

const deployment = (label: string): object => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'agent', namespace: 'agents' },
  spec: {
    selector: { matchLabels: { app: label } },
    template: { metadata: { labels: { app: label } }, spec: { containers: [{ name: 'a', image: 'a' }] } },
  },
});

const work = (name: string, cluster: string, ...manifests: readonly object[]): string => `
---
apiVersion: work.open-cluster-management.io/v1
kind: ManifestWork
metadata: { name: ${name}, namespace: ${cluster} }
spec: ${JSON.stringify({ workload: { manifests } })}
`;

function findingsOf(base: string, head: string): string[] {
  const { findings } = planOf({ text: base }, { text: head });
  return findings
    .filter(({ code }) => code.startsWith('FW83'))
    .map(({ code, message }) => `${code}: ${message}`);
}

describe('immutable fields', () => {
  const [base, head] = [withManifests(deployment('a')), withManifests(deployment('b'))];

  test('are refused, counted once for all clusters (FW8320)', () => {
    expect(findingsOf(base, head)).toEqual([
      'FW8320: 5 clusters refuse the change of add-on "hello" (Deployment agents/agent: spec.selector is immutable)',
    ]);
    const text = reported({ text: base }, { text: head });
    expect(text).toContain(
      'but refused by the API server: Deployment agents/agent: spec.selector is immutable\n',
    );
    expect(text).toContain('plan: 5 changed, 0 unchanged; 5 changes refused by clusters;');
  });

  test('are shown where the template has them, not where it was edited first', () => {
    const [before, after] = [namespace('shop', { edited: 'a' }), namespace('shop', { edited: 'b' })];
    const { findings } = planOf(
      { text: withManifests(before, deployment('a')) },
      { text: withManifests(after, deployment('b')) },
    );
    const head = withManifests(after, deployment('b')).split('\n');
    const lines = findings
      .filter(({ code }) => code === 'FW8320')
      .map(({ location }) => head[(location && 'line' in location ? location.line : 0) - 1]);
    expect(lines).toEqual([expect.stringContaining('"kind":"Deployment"')]);
  });

  test('stop a rollout at the clusters that refuse', () => {
    const inWaves = (text: string): string =>
      text.replaceAll('{ type: All }', '{ type: Progressive, progressive: { maxConcurrency: 1 } }');
    const text = reported({ text: inWaves(base) }, { text: inWaves(head) });
    expect(text).toContain('  1 wave\n    1: c1, c4, which refuse the change\n');
    expect(text).toContain(
      '  stops in wave 1: waits for "c1", which refuses the change, and there is no progressDeadline; 2 clusters left: c2, c3\n',
    );
  });

  test('are not refused if the agent only creates', () => {
    const createOnly = (text: string): string =>
      text.replace(
        '  agentSpec:\n',
        `  agentSpec:
    manifestConfigs:
    - resourceIdentifier: { group: apps, resource: deployments, namespace: agents, name: agent }
      updateStrategy: { type: CreateOnly }
`,
      );
    expect(findingsOf(createOnly(base), createOnly(head))).toEqual([]);
  });

  test('of works are refused too', () => {
    expect(
      findingsOf(app + work('w', 'c1', deployment('a')), app + work('w', 'c1', deployment('b'))),
    ).toEqual([
      'FW8320: 1 cluster refuses the change of ManifestWork "w" (Deployment agents/agent: spec.selector is immutable)',
    ]);
  });
});

describe('deletions', () => {
  const base = withManifests(namespace('shop'));

  test('with content come first, and are limited (FW8321, FW8322)', () => {
    expect(findingsOf(base, app)).toEqual([
      'FW8321: the change of add-on "hello" takes more along on 5 clusters: Namespace shop is deleted with everything in it',
    ]);
    const { plan } = planOf({ text: base }, { text: app });
    const none = { atMost: [], protect: [], approved: [] };
    const messages = (value: number): readonly string[] =>
      checkGuardrails(plan, { ...none, maxDeletions: { value } }).diagnostics.map(
        ({ code, message }) => `${code}: ${message}`,
      );
    expect(messages(5)).toEqual([]);
    expect(messages(4)).toEqual([
      'FW8322: the change makes a cluster delete an object with its content 5 times, but the guardrails allow at most 4',
    ]);
    expect(reported({ text: base }, { text: app })).toContain('5 objects deleted with their content');
  });

  test('are named for uninstalls', () => {
    const unselected = base.replace('values: [prod, stage]', 'values: [prod]');
    expect(findingsOf(base, unselected)).toEqual([
      'FW8321: the change of add-on "hello" takes more along on 2 clusters: Namespace shop is deleted with everything in it',
    ]);
  });

  test('do not happen to what is orphaned, or to what another work delivers', () => {
    const orphan = { 'addon.open-cluster-management.io/deletion-orphan': '' };
    expect(findingsOf(withManifests(namespace('shop', orphan)), app)).toEqual([]);
    expect(findingsOf(base, app + work('w', 'c1', namespace('shop')))).toEqual([
      'FW8321: the change of add-on "hello" takes more along on 4 clusters: Namespace shop is deleted with everything in it',
    ]);
  });

  test('happen although another work delivers the object, if that does not own it', () => {
    const options = [
      { deleteOption: { propagationPolicy: 'Orphan' } },
      {
        manifestConfigs: [
          {
            resourceIdentifier: { group: '', resource: 'namespaces', name: 'shop' },
            updateStrategy: { type: 'ReadOnly' },
          },
        ],
      },
    ];
    for (const more of options) {
      const other = work('w', 'c1', namespace('shop')).replace(
        'spec: {',
        `spec: {${JSON.stringify(more).slice(1, -1)},`,
      );
      expect(findingsOf(base + other, app + other)).toEqual([
        'FW8321: the change of add-on "hello" takes more along on 5 clusters: Namespace shop is deleted with everything in it',
      ]);
    }
  });

  test('do not happen on clusters that leave', () => {
    const fleet = fleetOf(Object.fromEntries(Object.entries(clusters).filter(([name]) => name !== 'c1')));
    const { findings } = planOf({ text: base }, { text: base, fleet });
    expect(findings.filter(({ code }) => code.startsWith('FW83'))).toEqual([]);
  });
});
