import type { Diagnostic } from '../../../src/compiler/model/diagnostic.ts';
import type { HubVersionName } from '../../../src/ocm/hub-version.ts';
import type { ClusterRendering, Rendering } from '../../../src/compiler/render/render-result.ts';
import type { Resolution } from '../../../src/compiler/resolve.ts';
import { resolveText } from '../../resolve-text.ts';

const group = 'addon.open-cluster-management.io';

/** A template add-on `agent` that is installed by hand, with everything that a test says otherwise. */
export interface TemplateAddOn {
  readonly manifests?: readonly object[];
  readonly registration?: readonly object[];
  /** Fields of `spec.agentSpec` beside the workload. */
  readonly agentSpec?: object;
  /** `spec.addonName` of the template. @default 'agent' */
  readonly addonName?: string;
  readonly templateAnnotations?: Readonly<Record<string, string>>;
  /** The spec of the AddOnDeploymentConfig `ns/config`, which is the default one. @default - no such object */
  readonly config?: object;
  /** By name: annotations of the ManagedCluster, and the ManagedClusterAddOn's own. */
  readonly clusters?: Readonly<Record<string, ClusterOfAddOn>>;
  /** Annotations of the ClusterManagementAddOn. */
  readonly annotations?: Readonly<Record<string, string>>;
  readonly others?: readonly object[];
  readonly hub?: HubVersionName;
}

export interface ClusterOfAddOn {
  readonly annotations?: Readonly<Record<string, string>>;
  /** What the cluster reports to run, such as `v1.31.2`. */
  readonly kubernetes?: string;
  /** The status of the cluster's condition that it is available. @default - no such condition */
  readonly available?: 'True' | 'False' | 'Unknown';
  readonly addOnMetadata?: object;
  readonly addOnSpec?: object;
  readonly addOnStatus?: object;
  /** The version in which the ManagedClusterAddOn is written. @default 'v1beta1' */
  readonly addOnVersion?: 'v1alpha1' | 'v1beta1';
}

/** What the hub makes of it. */
export interface ResolvedTemplate {
  readonly resolution: Resolution;
  readonly rendering: Rendering;
  readonly diagnostics: readonly Diagnostic[];
  /** What it makes of the add-on on one cluster; the only one if none is named. */
  on(cluster?: string): ClusterRendering;
  /** The diagnostics with this code, without their places. */
  found(code: string): readonly Finding[];
}

export type Finding = Pick<Diagnostic, 'severity' | 'message' | 'path' | 'hint'>;

export function resolveTemplate({
  manifests = [],
  registration,
  agentSpec,
  addonName = 'agent',
  templateAnnotations,
  config,
  clusters = { c1: {} },
  annotations,
  others = [],
  hub = '1.3',
}: TemplateAddOn): ResolvedTemplate {
  const objects: object[] = [
    {
      apiVersion: `${group}/v1alpha1`,
      kind: 'ClusterManagementAddOn',
      metadata: { name: 'agent', annotations },
      spec: {
        supportedConfigs: [
          { group, resource: 'addontemplates', defaultConfig: { name: 'template' } },
          {
            group,
            resource: 'addondeploymentconfigs',
            ...(config === undefined ? {} : { defaultConfig: { namespace: 'ns', name: 'config' } }),
          },
        ],
      },
    },
    addOnTemplate(
      'template',
      { addonName, agentSpec: { ...agentSpec, workload: { manifests } }, registration },
      templateAnnotations,
    ),
    ...(config === undefined ? [] : [deploymentConfig('config', config)]),
    ...Object.entries(clusters).flatMap(
      ([
        name,
        {
          annotations,
          kubernetes,
          available,
          addOnMetadata,
          addOnSpec = {},
          addOnStatus,
          addOnVersion = 'v1beta1',
        },
      ]) => [
        {
          apiVersion: 'cluster.open-cluster-management.io/v1',
          kind: 'ManagedCluster',
          metadata: { name, annotations },
          spec: { hubAcceptsClient: true },
          status: {
            ...(kubernetes === undefined ? {} : { version: { kubernetes } }),
            ...(available === undefined ? {} : { conditions: [availability(available)] }),
          },
        },
        {
          apiVersion: `${group}/${addOnVersion}`,
          kind: 'ManagedClusterAddOn',
          metadata: { name: 'agent', namespace: name, ...addOnMetadata },
          spec: addOnSpec,
          ...(addOnStatus === undefined ? {} : { status: addOnStatus }),
        },
      ],
    ),
    ...others,
  ];
  const { resolution, diagnostics } = resolveText(objects.map(jsonOf).join('\n---\n'), {
    hub,
  });
  const { rendering } = resolution;
  return {
    resolution,
    rendering,
    diagnostics,
    on(cluster = Object.keys(clusters)[0] ?? '') {
      const rendered = rendering.clusterAddOn('agent', cluster);
      if (rendered === undefined) throw new Error(`the add-on is not on ${cluster}`);
      return rendered;
    },
    found: (code) =>
      diagnostics
        .filter((diagnostic) => diagnostic.code === code)
        .map(({ severity, message, path, hint }) => ({
          severity,
          message,
          ...(path === undefined ? {} : { path }),
          ...(hint === undefined ? {} : { hint }),
        })),
  };
}

function availability(status: string): object {
  const lastTransitionTime = '2026-01-01T00:00:00Z';
  return {
    type: 'ManagedClusterConditionAvailable',
    status,
    reason: 'Told',
    message: '',
    lastTransitionTime,
  };
}

export function addOnTemplate(
  name: string,
  spec: object,
  annotations?: Readonly<Record<string, string>>,
): object {
  const metadata = { name, ...(annotations && { annotations }) };
  return { apiVersion: `${group}/v1alpha1`, kind: 'AddOnTemplate', metadata, spec };
}

/** An AddOnDeploymentConfig in the namespace `ns`. */
export function deploymentConfig(name: string, spec: object): object {
  return {
    apiVersion: `${group}/v1alpha1`,
    kind: 'AddOnDeploymentConfig',
    metadata: { name, namespace: 'ns' },
    spec,
  };
}

/** A Deployment with one container `main`, whose pod and container may be added to. */
export function deployment(
  name: string,
  pod: object = {},
  container: object = {},
  spec: object = {},
): object {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace: 'agents' },
    spec: {
      selector: { matchLabels: { app: name } },
      template: {
        metadata: { labels: { app: name } },
        spec: { containers: [{ name: 'main', image: 'quay.io/ocm/agent:v1', ...container }], ...pod },
      },
      ...spec,
    },
  };
}

export function configMap(name: string, data: Readonly<Record<string, string>> = {}): object {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'agents' }, data };
}

/** JSON.stringify throws for the integers that a double cannot represent. */
function jsonOf(object: unknown): string {
  const text = JSON.stringify(object, (_key, value: unknown) =>
    typeof value === 'bigint' ? `${value}n` : value,
  );
  return text.replaceAll(/"(\d+)n"/g, '$1');
}
