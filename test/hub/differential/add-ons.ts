import type { KubernetesObject } from '../../../kubernetes/object-meta.ts';
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

/** A ManagedClusterAddOn, written in one of its versions. A few have an agent that registers with a token. */
export function managedClusterAddOn(
  random: Random,
  name: string,
  cluster: string,
  configs: readonly Config[],
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
  const user = `system:serviceaccount:${cluster}:${name}-agent`;
  const token = random.chance(0.1);
  if (random.chance(0.4)) {
    return made([beta, 'ManagedClusterAddOn'], name, cluster, {
      metadata,
      spec,
      ...(token && {
        status: {
          registrations: [{ type: 'kubeClient', kubeClient: { driver: 'token', subject: { user } } }],
        },
      }),
    });
  }
  return made(ocmKinds.managedClusterAddOn, name, cluster, {
    metadata,
    ...(token && {
      status: {
        kubeClientDriver: 'token',
        registrations: [{ signerName: 'kubernetes.io/kube-apiserver-client', subject: { user } }],
      },
    }),
    spec: {
      ...spec,
      ...random.maybe(0.2, () => ({
        installNamespace: random.pick(['other-ns', 'open-cluster-management-agent-addon']),
      })),
    },
  });
}
