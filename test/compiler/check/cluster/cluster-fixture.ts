import { binding, clusters, placement } from '../../place/hub-fixture.ts';
import { addOn, findingTexts, outageTolerations } from '../check-fixture.ts';

/** Two clusters, and a placement that selects them. */
export const fleet = [
  ...clusters('c1', 'c2'),
  binding('default'),
  placement({ tolerations: outageTolerations }),
];

/** An add-on of a template with manifests, on both clusters. */
export function templateAddOn(
  name: string,
  manifests: readonly object[],
  spec: object = {},
  agentSpec = {},
): object[] {
  return [
    {
      ...addOn(name),
      spec: {
        supportedConfigs: undefined,
        ...(addOn(name) as { spec: object }).spec,
        defaultConfigs: [
          { group: 'addon.open-cluster-management.io', resource: 'addontemplates', name: `${name}-1` },
        ],
      },
    },
    {
      apiVersion: 'addon.open-cluster-management.io/v1alpha1',
      kind: 'AddOnTemplate',
      metadata: { name: `${name}-1` },
      spec: { addonName: name, agentSpec: { workload: { manifests }, ...agentSpec }, ...spec },
    },
  ];
}

/** A manifest. */
export const object = (
  apiVersion: string,
  kind: string,
  name: string,
  namespace = '',
  rest: object = {},
): object => ({
  apiVersion,
  kind,
  metadata: { name, ...(namespace !== '' && { namespace }) },
  ...rest,
});

/** A work of cluster c1. */
export const work = (manifests: readonly object[], spec: object = {}): object => ({
  ...object('work.open-cluster-management.io/v1', 'ManifestWork', 'w', 'c1'),
  spec: { workload: { manifests }, ...spec },
});

/** The options of a work with an update strategy for one object. */
export const strategy = (
  group: string,
  resource: string,
  namespace: string,
  name: string,
  type: string,
): object => ({
  manifestConfigs: [{ resourceIdentifier: { group, resource, namespace, name }, updateStrategy: { type } }],
});

/** What users read of the findings with a code, of objects in the fleet. */
export function texts(code: string, ...objects: readonly object[]): string[] {
  return findingTexts(code, [...fleet, ...objects]);
}

/** A ConfigMap. */
export const configMap = (name: string, namespace = 'default', data = {}): object =>
  object('v1', 'ConfigMap', name, namespace, { data });
