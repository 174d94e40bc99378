import { namespaceKind, ocmKinds, reference, type KindOf } from '../client/kinds.ts';

export const configMapKind: KindOf = ['v1', 'ConfigMap'];
export const policyKind: KindOf = ['admissionregistration.k8s.io/v1', 'ValidatingAdmissionPolicy'];
export const policyBindingKind: KindOf = [
  'admissionregistration.k8s.io/v1',
  'ValidatingAdmissionPolicyBinding',
];

const group = 'addon.open-cluster-management.io';
const templates = { group, resource: 'addontemplates' };
const deploymentConfigs = { group, resource: 'addondeploymentconfigs' };

/** The parts of an add-on that differ from the default. */
export interface AddOnParts {
  /** What the template delivers. @default - a namespace and a ConfigMap */
  readonly manifests?: readonly object[];
  /** More fields of `agentSpec`. */
  readonly agentSpec?: object;
  readonly registration?: readonly object[];
  /** The name of an AddOnDeploymentConfig in `add-ons`. @default - none */
  readonly config?: string;
  readonly placement?: string;
  readonly rolloutStrategy?: object;
  readonly annotations?: Readonly<Record<string, string>>;
}

export function configMap(name: string, namespace: string, data: object = { a: 'b' }): object {
  return { ...reference(configMapKind, name, namespace), data };
}

/** An add-on that the hub's addon-manager delivers from a template. */
export function templateAddOn(
  name: string,
  {
    manifests = [reference(namespaceKind, name), configMap(name, name)],
    agentSpec,
    registration = [],
    config,
    placement = 'everywhere',
    rolloutStrategy = { type: 'All' },
    annotations,
  }: AddOnParts = {},
): readonly object[] {
  return [
    {
      ...reference(ocmKinds.addOnTemplate, name),
      spec: { addonName: name, registration, agentSpec: { workload: { manifests }, ...agentSpec } },
    },
    {
      ...reference(ocmKinds.clusterManagementAddOn, name),
      metadata: { name, ...(annotations && { annotations }) },
      spec: {
        supportedConfigs: [
          { ...templates, defaultConfig: { name } },
          {
            ...deploymentConfigs,
            ...(config !== undefined && { defaultConfig: { name: config, namespace: 'add-ons' } }),
          },
        ],
        installStrategy: {
          type: 'Placements',
          placements: [{ name: placement, namespace: 'add-ons', rolloutStrategy }],
        },
      },
    },
  ];
}

/** The placements of the tests, each of the clusters with its name as the label `role`. */
export const placements: readonly object[] = [
  reference(namespaceKind, 'add-ons'),
  { ...reference(ocmKinds.managedClusterSetBinding, 'global', 'add-ons'), spec: { clusterSet: 'global' } },
  ...['everywhere', 'far', 'leaving'].map((name) => ({
    ...reference(ocmKinds.placement, name, 'add-ons'),
    spec: {
      clusterSets: ['global'],
      predicates: [{ requiredClusterSelector: { labelSelector: { matchLabels: { role: name } } } }],
      tolerations: ['unreachable', 'unavailable'].map((taint) => ({
        key: `cluster.open-cluster-management.io/${taint}`,
        operator: 'Exists',
      })),
    },
  })),
];

/** A policy that rejects objects of a resource whose names begin with a prefix, with its binding. */
export function rejecting(
  name: string,
  apiGroup: string,
  resource: string,
  expression: string,
): readonly object[] {
  return [
    {
      ...reference(policyKind, name),
      spec: {
        failurePolicy: 'Fail',
        matchConstraints: {
          resourceRules: [
            {
              apiGroups: [apiGroup],
              apiVersions: ['*'],
              operations: ['CREATE', 'UPDATE'],
              resources: [resource],
            },
          ],
        },
        validations: [{ expression, message: `${name} rejects it` }],
      },
    },
    { ...reference(policyBindingKind, name), spec: { policyName: name, validationActions: ['Deny'] } },
  ];
}
