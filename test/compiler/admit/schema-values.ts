import fc from 'fast-check';
import { kinds, type JsonValue, type StructuralSchema } from '../../../schemas/index.ts';

/**
 * Values that mostly fit a schema, with what an API server has to put right: missing fields, nulls, empty lists. Depth is
 * bounded by the schemas, which do not recurse.
 */
export function valueOf(schema: StructuralSchema): fc.Arbitrary<unknown> {
  if (schema['x-kubernetes-embedded-resource'] === true) return manifest;
  const value = fitting(schema);
  return schema.nullable === true || schema.default !== undefined
    ? fc.oneof({ weight: 9, arbitrary: value }, { weight: 1, arbitrary: fc.constant(null) })
    : value;
}

function fitting(schema: StructuralSchema): fc.Arbitrary<unknown> {
  if (schema.enum !== undefined) return fc.constantFrom<JsonValue>(...schema.enum);
  if (schema['x-kubernetes-int-or-string'] === true)
    return fc.oneof(fc.nat(100), fc.constantFrom('10%', '5'));
  switch (typeof schema.type === 'string' ? schema.type : schema.type?.[0]) {
    case 'object':
      return objectOf(schema);
    case 'array':
      return fc.array(valueOf(schema.items ?? {}), { maxLength: 2 });
    case 'boolean':
      return fc.boolean();
    case 'integer':
    case 'number':
      return fc.integer({ min: schema.minimum ?? 0, max: schema.maximum ?? (schema.minimum ?? 0) + 100 });
    case 'string':
      return textOf(schema);
    case undefined:
      return fc.jsonValue();
    default:
      throw new Error(`no values of type ${String(schema.type)}`);
  }
}

function textOf({ format, pattern, minLength = 0 }: StructuralSchema): fc.Arbitrary<string> {
  if (format === 'date-time') return fc.constantFrom('2026-01-01T00:00:00Z', '2026-01-01T00:00:00.5+01:00');
  if (format === 'byte') return fc.constantFrom('YWJj', 'YQ==');
  const texts = [
    'abc',
    'a-b',
    '5m',
    '10%',
    '1h',
    'example.com/a',
    'work-agent',
    'deployments:a:b',
    'open-cluster-management-a',
    'kubernetes.io/kube-apiserver-client',
  ];
  const good = pattern === undefined ? texts : texts.filter((text) => new RegExp(pattern).test(text));
  return fc.constantFrom(
    ...good.filter((text) => text.length >= minLength),
    ...(good.length === 0 ? ['abc'] : []),
  );
}

function objectOf({
  properties,
  additionalProperties,
  required = [],
}: StructuralSchema): fc.Arbitrary<unknown> {
  if (properties === undefined) {
    if (additionalProperties === undefined || additionalProperties === false) return fc.constant({});
    return fc.dictionary(fc.constantFrom('a', 'cpu'), valueOf(additionalProperties), { maxKeys: 2 });
  }
  const fields = Object.entries(properties).map(([name, field]) => [name, valueOf(field)] as const);
  return fc.record(Object.fromEntries(fields), { requiredKeys: [...required] });
}

const manifest = fc.record(
  {
    apiVersion: fc.constantFrom('v1', 'apps/v1'),
    kind: fc.constantFrom('ConfigMap', 'Deployment'),
    metadata: fc.record(
      {
        name: fc.constantFrom('a', ''),
        labels: fc.dictionary(fc.constantFrom('a', 'b'), fc.constantFrom('x', '', null)),
        creationTimestamp: fc.constantFrom(null, '2026-01-01T00:00:00+01:00'),
        ownerReferences: fc.constantFrom([], null),
      },
      { requiredKeys: [] },
    ),
    data: fc.constantFrom(null, { a: null }, {}),
  },
  { requiredKeys: ['apiVersion', 'kind'] },
);

/** Objects of OCM's kinds, in all versions. */
export const ocmObject: fc.Arbitrary<{ apiVersion: string; kind: string }> = fc.oneof(
  ...kinds.flatMap(({ group, kind, scope, versions }) =>
    versions.map(({ name, schema }) => {
      const { apiVersion: _, kind: __, metadata: ___, ...properties } = schema.properties ?? {};
      const content = objectOf({
        ...schema,
        properties,
        required: (schema.required ?? []).filter((key) => key in properties),
      });
      const metadata = fc.record(
        {
          name: fc.constantFrom('a', 'b'),
          ...(scope === 'Namespaced' ? { namespace: fc.constantFrom('ns1', 'ns2') } : {}),
          labels: fc.dictionary(fc.constantFrom('a', 'b'), fc.constantFrom('x', '', null)),
          annotations: fc.constantFrom(
            {},
            { 'addon.open-cluster-management.io/v1alpha1-install-namespace': 'x' },
          ),
        },
        { requiredKeys: ['name'] },
      );
      return fc.record({ content, metadata }).map((made) => ({
        apiVersion: `${group}/${name}`,
        kind,
        metadata: made.metadata,
        ...(made.content as object),
      }));
    }),
  ),
);
