import { referenceRead } from '../configure/effective.ts';
import type { AddOnDeploymentConfigV1alpha1, ManagedClusterV1 } from '../../../schemas/types.gen.ts';
import {
  dynType,
  boolType,
  listType,
  mapType,
  stringType,
  type CelType,
} from '../../engines/cel/check/types.ts';
import { CelList, CelObject, type CelValue } from '../../engines/cel/values/value.ts';
import { isDeploymentConfig, isTemplate } from '../../ocm/referent.ts';
import type { ClusterAddOn, EffectiveConfiguration } from '../configure/resolved-add-on.ts';
import { placedByCluster, type PlacedByCluster } from '../application-sets/placed-by-cluster.ts';
import { identityOfKey, objectKey } from '../model/inventory.ts';
import type { CheckInput } from './rule.ts';

const texts = mapType(stringType, stringType);
const object = mapType(stringType, dynType);

/** The variables of a policy and their types. All of them are always present; unset ones are empty. */
export const policyVariables: ReadonlyMap<string, CelType> = new Map([
  ['cluster.name', stringType],
  ['cluster.labels', texts],
  ['cluster.annotations', texts],
  ['cluster.claims', texts],
  ['cluster.sets', listType(stringType)],
  ['cluster.taints', listType(object)],
  ['cluster.available', boolType],
  ['cluster.kubernetesVersion', stringType],
  ['cluster.policies', listType(object)],
  ['cluster.applications', listType(object)],
  ['addOn.name', stringType],
  ['addOn.placements', listType(stringType)],
  ['addOn.template', stringType],
  ['addOn.configs', listType(object)],
  ['addOn.variables', texts],
  ['addOn.config.agentInstallNamespace', stringType],
  ['addOn.config.customizedVariables', listType(object)],
  ['addOn.config.nodePlacement', object],
  ['addOn.config.proxyConfig', object],
  ['addOn.config.registries', listType(object)],
  ['addOn.config.resourceRequirements', listType(object)],
  ['addOn.manifests', listType(object)],
]);

type Values = ReadonlyMap<string, () => CelValue>;

/** The values of some add-ons on some clusters. The values of each cluster and of each configuration are created once. */
export class PolicyValues {
  readonly #input: CheckInput;
  readonly #clusters = new Map<string, Values>();
  readonly #configs = new Map<EffectiveConfiguration, Values>();

  constructor(input: CheckInput) {
    this.#input = input;
  }

  /** Returns the values of an add-on on a cluster. They are created on first access. */
  of(addOn: string, clusterAddOn: ClusterAddOn): ReadonlyMap<string, CelValue> {
    const { cluster, effective, placements } = clusterAddOn;
    return new LazyValues([
      this.#clusterValues(cluster),
      this.#configValues(effective),
      new Map<string, () => CelValue>([
        ['addOn.name', () => addOn],
        ['addOn.placements', () => new CelList(placements)],
        ['addOn.manifests', () => this.#manifests(addOn, cluster)],
      ]),
    ]);
  }

  #clusterValues(name: string): Values {
    const cached = this.#clusters.get(name);
    if (cached !== undefined) return cached;
    const { clusters, scheduler: hub } = this.#input.decisions;
    const cluster = clusters.get(name);
    const index = hub.index.indexOf(name);
    const placed = placedByCluster(this.#input);
    const values = clusterValues(name, cluster, index === undefined ? [] : hub.sets.of(index), placed);
    this.#clusters.set(name, values);
    return values;
  }

  #configValues(effective: EffectiveConfiguration): Values {
    const cached = this.#configs.get(effective);
    if (cached !== undefined) return cached;
    const read = referenceRead(effective, isDeploymentConfig);
    const key = read && objectKey(read.namespace, read.name);
    const spec =
      key === undefined ? undefined : this.#input.inventory.addOnDeploymentConfigs.get(key)?.object.spec;
    const values = configValues(effective, spec ?? {});
    this.#configs.set(effective, values);
    return values;
  }

  #manifests(addOn: string, cluster: string): CelValue {
    const works = this.#input.rendering.clusterAddOn(addOn, cluster)?.works ?? [];
    return jsonValue(works.flatMap(({ spec }) => spec?.workload?.manifests ?? []));
  }
}

