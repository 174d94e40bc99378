import type { Condition } from '../../schemas/types.gen.ts';

/** What is compared of an object: everything that the inputs alone decide. Uids, times and progress are left out. */
export type Projection = Record<string, unknown>;

/** A JSON object whose fields are looked at one by one. */
interface Fields {
  readonly [field: string]: unknown;
}

const fields = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {});
const list = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value.map(fields) : []);
const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const pick = (value: Fields, names: readonly string[]): Projection =>
  Object.fromEntries(names.filter((name) => value[name] !== undefined).map((name) => [name, value[name]]));
const sortedBy = <T>(items: readonly T[], key: (item: T) => string): T[] =>
  [...items].sort((a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0));

const owners = (metadata: Fields): Projection[] =>
  sortedBy(
    list(metadata['ownerReferences']).map((owner) => ({ ...pick(owner, ['kind', 'name']), ...(owner['controller'] === true ? { controller: true } : {}) })),
    (owner) => text(fields(owner)['kind']) + text(fields(owner)['name']),
  );

const conditions = (status: Fields, types: readonly Condition['type'][]): Projection[] =>
  sortedBy(
    list(status['conditions'])
      .filter(({ type }) => types.includes(text(type)))
      .map((condition): Projection => ({ ...pick(condition, ['type', 'status', 'reason']), message: withoutUid(text(condition['message'])) })),
    (condition) => text(condition['type']),
  );

/** The condition of agents with a token names the uid of a ServiceAccount, which the API server chooses. */
const withoutUid = (message: string): string => message.replace(/\(UID: [^)]+\)/, '(UID: …)');

const reference = (written: Fields): Projection => {
  const { name, namespace, specHash } = fields(written['desiredConfig']);
  return {
    group: written['group'] ?? '',
    resource: written['resource'],
    desiredConfig: { name, ...(text(namespace) === '' ? {} : { namespace }), specHash: specHash ?? '' },
  };
};

const projections: Readonly<Record<string, (metadata: Fields, spec: Fields, status: Fields, object: Fields) => Projection>> = {
  Placement: (_, __, status) => ({
    numberOfSelectedClusters: status['numberOfSelectedClusters'] ?? 0,
    decisionGroups: status['decisionGroups'] ?? [],
    conditions: conditions(status, ['PlacementSatisfied', 'PlacementMisconfigured']),
  }),
  PlacementDecision: (metadata, _, status) => ({
    labels: metadata['labels'] ?? {},
    decisions: list(status['decisions']).map(({ clusterName }) => clusterName),
  }),
  ClusterManagementAddOn: (_, __, status) => ({
    // v1alpha1 spells it with a lower-case c.
    defaultConfigReferences: list(status['defaultconfigReferences'] ?? status['defaultConfigReferences']).map(reference),
    installProgressions: list(status['installProgressions']).map(({ namespace, name, configReferences }) => ({
      namespace,
      name,
      configReferences: list(configReferences).map(reference),
    })),
  }),
  ManagedClusterAddOn: (metadata, _, status) => ({
    owners: owners(metadata),
    configReferences: list(status['configReferences']).map(reference),
    installedIn: status['namespace'] ?? '',
    registrations: status['registrations'] ?? [],
    supportedConfigs: sortedBy(
      list(status['supportedConfigs']).map(({ group, resource }) => ({ group: group ?? '', resource })),
      ({ group, resource }) => text(group) + text(resource),
    ),
    healthCheck: fields(status['healthCheck'])['mode'] ?? '',
    conditions: conditions(status, ['Configured', 'RegistrationApplied', 'TokenInfrastructureReady']),
  }),
  ManifestWork: (metadata, spec) => ({
    labels: metadata['labels'] ?? {},
    annotations: metadata['annotations'] ?? {},
    owners: owners(metadata),
    spec: {
      ...spec,
      workload: {
        manifests: sortedBy(list(fields(spec['workload'])['manifests']), (manifest) => {
          const { namespace, name } = fields(manifest['metadata']);
          return [text(manifest['apiVersion']), text(manifest['kind']), text(namespace), text(name)].join('/');
        }),
      },
    },
  }),
  RoleBinding: (metadata, _, __, object) => ({
    labels: metadata['labels'] ?? {},
    owners: owners(metadata),
    roleRef: object['roleRef'],
    subjects: object['subjects'] ?? [],
  }),
  Role: (metadata, _, __, object) => ({
    labels: metadata['labels'] ?? {},
    owners: owners(metadata),
    rules: object['rules'],
  }),
  ServiceAccount: (metadata, _, __, object) => ({
    labels: metadata['labels'] ?? {},
    owners: owners(metadata),
    secrets: object['secrets'] ?? [],
  }),
};

export interface ProjectionOptions {
  /**
   * Whether the RoleBindings of templates that have no owner count: all clusters share one, and its subjects are those
   * of the cluster that came last.
   *
   * @default false
   */
  readonly sharedBindings?: boolean;
}

/** Whether an object is compared. Every namespace has ServiceAccounts, and every cluster roles, that no add-on needs. */
const isCompared = (kind: string, metadata: Fields, sharedBindings: boolean): boolean => {
  if (!['RoleBinding', 'Role', 'ServiceAccount'].includes(kind)) return true;
  const labels = fields(metadata['labels']);
  if (labels['addon.open-cluster-management.io/token-infrastructure'] !== undefined) return true;
  if (kind !== 'RoleBinding') return false;
  return (
    list(metadata['ownerReferences']).length > 0 ||
    (sharedBindings && labels['open-cluster-management.io/addon-template-name'] !== undefined)
  );
};

/** The objects of a hub, or of a prediction, as they are compared: by `Kind/namespace/name`. */
export function project(
  objects: Iterable<object>,
  { sharedBindings = false }: ProjectionOptions = {},
): Record<string, Projection> {
  const projected: Record<string, Projection> = {};
  for (const object of objects as Iterable<Fields>) {
    const kind = text(object['kind']);
    const projection = projections[kind];
    const metadata = fields(object['metadata']);
    if (projection === undefined || !isCompared(kind, metadata, sharedBindings)) continue;
    const { name, namespace } = metadata;
    projected[`${kind}/${text(namespace)}/${text(name)}`] = {
      kind,
      name,
      ...(text(namespace) === '' ? {} : { namespace }),
      ...projection(metadata, fields(object['spec']), fields(object['status']), object),
    };
  }
  // Through JSON, as recorded answers came: absent is absent.
  return JSON.parse(JSON.stringify(projected)) as Record<string, Projection>;
}
