import { Ajv, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { readSchemas } from '../../schemas/generate-types.ts';
import { findKindVersion, kinds, type StructuralSchema } from '../../schemas/index.ts';

function compile(schema: object): ValidateFunction {
  const ajv = new Ajv({ allErrors: true, strict: false });
  // As JSON Schema tools without knowledge of OpenAPI see the schemas.
  ajv.removeKeyword('nullable');
  addFormats.default(ajv);
  return ajv.compile(schema);
}

function errorsOf(apiVersion: string, kind: string, object: object): string[] {
  const file = readSchemas().find(
    ({ title, properties }) => title === kind && properties?.['apiVersion']?.const === apiVersion,
  );
  if (file === undefined) throw new Error(`no schema of ${kind} ${apiVersion}`);
  const validate = compile(file);
  validate({ apiVersion, kind, metadata: { name: 'example' }, ...object });
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

function errorsOfGroupSize(clustersPerDecisionGroup: unknown): string[] {
  return errorsOf('cluster.open-cluster-management.io/v1beta1', 'Placement', {
    spec: { decisionStrategy: { groupStrategy: { clustersPerDecisionGroup } } },
  });
}

function errorsOfTaint(fields: object): string[] {
  return errorsOf('cluster.open-cluster-management.io/v1', 'ManagedCluster', {
    spec: { taints: [{ key: 'gpu', effect: 'NoSelect', ...fields }] },
  });
}

describe('the schema files', () => {
  it.each(
    readSchemas().map((schema) => ({
      id: JSON.stringify(schema['x-kubernetes-group-version-kind']),
      schema,
    })),
  )('are JSON Schema that other tools can read: $id', ({ schema }) => {
    expect(schema).toHaveProperty('$schema', 'http://json-schema.org/draft-07/schema#');
    expect(compile(schema)).toBeTypeOf('function');
  });

  it('refuse fields that the API server would prune', () => {
    expect(
      errorsOf('cluster.open-cluster-management.io/v1beta1', 'Placement', { spec: { numberOfCluster: 1 } }),
    ).toEqual(['/spec must NOT have additional properties']);
  });

  it('accept numbers and percentages if OCM does', () => {
    expect(errorsOfGroupSize(3)).toEqual([]);
    expect(errorsOfGroupSize('25%')).toEqual([]);
    expect(errorsOfGroupSize('101%')).toEqual([
      '/spec/decisionStrategy/groupStrategy/clustersPerDecisionGroup must match pattern "^((100|[1-9][0-9]{0,1})%|[1-9][0-9]*)$"',
    ]);
    expect(errorsOfGroupSize(2.5)).toEqual([
      '/spec/decisionStrategy/groupStrategy/clustersPerDecisionGroup must be integer',
      '/spec/decisionStrategy/groupStrategy/clustersPerDecisionGroup must be string',
      '/spec/decisionStrategy/groupStrategy/clustersPerDecisionGroup must match a schema in anyOf',
    ]);
  });

  it('accept null if Kubernetes does, and only then', () => {
    expect(errorsOfTaint({ timeAdded: null })).toEqual([]);
    expect(errorsOfTaint({ timeAdded: '2026-11-21T09:00:00Z' })).toEqual([]);
    expect(errorsOfTaint({ value: null })).toEqual(['/spec/taints/0/value must be string']);
  });

  it('leave the fields of manifests alone', () => {
    expect(
      errorsOf('work.open-cluster-management.io/v1', 'ManifestWork', {
        spec: { workload: { manifests: [{ apiVersion: 'v1', kind: 'ConfigMap', data: { a: 'b' } }] } },
      }),
    ).toEqual([]);
  });
});

describe('the loaded schemas', () => {
  const versions = kinds.flatMap(({ kind, versions }) =>
    versions.map(({ name, schema }) => ({ id: `${kind} ${name}`, schema })),
  );

  it.each(versions)('have defaults that are themselves valid: $id', ({ schema }) => {
    const faults = [...fieldsBelow(schema, '')]
      .filter(([, field]) => field.default !== undefined && !compile(field)(field.default))
      .map(([path]) => path);
    expect(faults).toEqual([]);
  });

  it.each(versions)('prune unknown fields of every object but embedded ones: $id', ({ schema }) => {
    const open = [...fieldsBelow(schema, '')]
      .filter(
        ([, { properties, additionalProperties }]) =>
          properties !== undefined && additionalProperties !== false,
      )
      .map(([path]) => path);
    expect(open).toEqual([]);
  });
});

describe('findKindVersion', () => {
  it('finds a kind in each version that OCM serves', () => {
    for (const kind of kinds) {
      for (const version of kind.versions) {
        expect(findKindVersion(`${kind.group}/${version.name}`, kind.kind)).toEqual({ kind, version });
      }
    }
  });

  it('finds nothing for other versions, kinds and groups', () => {
    expect(findKindVersion('addon.open-cluster-management.io/v1', 'AddOnTemplate')).toBeUndefined();
    expect(findKindVersion('addon.open-cluster-management.io/v1alpha1', 'Placement')).toBeUndefined();
    expect(findKindVersion('v1', 'ConfigMap')).toBeUndefined();
    expect(findKindVersion('', '')).toBeUndefined();
  });
});

function* fieldsBelow(schema: StructuralSchema, path: string): Iterable<readonly [string, StructuralSchema]> {
  yield [path, schema];
  for (const [name, field] of Object.entries(schema.properties ?? {}))
    yield* fieldsBelow(field, `${path}.${name}`);
  if (schema.items) yield* fieldsBelow(schema.items, `${path}[]`);
  if (schema.additionalProperties) yield* fieldsBelow(schema.additionalProperties, `${path}{}`);
}
