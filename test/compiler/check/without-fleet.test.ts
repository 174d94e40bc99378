import { expect, test, vi } from 'vitest';
import { resolve } from '../../../src/compiler/resolve.ts';
import type { Origin } from '../../../src/compiler/model/origin.ts';
import { hubVersion } from '../../../src/ocm/hub-version.ts';
import { loaded } from '../admit/loaded.ts';

const binding = {
  apiVersion: 'cluster.open-cluster-management.io/v1beta2',
  kind: 'ManagedClusterSetBinding',
  metadata: { name: 'prod', namespace: 'add-ons' },
  spec: { clusterSet: 'prod' },
};

/** Returns the codes of the findings about objects of an app, and how often a location was searched. */
function resolved(...others: readonly object[]): { codes: readonly string[]; located: number } {
  const object = loaded(binding);
  const locate = vi.fn<Origin['locate']>((path) => object.origin.locate(path));
  const objects = [{ ...object, origin: { ...object.origin, locate } }];
  const fleet = others.map((other) => loaded(other, 'fleet'));
  const { diagnostics } = resolve([...objects, ...fleet], { now: 0, hub: hubVersion('1.3') });
  return { codes: diagnostics.map(({ code }) => code), located: locate.mock.calls.length };
}

test('rules that need a fleet do not run without one', () => {
  const cluster = {
    apiVersion: 'cluster.open-cluster-management.io/v1',
    kind: 'ManagedCluster',
    metadata: { name: 'c1' },
    spec: { hubAcceptsClient: true },
  };
  expect(resolved(cluster).codes).toContain('FW7004');
  expect(resolved(cluster).located).toBeGreaterThan(0);
  expect(resolved()).toEqual({ codes: [], located: 0 });
});
