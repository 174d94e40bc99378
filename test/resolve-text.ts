import { expect } from 'vitest';
import type { Diagnostic } from '../src/compiler/model/diagnostic.ts';
import type { Surroundings } from '../src/compiler/model/elsewhere.ts';
import { hubVersion, type HubVersionName } from '../src/ocm/hub-version.ts';
import { load } from '../src/compiler/load/load.ts';
import { resolve, type Resolution } from '../src/compiler/resolve.ts';

/** Resolves YAML written in a test, as the commands do: loaded, admitted and followed through every phase. */
export function resolveText(
  text: string,
  {
    fleet = '',
    hub = '1.3',
    now = Date.parse('2026-06-01T00:00:00Z'),
    surroundings,
  }: { fleet?: string; hub?: HubVersionName; now?: number; surroundings?: Surroundings } = {},
): { resolution: Resolution; diagnostics: readonly Diagnostic[] } {
  const loaded = load([
    { file: 'app.yaml', text, source: 'app' },
    { file: 'fleet.yaml', text: fleet, source: 'fleet' },
  ]);
  expect(loaded.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  const { value, diagnostics } = resolve(loaded.value, {
    now,
    hub: hubVersion(hub),
    ...(surroundings && { surroundings }),
  });
  if (value === undefined) throw new Error(`not admitted: ${JSON.stringify(diagnostics, null, 2)}`);
  return { resolution: value, diagnostics };
}

/** Available clusters with these labels, in the set `global`, which is bound to the namespace `default`. */
export function fleetOf(clusters: Readonly<Record<string, Readonly<Record<string, string>>>>): string {
  const set = `apiVersion: cluster.open-cluster-management.io/v1beta2
kind: ManagedClusterSet
metadata: { name: global }
spec: { clusterSelector: { selectorType: LabelSelector, labelSelector: {} } }
---
apiVersion: cluster.open-cluster-management.io/v1beta2
kind: ManagedClusterSetBinding
metadata: { name: global, namespace: default }
spec: { clusterSet: global }
`;
  const each = Object.entries(clusters).map(
    ([name, labels]) => `---
apiVersion: cluster.open-cluster-management.io/v1
kind: ManagedCluster
metadata: { name: ${name}, labels: ${JSON.stringify(labels)} }
spec: { hubAcceptsClient: true }
status:
  conditions:
  - { type: ManagedClusterConditionAvailable, status: "True", reason: Available, message: "", lastTransitionTime: "2026-01-01T00:00:00Z" }
`,
  );
  return set + each.join('');
}
