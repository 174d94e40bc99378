import { ocmKinds, type OcmKind } from './kinds.ts';
import type { AnnotatedSchema } from './structural-schema.ts';

/** A release of OCM whose CRDs are not known. */
export type UnverifiedRelease = '1.4' | '1.5';

/** A field that a release of OCM adds to all versions of a kind. */
export interface PreviewField {
  /** The first release with the field. */
  readonly since: UnverifiedRelease;
  readonly kind: OcmKind;
  /** The names of the fields from the object to the one that has the field. */
  readonly parent: readonly string[];
  readonly name: string;
  readonly schema: AnnotatedSchema;
  /** Whether predictions read the field. */
  readonly isPredicted: boolean;
}

/**
 * The fields of OCM 1.4 and of the release after it. They are known from the pull requests of OCM, whose code was not available: a
 * field whose limits are not described accepts every value of its type. Release 1.4.0 of the API lists the pull request of hosted
 * mode, and not the one of replicas.
 *
 * @see https://github.com/open-cluster-management-io/api/releases/tag/v1.4.0
 * @see https://github.com/open-cluster-management-io/api/pull/448
 * @see https://github.com/open-cluster-management-io/api/pull/450
 */
const previewFields: readonly PreviewField[] = [
  {
    since: '1.5',
    kind: ocmKinds.addOnDeploymentConfig,
    parent: ['spec'],
    name: 'replicaConfigs',
    isPredicted: true,
    schema: {
      description:
        'OCM 1.5 only: the number of replicas of workloads. If several entries match a workload, the last one wins. Templates apply it after they are rendered.',
      type: 'array',
      items: {
        title: 'ReplicaConfig',
        type: 'object',
        required: ['workloadID', 'replicas'],
        properties: {
          workloadID: {
            description:
              'Which workloads, as `deployments:<name>` or `statefulsets:<name>`. A part that is `*` stands for anything; any other part is a regular expression.',
            type: 'string',
            pattern: '^(deployments|statefulsets|\\*):.+$',
          },
          replicas: { description: 'The number of replicas.', type: 'integer', format: 'int32', minimum: 0 },
        },
        additionalProperties: false,
      },
    },
  },
  {
    since: '1.4',
    kind: ocmKinds.clusterManagementAddOn,
    parent: ['spec'],
    name: 'hostedModeAutoDiscovery',
    isPredicted: true,
    schema: {
      description:
        'Since OCM 1.4: whether managers discover the hosting cluster of add-ons in hosted mode from what the klusterlet reports.',
      type: 'object',
      properties: {
        mode: {
          description: '`Enable` or `Disable`, the default.',
          type: 'string',
          enum: ['Enable', 'Disable'],
        },
      },
      additionalProperties: false,
    },
  },
  {
    since: '1.4',
    kind: ocmKinds.klusterlet,
    parent: ['spec', 'deployOption'],
    name: 'reportHostingCluster',
    isPredicted: false,
    schema: {
      description:
        'Since OCM 1.4: `Enable` reports the hosting cluster in the claim `hosting-cluster.open-cluster-management.io`.',
      type: 'string',
    },
  },
  {
    since: '1.4',
    kind: ocmKinds.klusterlet,
    parent: ['spec', 'deployOption'],
    name: 'hosted',
    isPredicted: false,
    schema: {
      description: 'Since OCM 1.4: the cluster that runs the agents in hosted mode.',
      type: 'object',
      properties: {
        managementClusterName: {
          description: 'Name of its ManagedCluster, which is the hosting cluster that is reported.',
          type: 'string',
        },
      },
      additionalProperties: false,
    },
  },
];

/** Returns the fields that releases up to the given one add to a kind. */
export function previewFieldsOf(
  group: string,
  kind: string,
  release: UnverifiedRelease,
): readonly PreviewField[] {
  return previewFields.filter(
    (field) => field.since <= release && field.kind.group === group && field.kind.kind === kind,
  );
}

/** Returns the schema of a kind with additional fields. */
export function withPreviewFields<T extends AnnotatedSchema>(schema: T, fields: readonly PreviewField[]): T {
  return fields.reduce((complete, field) => withField(complete, field.parent, field), schema);
}

function withField<T extends AnnotatedSchema>(
  schema: T,
  [step, ...rest]: readonly string[],
  field: PreviewField,
): T {
  const { properties = {} } = schema;
  if (step === undefined) return { ...schema, properties: { ...properties, [field.name]: field.schema } };
  const below = properties[step];
  if (below === undefined) throw new Error(`${field.kind.kind} has no ${step}`);
  return { ...schema, properties: { ...properties, [step]: withField(below, rest, field) } };
}
