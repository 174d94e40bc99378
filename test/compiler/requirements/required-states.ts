import type { Diagnostic } from '../../../src/compiler/model/diagnostic.ts';
import { plan } from '../../../src/compiler/plan/plan.ts';
import type { Resolution } from '../../../src/compiler/resolve.ts';
import { hubVersion } from '../../../src/ocm/hub-version.ts';
import { fleetOf, resolveText } from '../../resolve-text.ts';

const api = 'addon.open-cluster-management.io';

/** Four clusters, three of them in production. */
export const fleet = fleetOf({
  c1: { env: 'prod' },
  c2: { env: 'prod' },
  c3: { env: 'prod' },
  c4: { env: 'dev' },
});

export const placementOf = (name: string, predicate: object): object => ({
  apiVersion: 'cluster.open-cluster-management.io/v1beta1',
  kind: 'Placement',
  metadata: { name, namespace: 'default' },
  spec: { predicates: [{ requiredClusterSelector: { labelSelector: predicate } }] },
});

/** The Placements `prod` and `all`. */
export const placements = [placementOf('prod', { matchLabels: { env: 'prod' } }), placementOf('all', {})];

/** Defines the kind of `customResource`. */
export const customResourceDefinition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'issuers.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { kind: 'Issuer', plural: 'issuers' },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
  },
};

/** An object of a kind that the cluster has only with its CustomResourceDefinition. */
export const customResource = {
  apiVersion: 'example.com/v1',
  kind: 'Issuer',
  metadata: { name: 'i', namespace: 'default' },
};

interface AddOnFields {
  readonly placement?: string;
  readonly requires?: string;
  readonly delivery?: 'compiled' | 'hub';
  readonly manifests?: readonly object[];
  readonly rolloutStrategy?: object;
  readonly variables?: Readonly<Record<string, string>>;
  /** The suffix of the template's name. @default - none */
  readonly revision?: string;
  /** Labels of the template. */
  readonly labels?: Readonly<Record<string, string>>;
}

/** An add-on of a template, with compiled delivery by default. */
export function addOn(
  name: string,
  {
    placement = 'all',
    requires,
    delivery = 'compiled',
    manifests = [],
    rolloutStrategy = { type: 'All' },
    variables = {},
    revision,
    labels,
  }: AddOnFields = {},
): object[] {
  const template = revision === undefined ? name : `${name}-${revision}`;
  const config = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'default' } };
  const annotations = {
    ...(delivery === 'compiled' && { 'fleetwright.dev/delivery': 'compiled' }),
    ...(requires !== undefined && { 'fleetwright.dev/requires': requires }),
  };
  return [
    {
      apiVersion: `${api}/v1beta1`,
      kind: 'ClusterManagementAddOn',
      metadata: { name, annotations },
      spec: {
        defaultConfigs: [
          { group: api, resource: 'addontemplates', name: template },
          { group: api, resource: 'addondeploymentconfigs', namespace: 'default', name },
        ],
        installStrategy: {
          type: 'Placements',
          placements: [{ name: placement, namespace: 'default', rolloutStrategy }],
        },
      },
    },
    {
      apiVersion: `${api}/v1alpha1`,
      kind: 'AddOnTemplate',
      metadata: { name: template, ...(labels && { labels }) },
      spec: { addonName: name, agentSpec: { workload: { manifests: [config, ...manifests] } } },
    },
    {
      apiVersion: `${api}/v1alpha1`,
      kind: 'AddOnDeploymentConfig',
      metadata: { name, namespace: 'default' },
      spec: {
        customizedVariables: Object.entries(variables).map(([variable, value]) => ({
          name: variable,
          value,
        })),
      },
    },
  ];
}

/** Returns add-ons as a document, together with both placements. */
export function textOf(objects: readonly object[]): string {
  return [...placements, ...objects].map((object) => JSON.stringify(object)).join('\n---\n');
}

/** Resolves add-ons together with both placements. */
export function resolved(
  objects: readonly object[],
  { isPromoted = false } = {},
): {
  resolution: Resolution;
  diagnostics: readonly Diagnostic[];
} {
  const surroundings = { external: [], snapshots: [], isPromoted };
  return resolveText(textOf(objects), { fleet, ...(isPromoted && { surroundings }) });
}

const codes = /^FW(?:401[4-9]|402[12]|8064)$/;

/** The findings about requirements, as users read them. */
export function findings(objects: readonly object[], options?: { readonly isPromoted: boolean }): string[] {
  return textsOf(resolved(objects, options).diagnostics);
}

/** The findings about requirements of a change. */
export function planFindings(before: readonly object[], after: readonly object[]): string[] {
  const [base, head] = [resolved(before).resolution, resolved(after).resolution];
  return textsOf(plan([{ app: 'app', base, head }], { hub: hubVersion('1.3'), by: [] }).diagnostics);
}

/** The findings about requirements among others, as users read them. */
export function textsOf(diagnostics: readonly Diagnostic[]): string[] {
  return diagnostics
    .filter(({ code }) => codes.test(code))
    .map(({ code, severity, message, hint }) => `${severity} ${code}: ${message}\n${hint}`);
}
