import type { Diagnostic } from '../../../src/compiler/model/diagnostic.ts';
import { hubVersion, type HubVersionName } from '../../../src/ocm/hub-version.ts';
import { plan, type Plan } from '../../../src/compiler/plan/plan.ts';
import { planText } from '../../../src/compiler/report/text/plan-text.ts';
import { fleetOf, resolveText } from '../../resolve-text.ts';

const api = 'addon.open-cluster-management.io';

/** The labels of six clusters, three of them in production. */
export const clusters: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  c1: { env: 'prod', region: 'eu' },
  c2: { env: 'prod', region: 'us' },
  c3: { env: 'prod', region: 'us' },
  c4: { env: 'stage', region: 'eu' },
  c5: { env: 'stage', region: 'us' },
  c6: { env: 'dev', region: 'eu' },
};

export const placement = (name: string, selector: string): string => `
---
apiVersion: cluster.open-cluster-management.io/v1beta1
kind: Placement
metadata: { name: ${name}, namespace: default }
spec:
  predicates: [{ requiredClusterSelector: { labelSelector: ${selector} } }]
  tolerations:
  - { key: cluster.open-cluster-management.io/unreachable, operator: Exists }
  - { key: cluster.open-cluster-management.io/unavailable, operator: Exists }
`;

export const config = (name: string, level: string): string => `
---
apiVersion: ${api}/v1alpha1
kind: AddOnDeploymentConfig
metadata: { name: ${name}, namespace: default }
spec:
  agentInstallNamespace: ""
  customizedVariables:
  - name: LEVEL
    value: ${JSON.stringify(level)}
`;

export const template = (name: string, data: string, registration = '[]'): string => `
---
apiVersion: ${api}/v1alpha1
kind: AddOnTemplate
metadata: { name: ${name} }
spec:
  addonName: hello
  registration: ${registration}
  agentSpec:
    workload:
      manifests:
      - apiVersion: v1
        kind: ConfigMap
        metadata: { name: agent, namespace: agents }
        data: ${data}
`;

/** One entry of the install strategy. */
export const installed = (placement: string, config?: string, rollout = '{ type: All }'): string =>
  `
    - name: ${placement}
      namespace: default
      rolloutStrategy: ${rollout}
      configs: [${config === undefined ? '' : `{ group: ${api}, resource: addondeploymentconfigs, namespace: default, name: ${config} }`}]`;

export const addOn = (placements: string, template = 't1', type = 'Placements'): string => `
---
apiVersion: ${api}/v1alpha1
kind: ClusterManagementAddOn
metadata: { name: hello }
spec:
  supportedConfigs:
  - { group: ${api}, resource: addontemplates, defaultConfig: { name: ${template} } }
  - { group: ${api}, resource: addondeploymentconfigs, defaultConfig: { name: base, namespace: default } }
  installStrategy:
    type: ${type}
    placements: ${type === 'Manual' ? '[]' : placements}
`;

/** The app that the tests edit: two placements, of which prod has a separate configuration. */
export const app: string =
  addOn(installed('stage') + installed('prod', 'prod')) +
  placement('stage', '{ matchExpressions: [{ key: env, operator: In, values: [prod, stage] }] }') +
  placement('prod', '{ matchLabels: { env: prod } }') +
  config('base', 'info') +
  config('prod', 'warn') +
  template('t1', '{ level: "{{LEVEL}}" }');

/** The same with a Deployment, whose image registries can rewrite. */
export const appWithDeployment = app.replace(
  '{ level: "{{LEVEL}}" }',
  `{ level: "{{LEVEL}}" }
      - apiVersion: apps/v1
        kind: Deployment
        metadata: { name: agent, namespace: agents }
        spec:
          selector: { matchLabels: { app: agent } }
          template:
            metadata: { labels: { app: agent } }
            spec: { containers: [{ name: agent, image: "quay.io/a/agent:1" }] }`,
);

/** One state: what is written, and the labels of the fleet. */
export interface Written {
  readonly text?: string;
  readonly fleet?: string;
}

/** The plan from one state to another; what is not given is as in `app` and `clusters`. */
export function planOf(
  base: Written,
  head: Written,
  by: readonly string[] = [],
  hub: HubVersionName = '1.3',
): { plan: Plan; findings: readonly Diagnostic[] } {
  const [from, to] = [base, head].map(
    ({ text = app, fleet = fleetOf(clusters) }) => resolveText(text, { fleet, hub }).resolution,
  );
  if (from === undefined || to === undefined) throw new Error('two states');
  const { value, diagnostics } = plan([{ app: 'hello', base: from, head: to }], {
    hub: hubVersion(hub),
    by,
  });
  return { plan: value, findings: diagnostics };
}

/** The text report without its last line, the hash. */
export function reported(base: Written, head: Written, by: readonly string[] = []): string {
  const text = planText(planOf(base, head, by).plan, { paint: (_tone, text) => text, names: 10 });
  return text.replace(/hash: [0-9a-f]{64}\n$/, '');
}
