import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { Diagnostic } from '../../src/compiler/model/diagnostic.ts';
import type { Plan } from '../../src/compiler/plan/plan.ts';
import { run } from '../../src/cli/run.ts';
import type { KubernetesObject } from '../../src/base/objects/object-meta.ts';
import { connect } from './client/hub.ts';
import { isOfKind, ocmKinds } from './client/kinds.ts';
import { sharedHub } from './client/shared-hub.ts';
import { readHub, type Answer } from './record/recording.ts';
import { removeScenario } from './record/remove-scenario.ts';
import { parseObjects, printObjects } from './record/scenario.ts';
import { recordRollout } from './record/waves.ts';

const hub = connect(await sharedHub());
afterAll(() => hub.close());

const api = 'addon.open-cluster-management.io';

/** Six clusters of which four are in production, and an add-on that goes to them two at a time. */
const base = (prefix: string): string => `
apiVersion: cluster.open-cluster-management.io/v1beta2
kind: ManagedClusterSetBinding
metadata: { name: global, namespace: ${prefix}-ns }
spec: { clusterSet: global }
---
apiVersion: v1
kind: Namespace
metadata: { name: ${prefix}-ns }
---
${['prod', 'prod', 'prod', 'prod', 'stage', 'dev']
  .map(
    (env, index) => `apiVersion: cluster.open-cluster-management.io/v1
kind: ManagedCluster
metadata: { name: ${prefix}-c${index + 1}, labels: { env: ${env}, test: ${prefix} } }
spec: { hubAcceptsClient: true }
status:
  conditions:
  - { type: ManagedClusterConditionAvailable, status: "True", reason: Available, message: "", lastTransitionTime: "2026-01-01T00:00:00Z" }
`,
  )
  .join('---\n')}---
apiVersion: cluster.open-cluster-management.io/v1beta1
kind: Placement
metadata: { name: ${prefix}-prod, namespace: ${prefix}-ns }
spec:
  predicates:
  - requiredClusterSelector: { labelSelector: { matchLabels: { test: ${prefix}, env: prod } } }
---
apiVersion: cluster.open-cluster-management.io/v1beta1
kind: Placement
metadata: { name: ${prefix}-stage, namespace: ${prefix}-ns }
spec:
  predicates:
  - requiredClusterSelector: { labelSelector: { matchLabels: { test: ${prefix}, env: stage } } }
---
apiVersion: ${api}/v1alpha1
kind: AddOnDeploymentConfig
metadata: { name: ${prefix}-config, namespace: ${prefix}-ns }
spec:
  agentInstallNamespace: ""
  customizedVariables: [{ name: LEVEL, value: "info" }]
---
apiVersion: ${api}/v1alpha1
kind: AddOnTemplate
metadata: { name: ${prefix}-t1 }
spec:
  addonName: ${prefix}
  agentSpec:
    workload:
      manifests:
      - { apiVersion: v1, kind: ConfigMap, metadata: { name: agent, namespace: default }, data: { level: "{{LEVEL}}" } }
---
apiVersion: ${api}/v1alpha1
kind: ClusterManagementAddOn
metadata: { name: ${prefix} }
spec:
  supportedConfigs:
  - { group: ${api}, resource: addontemplates, defaultConfig: { name: ${prefix}-t1 } }
  - { group: ${api}, resource: addondeploymentconfigs }
  installStrategy:
    type: Placements
    placements:
    - name: ${prefix}-prod
      namespace: ${prefix}-ns
      configs: [{ group: ${api}, resource: addondeploymentconfigs, namespace: ${prefix}-ns, name: ${prefix}-config }]
      rolloutStrategy: { type: Progressive, progressive: { maxConcurrency: "50%" } }
    - { name: ${prefix}-stage, namespace: ${prefix}-ns, rolloutStrategy: { type: All } }
`;

interface Change {
  readonly name: string;
  /** A separate prefix of all names: the tests share one hub. */
  readonly prefix: string;
  readonly edit: (text: string) => string;
  /** Whether the hub renders new content before the turn of a cluster. */
  readonly inPlace?: true;
}

