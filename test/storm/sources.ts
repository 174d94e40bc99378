import path from 'node:path';
import { filesOf, type Repository } from './history.ts';
import { clusterLabels, clusters } from './storm-hub.ts';

const group = 'addon.open-cluster-management.io';

/** Returns the sources of an app: one file per object, so that changes of different objects do not conflict. */
export function sourcesOf(app: string, value: number): Readonly<Record<string, string>> {
  const immutable = isImmutable(app) ? `\n  annotations: { fleetwright.dev/immutable: 'true' }` : '';
  const version = isImmutable(app) ? '' : `-${value}`;
  const head = (kind: string, name: string, api = `${group}/v1alpha1`): string =>
    `apiVersion: ${api}\nkind: ${kind}\nmetadata:\n  name: ${name}`;
  return {
    'namespace.yaml': `${head('Namespace', app, 'v1')}\n`,
    'binding.yaml': `${head('ManagedClusterSetBinding', 'global', 'cluster.open-cluster-management.io/v1beta2')}\n  namespace: ${app}\nspec: { clusterSet: global }\n`,
    'placement.yaml': `${head('Placement', 'all', 'cluster.open-cluster-management.io/v1beta1')}\n  namespace: ${app}\nspec: { clusterSets: [global], predicates: [{ requiredClusterSelector: { labelSelector: { matchLabels: ${JSON.stringify(clusterLabels)} } } }], tolerations: [{ operator: Exists }] }\n`,
    'config.yaml': `${head('AddOnDeploymentConfig', `settings${version}`)}\n  namespace: ${app}${immutable}\nspec: { customizedVariables: [{ name: LEVEL, value: v${value} }] }\n`,
    'template.yaml': `${head('AddOnTemplate', `${app}${version}`)}${immutable}\nspec: { addonName: ${app}, agentSpec: { workload: { manifests: [{ apiVersion: v1, kind: ConfigMap, metadata: { name: ${app}, namespace: open-cluster-management-agent-addon }, data: { v: v${value} } }] } } }\n`,
    'add-on.yaml': addOnOf(app, `${app}${version}`, `settings${version}`, 'all'),
  };
}

function addOnOf(app: string, template: string, config: string, placement: string): string {
  return `apiVersion: ${group}/v1alpha1
kind: ClusterManagementAddOn
metadata:
  name: ${app}
spec:
  supportedConfigs:
    - { group: ${group}, resource: addontemplates, defaultConfig: { name: ${template} } }
    - { group: ${group}, resource: addondeploymentconfigs, defaultConfig: { name: ${config}, namespace: ${app} } }
  installStrategy:
    type: Placements
    placements:
      - name: ${placement}
        namespace: ${app}
        rolloutStrategy: { type: Progressive, progressive: { maxConcurrency: 1 } }
`;
}

/** Returns an app in TypeScript with an immutable template and configuration. */
export function typeScriptApp(app: string, value: number): string {
  return `import { ApiObject } from 'cdk8s';
import { AddOnDeploymentConfig, AddOnTemplate, App, Chart, ClusterManagementAddOn, ManagedClusterSet, ManagedClusterSetBinding, Placement, Rollout } from 'fleetwright';
const app = new App();
const chart = new Chart(app, '${app}', { namespace: '${app}' });
new ApiObject(chart, 'namespace', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: '${app}' } });
new ManagedClusterSetBinding(chart, 'global', { clusterSet: ManagedClusterSet.global });
const all = new Placement(chart, 'all', { clusterSets: [ManagedClusterSet.global], predicates: [{ labels: ${JSON.stringify(clusterLabels)} }] });
const config = new AddOnDeploymentConfig(chart, 'settings', { immutable: true, customizedVariables: { LEVEL: 'v${value}' } });
const template = new AddOnTemplate(chart, 'template', {
  addonName: '${app}',
  immutable: true,
  workload: (workload) => {
    const metadata = { name: '${app}', namespace: 'open-cluster-management-agent-addon' };
    new ApiObject(workload, 'level', { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { v: 'v${value}' } });
  },
});
new ClusterManagementAddOn(chart, '${app}', {
  defaultConfigs: [template, config],
  placements: [{ placement: all, rollout: Rollout.progressive({ maxConcurrency: 1 }) }],
});
export default app;
`;
}

/** The names of the apps of a storm. */
export function appsOf(prefix: string) {
  return {
    plain: `${prefix}alpha`,
    immutable: `${prefix}beta`,
    typeScript: `${prefix}gamma`,
    third: `${prefix}gamma-yaml`,
  };
}

function isImmutable(app: string): boolean {
  return app.endsWith('beta');
}

/** An edit of sources. */
export type Change = (repository: Repository, random: () => number) => void;

/** Returns the edits of sources, which Git merges if they are of different objects. */
export function changesOf(prefix: string): readonly Change[] {
  const { plain, immutable, typeScript } = appsOf(prefix);
  return [
    (repository, random) => release(repository, plain, Math.floor(random() * 9)),
    (repository, random) => release(repository, immutable, Math.floor(random() * 9)),
    (repository, random) => {
      const [app, value] = [random() < 0.5 ? plain : immutable, Math.floor(random() * 9)];
      if (isImmutable(app))
        repository.write(`apps/${app}/config.yaml`, sourcesOf(app, value)['config.yaml'] ?? '');
      else release(repository, app, value);
    },
    // Another placement, and none of the earlier name.
    (repository, random) => {
      const name = `p${Math.floor(random() * 3)}`;
      for (const app of [plain, immutable])
        if (random() < 0.6) {
          const text = repository.read(`apps/${app}/add-on.yaml`);
          repository.write(`apps/${app}/add-on.yaml`, text.replace(/- name: .*/, `- name: ${name}`));
          const placement = sourcesOf(app, 0)['placement.yaml'] ?? '';
          repository.write(`apps/${app}/placement.yaml`, placement.replace('name: all', `name: ${name}`));
        }
    },
    // An override of one cluster, or none any more.
    (repository, random) => {
      const file = `apps/${plain}/override.yaml`;
      const cluster = clusters[Math.floor(random() * clusters.length)] ?? '';
      if (random() < 0.4) return repository.remove(file);
      repository.write(file, overrideOf(plain, cluster));
    },
    (repository, random) => {
      if (filesOf(path.join(repository.folder, 'apps', typeScript)).length > 0)
        repository.write(`apps/${typeScript}/app.ts`, typeScriptApp(typeScript, Math.floor(random() * 9)));
      else release(repository, immutable, Math.floor(random() * 9));
    },
  ];
}

function overrideOf(app: string, cluster: string): string {
  return `apiVersion: ${group}/v1alpha1
kind: AddOnDeploymentConfig
metadata: { name: special-${cluster}, namespace: ${app} }
spec: {}
---
apiVersion: ${group}/v1alpha1
kind: ManagedClusterAddOn
metadata: { name: ${app}, namespace: ${cluster} }
spec: { configs: [{ group: ${group}, resource: addondeploymentconfigs, name: special-${cluster}, namespace: ${app} }] }
`;
}

function release(repository: Repository, app: string, value: number): void {
  const sources = sourcesOf(app, value);
  for (const file of ['config.yaml', 'template.yaml'])
    repository.write(`apps/${app}/${file}`, sources[file] ?? '');
  if (isImmutable(app)) return;
  const placement = /- name: (.*)/.exec(repository.read(`apps/${app}/add-on.yaml`))?.[1] ?? 'all';
  repository.write(
    `apps/${app}/add-on.yaml`,
    addOnOf(app, `${app}-${value}`, `settings-${value}`, placement),
  );
}
