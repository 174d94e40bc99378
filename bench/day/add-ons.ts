import type { KubernetesObject } from '../../src/base/objects/object-meta.ts';
import { namespaceKind, ocmKinds, reference } from '../../test/hub/client/kinds.ts';

// The add-ons of the day and their objects in Git. Half of them are delivered by the hub and half compiled, and one of ten is only on clusters
// of one tier that can be reached.

/** The two apps: who delivers their add-ons. */
export const apps = ['hub', 'compiled'] as const;
export type AppName = (typeof apps)[number];

/** An add-on of the day. */
export interface DayAddOn {
  readonly name: string;
  readonly app: AppName;
  /** The placement that installs it: on all clusters, or on reachable ones of the tier gold. */
  readonly placement: 'everywhere' | 'gold';
}

/** The clusters' tiers. */
export const tiers = ['gold', 'silver'] as const;
export type Tier = (typeof tiers)[number];

/** A deadline of rollouts, and a number of clusters or a share such as `25%`. */
export interface RolloutSettings {
  readonly maxConcurrency: string;
  readonly progressDeadline: string;
  readonly maxFailures: string;
}

/** The namespace of the signing authority. */
export const authorityNamespace = 'default';
/** The signer of the first compiled add-on, for which the companion signs itself. */
export const ownSigner = {
  signerName: 'day.example.com/gateway',
  signingCA: { name: 'day-authority', namespace: authorityNamespace },
};
/** The label and the content by which simulated agents know that a work is to fail. */
export const failing = 'failing';

/** Returns the add-ons: every fifth one of an app is only on clusters of the tier gold. */
export function dayAddOns(count: number): readonly DayAddOn[] {
  return apps.flatMap((app, part) =>
    Array.from({ length: part === 0 ? Math.ceil(count / 2) : Math.floor(count / 2) }, (_, index) => ({
      name: `${app}-${index}`,
      app,
      placement: index % 5 === 4 ? ('gold' as const) : ('everywhere' as const),
    })),
  );
}

/** Whether an add-on is on a cluster that can be reached. */
export function isOn({ placement }: DayAddOn, tier: Tier): boolean {
  return placement === 'everywhere' || tier === 'gold';
}

/** Whether the companion signs certificates for an add-on itself, and not kube-controller-manager. */
export function hasOwnSigner(addOn: string): boolean {
  return addOn === 'compiled-0';
}

/**
 * Returns the text of an app, with the content of each add-on.
 *
 * @param rollout - how the content is rolled out. Undefined for the strategy `All`
 */
export function appText(
  app: AppName,
  addOns: readonly DayAddOn[],
  contentOf: (addOn: string) => string,
  rollout: RolloutSettings | undefined,
): string {
  const objects = [
    reference(namespaceKind, app),
    { ...reference(ocmKinds.managedClusterSetBinding, 'global', app), spec: { clusterSet: 'global' } },
    placement(app, 'everywhere', {}, [{ operator: 'Exists' }]),
    placement(app, 'gold', { tier: 'gold' }, []),
    ...addOns.flatMap((addOn) =>
      addOn.app === app ? [definition(addOn, rollout), template(addOn, contentOf(addOn.name))] : [],
    ),
  ];
  return objects.map((object) => JSON.stringify(object)).join('\n---\n');
}

function placement(namespace: string, name: string, matchLabels: object, tolerations: object[]): object {
  return {
    ...reference(ocmKinds.placement, name, namespace),
    spec: { predicates: [{ requiredClusterSelector: { labelSelector: { matchLabels } } }], tolerations },
  };
}

function definition(
  { name, app, placement: of }: DayAddOn,
  progressive: RolloutSettings | undefined,
): KubernetesObject {
  const rolloutStrategy = progressive === undefined ? { type: 'All' } : { type: 'Progressive', progressive };
  return {
    ...reference(ocmKinds.clusterManagementAddOn, name),
    metadata: {
      name,
      ...(app === 'compiled' && { annotations: { 'fleetwright.dev/delivery': 'compiled' } }),
    },
    spec: {
      supportedConfigs: [
        { group: 'addon.open-cluster-management.io', resource: 'addontemplates', defaultConfig: { name } },
      ],
      installStrategy: {
        type: 'Placements',
        placements: [{ name: of, namespace: app, rolloutStrategy }],
      },
    },
  };
}

function template(addOn: DayAddOn, content: string): KubernetesObject {
  const { name } = addOn;
  const labels = { app: name };
  const container = { name: 'agent', image: `registry.example.com/${name}:${content}` };
  const currentCluster = { clusterRoleName: 'view' };
  const customSigner = {
    ...ownSigner,
    subject: { user: 'gateway', groups: ['readers', 'writers'], organizationUnit: ['edge'] },
  };
  // Clusters whose wave has not come use the earlier object.
  const immutable = { annotations: { 'fleetwright.dev/immutable': 'true' } };
  return {
    ...reference(ocmKinds.addOnTemplate, name),
    metadata: { name, ...(addOn.app === 'compiled' && immutable) },
    spec: {
      addonName: name,
      agentSpec: {
        workload: {
          manifests: [
            {
              apiVersion: 'v1',
              kind: 'ConfigMap',
              metadata: { name, namespace: agentNamespace },
              data: { content },
            },
            {
              apiVersion: 'apps/v1',
              kind: 'Deployment',
              metadata: { name, namespace: agentNamespace, labels },
              spec: {
                replicas: 1,
                selector: { matchLabels: labels },
                template: { metadata: { labels }, spec: { containers: [container] } },
              },
            },
          ],
        },
      },
      registration: [
        { type: 'KubeClient', kubeClient: { hubPermissions: [{ type: 'CurrentCluster', currentCluster }] } },
        ...(hasOwnSigner(name) ? [{ type: 'CustomSigner', customSigner }] : []),
      ],
    },
  };
}

const agentNamespace = 'open-cluster-management-agent-addon';