const changes: readonly Change[] = [
  {
    name: 'another configuration goes to its clusters in waves',
    prefix: 'ptconf',
    edit: (text) =>
      text
        .replace('value: "info"', 'value: "debug"')
        .replaceAll('name: ptconf-config', 'name: ptconf-config2'),
  },
  {
    name: 'a configuration that is edited in place waits for no turn, which the plan warns of',
    prefix: 'ptedit',
    edit: (text) => text.replace('value: "info"', 'value: "debug"'),
    inPlace: true,
  },
  {
    name: 'another template goes to all clusters',
    prefix: 'pttempl',
    edit: (text) => text.replaceAll('pttempl-t1', 'pttempl-t2').replace('"{{LEVEL}}"', '"{{LEVEL}}!"'),
  },
  {
    name: 'labels take the add-on from clusters, and bring it to others',
    prefix: 'ptlabel',
    edit: (text) =>
      text
        .replace('ptlabel-c4, labels: { env: prod', 'ptlabel-c4, labels: { env: dev')
        .replace('ptlabel-c6, labels: { env: dev', 'ptlabel-c6, labels: { env: stage'),
  },
  {
    name: 'a selector that matches nothing uninstalls everywhere at once',
    prefix: 'ptnone',
    edit: (text) => text.replace('env: prod } } }', 'env: prdo } } }'),
  },
];

test.for(changes)('$name', async ({ prefix, edit, inPlace = false }) => {
  const input = parseObjects(base(prefix));
  const head = parseObjects(edit(base(prefix)));
  const update = head.filter(
    (object) => !input.some((other) => JSON.stringify(other) === JSON.stringify(object)),
  );
  const planned = await plan(input, head);
  const [addOn] = planned.addOns;
  if (addOn === undefined) throw new Error('the plan says that nothing changes');
  try {
    let before: Answer = {};
    const waves = await recordRollout(hub, { name: prefix, input, update }, async () => {
      before = await readHub(hub, input);
    });
    const after = await readHub(hub, head);
    const clustersWith = (effect: string): string[] =>
      addOn.groups.flatMap((group) => (group.effect === effect ? group.clusters : [])).sort();
    expect(planned.findings.some(({ code }) => code === 'FW7209')).toBe(inPlace);
    const planWaves = addOn.rollout.waves.map(({ clusters }) => clusters);
    const together = (waves: readonly (readonly string[])[]): readonly (readonly string[])[] =>
      inPlace ? [[...new Set(waves.flat())].sort()] : waves;
    expect({
      uninstalled: clustersWith('uninstalled'),
      installed: clustersWith('installed'),
      changed: [...clustersWith('changed'), ...clustersWith('rerolled')].sort(),
      waves: together(planWaves),
    }).toEqual({ ...differences(prefix, before, after), waves: together(waves.update) });
  } finally {
    await removeScenario(hub, [...input, ...head]);
  }
});

/** What the hub did to an add-on between two answers, by cluster. */
function differences(
  addOn: string,
  before: Answer,
  after: Answer,
): Readonly<Record<'uninstalled' | 'installed' | 'changed', readonly string[]>> {
  const [had, has] = [before, after].map((answer) => {
    const keys = Object.keys(answer).filter((key) => key.startsWith('ManagedClusterAddOn/'));
    return keys.flatMap((key) => {
      const [, cluster = '', name] = key.split('/');
      return name === addOn ? [cluster] : [];
    });
  });
  const worksOf = (answer: Answer, cluster: string): string =>
    JSON.stringify(Object.entries(answer).filter(([key]) => key.startsWith(`ManifestWork/${cluster}/`)));
  const both = (has ?? []).filter((cluster) => had?.includes(cluster));
  return {
    uninstalled: (had ?? []).filter((cluster) => !has?.includes(cluster)).sort(),
    installed: (has ?? []).filter((cluster) => !had?.includes(cluster)).sort(),
    changed: both.filter((cluster) => worksOf(before, cluster) !== worksOf(after, cluster)).sort(),
  };
}

interface Planned extends Plan {
  readonly findings: readonly Diagnostic[];
}

/** The plan of the command line, from one folder to the other. */
async function plan(input: readonly KubernetesObject[], head: readonly KubernetesObject[]): Promise<Planned> {
  const folder = await mkdtemp(path.join(tmpdir(), 'fleetwright-plan-is-true-'));
  try {
    for (const [state, objects] of [
      ['base', input],
      ['head', head],
    ] as const) {
      await mkdir(path.join(folder, state, 'apps/a'), { recursive: true });
      const isCluster = (object: KubernetesObject): boolean => isOfKind(object, ocmKinds.managedCluster);
      const write = async (name: string, part: readonly KubernetesObject[]): Promise<void> =>
        await writeFile(path.join(folder, state, 'apps/a', name), printObjects(part));
      await write(
        'hub.yaml',
        objects.filter((object) => !isCluster(object)),
      );
      await write('fleet.yaml', objects.filter(isCluster));
    }
    let out = '';
    await run(['plan', 'base', 'head', '--hub-version', '1.2', '-o', 'json'], {
      cwd: folder,
      now: () => Date.now(),
      readInput: () => Promise.resolve(new Uint8Array()),
      out: (text) => (out += text),
      err: () => undefined,
      color: false,
    });
    return JSON.parse(out) as Planned;
  } finally {
    await rm(folder, { recursive: true });
  }
}
