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
  /** The name of a second placement. @default - none */
  readonly nextPlacement?: string;
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
    nextPlacement,
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
          placements: [placement, ...(nextPlacement === undefined ? [] : [nextPlacement])].map((each) => ({
            name: each,
            namespace: 'add-ons',
            rolloutStrategy,
          })),
        },
      },
    },
  ];
}

/** The values of the label `role` of the clusters of the tests. Each has a placement of its name. */
const roles = ['everywhere', 'far', 'leaving', 'moving', 'stray', 'unjoined'];

function placement(name: string, role: string, spec: object = {}): object {
  return {
    ...reference(ocmKinds.placement, name, 'add-ons'),
    spec: {
      clusterSets: ['global'],
      predicates: [{ requiredClusterSelector: { labelSelector: { matchLabels: { role } } } }],
      tolerations: ['unreachable', 'unavailable'].map((taint) => ({
        key: `cluster.open-cluster-management.io/${taint}`,
        operator: 'Exists',
      })),
      ...spec,
    },
  };
}

/** The placements of the tests. `grouped` has each cluster of `far` in a decision group, `first` has one of them. */
export const placements: readonly object[] = [
  reference(namespaceKind, 'add-ons'),
  { ...reference(ocmKinds.managedClusterSetBinding, 'global', 'add-ons'), spec: { clusterSet: 'global' } },
  ...roles.map((role) => placement(role, role)),
  placement('first', 'far', { numberOfClusters: 1 }),
  placement('grouped', 'far', { decisionStrategy: { groupStrategy: { clustersPerDecisionGroup: 1 } } }),
];

/** A policy that rejects the objects of a resource for which the expression is false, with its binding. */
export function rejecting(
  name: string,
  apiGroup: string,
  resource: string,
  expression: string,
  operations: readonly string[] = ['CREATE', 'UPDATE'],
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
              operations,
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
