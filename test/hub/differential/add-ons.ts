import type { KubernetesObject } from '../../../src/base/objects/object-meta.ts';
import { ocmKinds } from '../client/kinds.ts';
import { made, type Names } from './fleet.ts';
import { present, type Random } from './random.ts';

export const group = 'addon.open-cluster-management.io';
const beta = `${group}/v1beta1`;

/** A configuration that an add-on, a placement or a cluster asks for. */
export interface Config {
  readonly group: string;
  readonly resource: string;
  readonly name: string;
  readonly namespace?: string;
}

export function templateConfig(name: string): Config {
  return { group, resource: 'addontemplates', name };
}

export function deploymentConfigConfig(name: string, { configs }: Names): Config {
  return { group, resource: 'addondeploymentconfigs', name, namespace: configs };
}

/** A kind of configuration that an add-on supports, with its default where it has one. */
export interface Supported {
  readonly group: string;
  readonly resource: string;
  readonly default?: Config;
}

export interface AddOn {
  readonly name: string;
  readonly supported: readonly Supported[];
  /** Absent for add-ons that are installed by hand. */
  readonly placements?: readonly object[];
  readonly annotations?: Readonly<Record<string, string>>;
}

/** A ClusterManagementAddOn, written in one of its versions. */
export function clusterManagementAddOn(
  random: Random,
  { name, supported, placements, annotations }: AddOn,
): KubernetesObject {
  const installStrategy =
    placements === undefined
      ? random.pick([{ type: 'Manual' }, undefined])
      : { type: 'Placements', placements };
  const common = present({ addOnMeta: random.maybe(0.5, () => ({ displayName: name })), installStrategy });
  const metadata = { name, ...(annotations && { annotations }) };
  if (random.chance(0.6)) {
    const supportedConfigs = supported.map(({ group, resource, default: config }) =>
      present({
        group,
        resource,
        defaultConfig: config && present({ name: config.name, namespace: config.namespace }),
      }),
    );
    return made(ocmKinds.clusterManagementAddOn, name, undefined, {
      metadata,
      spec: { ...common, supportedConfigs },
    });
  }
  const defaultConfigs = supported.map(({ group, resource, default: config }) =>
    present({
      group,
      resource,
      name: config?.name ?? '__reserved_no_default__',
      namespace: config?.namespace,
    }),
  );
  return made([beta, 'ClusterManagementAddOn'], name, undefined, {
    metadata,
    spec: { ...common, defaultConfigs },
  });
}

/**
 * A ManagedClusterAddOn, written in one of its versions. A few have an agent that registers with a token, or did so before.
 *
 * @param registered the share of those whose agent has registered
 * @param registersKubeClient whether all templates register the agent with the hub's API server
 */
export function managedClusterAddOn(
  random: Random,
  name: string,
  cluster: string,
  configs: readonly Config[],
  { registered = 0.1, registersKubeClient = false } = {},
): KubernetesObject {
  const annotations = random.maybe(0.15, () => {
    const [key, value] = random.pick([
      [`${group}/values`, '{"x":"y"}'],
      [`${group}/hosting-cluster-name`, 'elsewhere'],
      ['example.com/a', 'b'],
    ] as const);
    return { [key]: value };
  });
  const metadata = { name, namespace: cluster, ...(annotations && { annotations }) };
  const spec = present({ configs: configs.length > 0 ? configs : undefined });
  const agent = random.maybe(registered, () =>
    registeredAgent(random, `${cluster}/${name}-agent`, registersKubeClient),
  );
  if (random.chance(0.4)) {
    return made([beta, 'ManagedClusterAddOn'], name, cluster, {
      metadata,
      spec,
      ...(agent && {
        status: present({
          conditions: agent.conditions,
          registrations: [
            {
              type: 'kubeClient',
              kubeClient: { driver: agent.driver, subject: agent.subject },
            },
          ],
        }),
      }),
    });
  }
  return made(ocmKinds.managedClusterAddOn, name, cluster, {
    metadata,
    ...(agent && {
      status: present({
        conditions: agent.conditions,
        kubeClientDriver: agent.driver,
        registrations: [{ signerName: 'kubernetes.io/kube-apiserver-client', subject: agent.subject }],
      }),
    }),
    spec: {
      ...spec,
      ...random.maybe(0.2, () => ({
        installNamespace: random.pick(['other-ns', 'open-cluster-management-agent-addon']),
      })),
    },
  });
}

/**
 * What an agent and the hub have written about a registration, possibly with another driver than the present one.
 *
 * Without the condition, addon-manager forgets the objects that it created if the registration ends before it has written the condition.
 *
 * @param account the ServiceAccount, as `cluster/name`
 */
function registeredAgent(random: Random, account: string, mayLackCondition: boolean) {
  const driver = random.pick(['token', 'token', 'csr'] as const);
  const user = random.chance(0.8) ? `system:serviceaccount:${account.replace('/', ':')}` : '';
  const uid = '6f1b2a3c-0000-4000-8000-000000000000';
  const reported = random.pick([
    {
      status: 'True',
      reason: 'TokenInfrastructureReady',
      message: `ServiceAccount ${account} (UID: ${uid}) is ready`,
    },
    {
      status: 'False',
      reason: 'TokenInfrastructureApplyFailed',
      message: 'Failed to apply token infrastructure: the API server was away',
    },
  ] as const);
  const conditions = [
    { type: 'TokenInfrastructureReady', ...reported, lastTransitionTime: '2026-01-31T12:00:00Z' },
  ];
  const hasCondition = random.chance(0.4) || !mayLackCondition;
  return { driver, subject: { user }, conditions: hasCondition ? conditions : undefined };
}
