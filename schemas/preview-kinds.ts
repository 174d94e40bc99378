import { ocmKinds } from './kinds.ts';
import { kinds, ServedKinds, type Kind, type KindVersion } from './index.ts';
import { previewFieldsOf, withPreviewFields, type UnverifiedRelease } from './preview-fields.ts';
import { withGovernmentArns } from './preview-patterns.ts';

/** The kinds that name EKS clusters. */
const kindsWithArns = [ocmKinds.klusterlet, ocmKinds.clusterManager];

/**
 * Returns the kinds of a release whose CRDs are not known. AddOnTemplate v1beta1 has the schema of v1alpha1, in which it is stored.
 * Kinds without a change are those of the earlier releases, so that all share what is cached about them.
 */
export function unverifiedKinds(release: UnverifiedRelease): ServedKinds {
  return new ServedKinds(kinds.map((kind) => ofRelease(kind, release)));
}

function ofRelease(kind: Kind, release: UnverifiedRelease): Kind {
  if (kind.key === ocmKinds.addOnTemplate.key)
    return { ...kind, versions: kind.versions.flatMap((version) => [version, inV1beta1(version)]) };
  const fields = previewFieldsOf(kind.group, kind.kind, release);
  const namesArns = kindsWithArns.some(({ key }) => key === kind.key);
  if (fields.length === 0 && !namesArns) return kind;
  const announced = fields.map(({ parent, name, isPredicted }) => ({
    field: [...parent, name],
    isPredicted,
  }));
  return {
    ...kind,
    versions: kind.versions.map((version) => ({
      ...version,
      schema: withPreviewFields(namesArns ? withGovernmentArns(version.schema) : version.schema, fields),
      ...(fields.length > 0 && { announced }),
    })),
  };
}

function inV1beta1({ schema, ...version }: KindVersion): KindVersion {
  const { properties } = schema;
  const apiVersion = { ...properties?.['apiVersion'], const: 'addon.open-cluster-management.io/v1beta1' };
  return {
    ...version,
    name: 'v1beta1',
    storage: false,
    schema: { ...schema, properties: { ...properties, apiVersion } },
  };
}
