import type { Diagnostic } from '../../../src/compiler/model/diagnostic.ts';
import { load } from '../../../src/compiler/load/load.ts';
import { resolve, type Resolution } from '../../../src/compiler/resolve.ts';
import type { NamedHub } from '../../../src/compiler/model/elsewhere.ts';
import { hubVersion } from '../../../src/ocm/hub-version.ts';

const api = 'addon.open-cluster-management.io';

/** A placement of the add-on, which selects clusters by labels. */
export interface PlacementText {
  readonly name: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly rollout?: string;
  readonly spec?: string;
}

/** The add-on `logs`, with a template that uses no configuration, and its placements. */
export function addOnText({
  placements = [{ name: 'all' }],
  annotations = {},
}: {
  readonly placements?: readonly PlacementText[];
  readonly annotations?: Readonly<Record<string, string>>;
} = {}): string {
  const strategies = placements.map(
    ({ name, rollout = '{ type: All }' }) =>
      `    - { name: ${name}, namespace: default, rolloutStrategy: ${rollout} }\n`,
  );
  const objects = placements.map(
    ({ name, labels = {}, spec = '' }) => `---
apiVersion: cluster.open-cluster-management.io/v1beta1
kind: Placement
metadata: { name: ${name}, namespace: default }
spec: { predicates: [{ requiredClusterSelector: { labelSelector: { matchLabels: ${JSON.stringify(labels)} } } }]${spec} }
`,
  );
  return `apiVersion: ${api}/v1beta1
kind: ClusterManagementAddOn
metadata: { name: logs, annotations: ${JSON.stringify(annotations)} }
spec:
  defaultConfigs: [{ group: ${api}, resource: addontemplates, name: logs }]
  installStrategy:
    type: Placements
    placements:
${strategies.join('')}---
apiVersion: ${api}/v1alpha1
kind: AddOnTemplate
metadata: { name: logs }
spec:
  addonName: logs
  agentSpec:
    workload:
      manifests:
      - { apiVersion: v1, kind: ConfigMap, metadata: { name: logs, namespace: default }, data: { level: '{{LOG_LEVEL}}' } }
${objects.join('')}`;
}

/** The parameters of `logs`: the text below `spec`, which begins in the first column. */
export function parametersText(spec: string): string {
  const indented = spec.replaceAll(/^(?=.)/gm, '  ');
  return `---
apiVersion: fleetwright.dev/v1alpha1
kind: AddOnParameters
metadata: { name: logs, namespace: default }
spec:
${indented}`;
}

/** Resolves an app. The resolution is undefined if there is an error. */
export function resolveParameters(
  text: string,
  fleet: string,
  hub?: NamedHub,
): { readonly resolution: Resolution | undefined; readonly diagnostics: readonly Diagnostic[] } {
  const loaded = load([
    { file: 'app.yaml', text, source: 'app' },
    { file: 'fleet.yaml', text: fleet, source: 'fleet' },
  ]);
  const { value, diagnostics } = resolve(loaded.value, {
    now: Date.parse('2026-06-01T00:00:00Z'),
    hub: hubVersion('1.3'),
    surroundings: { external: [], snapshots: [], ...(hub && { hub }) },
  });
  return { resolution: value, diagnostics: [...loaded.diagnostics, ...diagnostics] };
}

/** Returns the customized variables that each cluster uses, according to the configuration that the hub resolves. */
export function variablesOf(resolution: Resolution): Record<string, Record<string, string>> {
  const { configuration, inventory } = resolution;
  const clusters: Record<string, Record<string, string>> = {};
  for (const [cluster, { effective }] of configuration.get('logs')?.clusters ?? []) {
    const reference = effective.references.find(({ resource }) => resource === 'addondeploymentconfigs');
    const key = `${reference?.namespace}/${reference?.name}`;
    const variables = inventory.addOnDeploymentConfigs.get(key)?.object.spec?.customizedVariables ?? [];
    clusters[cluster] = Object.fromEntries(variables.map(({ name, value = '' }) => [name, value]));
  }
  return clusters;
}

/** Returns the emitted objects of a kind, by name. */
export function emittedNames({ inventory }: Resolution, kind: string): string[] {
  return inventory.objects
    .filter(({ object, source }) => source === 'app' && object.kind === kind)
    .map(
      ({ object: { metadata } }) =>
        (kind === 'ManagedClusterAddOn' ? metadata.namespace : metadata.name) ?? '',
    );
}

/** Returns findings as `code line: message (hint)`. */
export function findingLines(diagnostics: readonly Diagnostic[]): string[] {
  return diagnostics
    .filter(({ code }) => code.startsWith('FW41'))
    .map(({ code, location, message, hint }) => {
      const line = location !== undefined && 'line' in location ? location.line : undefined;
      return `${code} ${line ?? '?'}: ${message}${hint === undefined ? '' : ` (${hint})`}`;
    });
}
