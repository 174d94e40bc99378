import { ocmKinds } from './kinds.ts';
import { kinds, ServedKinds, type Kind, type KindVersion } from './index.ts';
import { previewFieldsOf, withPreviewFields } from './preview-fields.ts';

/**
 * The kinds of OCM 1.4, the next release. Its AddOnTemplate v1beta1 has the schema of v1alpha1, in which it is stored. Kinds without
 * a change are those of the released versions, so that both share what is cached about them.
 */
export const previewKinds = new ServedKinds(kinds.map(inPreview));

function inPreview(kind: Kind): Kind {
  if (kind.key === ocmKinds.addOnTemplate.key)
    return { ...kind, versions: kind.versions.flatMap((version) => [version, inV1beta1(version)]) };
  const fields = previewFieldsOf(kind.group, kind.kind);
  if (fields.length === 0) return kind;
  const announced = fields.map(({ parent, name, isPredicted }) => ({
    field: [...parent, name],
    isPredicted,
  }));
  return {
    ...kind,
    versions: kind.versions.map((version) => ({
      ...version,
      schema: withPreviewFields(version.schema, fields),
      announced,
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