/** A map of all values that creates each value on first access. */
class LazyValues extends Map<string, CelValue> {
  readonly #parts: readonly Values[];

  constructor(parts: readonly Values[]) {
    super();
    this.#parts = parts;
  }

  override get(name: string): CelValue | undefined {
    for (const part of this.#parts) {
      const make = part.get(name);
      if (make !== undefined) return make();
    }
    return undefined;
  }
}

function clusterValues(
  name: string,
  cluster: ManagedClusterV1 | undefined,
  sets: readonly string[],
  placed: PlacedByCluster,
): Values {
  const { metadata = {}, spec, status } = cluster ?? {};
  const claims = (status?.clusterClaims ?? []).map(({ name = '', value = '' }) => [name, value] as const);
  const isAvailable = (status?.conditions ?? []).some(
    ({ type, status }) => type === 'ManagedClusterConditionAvailable' && status === 'True',
  );
  return onceEach({
    'cluster.name': () => name,
    'cluster.labels': () => jsonValue(metadata.labels ?? {}),
    'cluster.annotations': () => jsonValue(metadata.annotations ?? {}),
    'cluster.claims': () => jsonValue(Object.fromEntries(claims)),
    'cluster.sets': () => new CelList(sets),
    'cluster.taints': () => jsonValue(spec?.taints ?? []),
    'cluster.available': () => isAvailable,
    'cluster.kubernetesVersion': () => status?.version?.kubernetes ?? '',
    'cluster.policies': () =>
      jsonValue(
        placed.policiesOn(name).map(({ name: key, remediationAction = '' }) => ({
          ...identityOfKey(key),
          // The hub ignores case.
          remediationAction: remediationAction.toLowerCase(),
        })),
      ),
    'cluster.applications': () =>
      jsonValue(
        placed.applicationsOn(name).map(({ name: key, applicationSet, deletesResources }) => ({
          ...identityOfKey(key),
          applicationSet: identityOfKey(applicationSet).name,
          deletesResources,
        })),
      ),
  });
}

function configValues(
  effective: EffectiveConfiguration,
  spec: AddOnDeploymentConfigV1alpha1['spec'],
): Values {
  const variables = (spec.customizedVariables ?? []).map(({ name, value }) => [name, value] as const);
  return onceEach({
    'addOn.template': () => referenceRead(effective, isTemplate)?.name ?? '',
    'addOn.configs': () =>
      jsonValue(
        effective.kinds.flatMap(({ winners }) =>
          winners.map(({ reference, level, placement = '' }) => ({
            group: reference.group,
            resource: reference.resource,
            namespace: reference.namespace ?? '',
            name: reference.name,
            level,
            placement,
          })),
        ),
      ),
    'addOn.variables': () => jsonValue(Object.fromEntries(variables)),
    'addOn.config.agentInstallNamespace': () => spec.agentInstallNamespace ?? '',
    'addOn.config.customizedVariables': () => jsonValue(spec.customizedVariables ?? []),
    'addOn.config.nodePlacement': () => jsonValue(spec.nodePlacement ?? {}),
    'addOn.config.proxyConfig': () => jsonValue(spec.proxyConfig ?? {}),
    'addOn.config.registries': () => jsonValue(spec.registries ?? []),
    'addOn.config.resourceRequirements': () => jsonValue(spec.resourceRequirements ?? []),
  });
}

/** Creates each value once, on first access. */
function onceEach(makers: Readonly<Record<string, () => CelValue>>): Values {
  return new Map(
    Object.entries(makers).map(([name, make]) => {
      let value: CelValue | undefined;
      return [name, () => (value ??= make())];
    }),
  );
}

/** Converts JSON to CEL as CEL sees the fields of objects: whole numbers are integers. */
function jsonValue(value: unknown): CelValue {
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : value;
  if (typeof value === 'string' || typeof value === 'boolean' || typeof value === 'bigint') return value;
  if (typeof value !== 'object' || value === null) return null;
  if (Array.isArray(value)) return new CelList(value.map(jsonValue));
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  return new CelObject(() => new Map(fields.map(([name, field]) => [name, jsonValue(field)])));
}
