import { expect, test } from 'vitest';
import { fleetOf } from '../../resolve-text.ts';
import { folderWith, runIn } from '../../cli/terminal.ts';

const clusterGroup = 'cluster.open-cluster-management.io';

const hub = (env: string): string => `apiVersion: ${clusterGroup}/v1beta1
kind: Placement
metadata: { name: prod, namespace: default }
spec:
  tolerations: [{ operator: Exists }]
  predicates: [{ requiredClusterSelector: { labelSelector: { matchLabels: { env: ${env} } } } }]
---
apiVersion: policy.open-cluster-management.io/v1
kind: PlacementBinding
metadata: { name: security, namespace: default }
placementRef: { apiGroup: ${clusterGroup}, kind: Placement, name: prod }
subjects: [{ apiGroup: policy.open-cluster-management.io, kind: Policy, name: etcd }]
`;

/** The text of each format about the Policy that two clusters lose. */
const expected: Readonly<Record<string, RegExp>> = {
  text: /^Policy default\/etcd \(app a\)\n {2}UNINSTALLED from 2 clusters: c1, c2\n/,
  markdown: /### Policy default\/etcd \(app a\)\n+\*\*UNINSTALLED from 2 clusters\*\*/,
  html: /Policy default\/etcd/,
  json: /"kind": "Policy",\s+"addOn": "default\/etcd"/,
  github: /::warning [^\n]*::Policy "default\/etcd" is UNINSTALLED from 2 clusters/,
  sarif: /Policy \\"default\/etcd\\" is UNINSTALLED from 2 clusters/,
  junit: /Policy default\/etcd/,
};

test.each(Object.entries(expected))('%s reports the followers of a Placement', async (format, pattern) => {
  const fleet = fleetOf({ c1: { env: 'prod' }, c2: { env: 'prod' }, c3: { env: 'dev' } });
  const cwd = await folderWith({
    'base/apps/a/hub.yaml': hub('prod'),
    'base/apps/a/fleet.yaml': fleet,
    'head/apps/a/hub.yaml': hub('prdo'),
    'head/apps/a/fleet.yaml': fleet,
  });
  const { out } = await runIn(cwd, ['plan', 'base', 'head', '-o', format]);
  expect(out).toMatch(pattern);
  expect(out.toLowerCase()).not.toContain('nothing changes');
});
