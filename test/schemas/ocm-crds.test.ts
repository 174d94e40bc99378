import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { kinds } from '../../schemas/index.ts';
import { fieldDescriptions, fieldFacts, type FieldFacts } from './field-facts.ts';

interface ExpectedKind {
  readonly group: string;
  readonly kind: string;
  readonly plural: string;
  readonly scope: string;
  readonly versions: readonly {
    readonly name: string;
    readonly served: boolean;
    readonly storage: boolean;
    readonly status: boolean;
    readonly fields: Readonly<Record<string, FieldFacts>>;
  }[];
}

interface CustomResourceDefinition {
  readonly spec: {
    readonly group: string;
    readonly names: { readonly kind: string; readonly plural: string };
    readonly scope: string;
    readonly preserveUnknownFields?: boolean;
    readonly versions: readonly {
      readonly name: string;
      readonly served: boolean;
      readonly storage: boolean;
      readonly subresources?: { readonly status?: object };
      readonly schema: { readonly openAPIV3Schema: object };
    }[];
  };
}

/** What OCM 1.3.1's CustomResourceDefinitions say, without their texts. */
const expectedKinds: readonly ExpectedKind[] = JSON.parse(
  readFileSync(new URL('ocm-1.3.1.json', import.meta.url), 'utf8'),
);

const versions = expectedKinds.flatMap(({ group, kind, versions }) =>
  versions.map((version) => ({ id: `${kind} ${version.name}`, group, kind, version })),
);

const repository = new URL('../../', import.meta.url);

function schemaFile(group: string, kind: string, version: string): object {
  return JSON.parse(
    readFileSync(new URL(`schemas/${group}/${kind.toLowerCase()}_${version}.json`, repository), 'utf8'),
  );
}

describe('the kinds', () => {
  it('are those of OCM 1.3.1, with their names, scopes and versions', () => {
    const named = kinds.map(({ versions, ...kind }) => ({
      ...kind,
      versions: versions.map(({ schema: _schema, ...version }) => version),
    }));
    const expected = expectedKinds.map(({ versions, ...kind }) => ({
      ...kind,
      key: `${kind.group}/${kind.kind}`,
      versions: versions.map(({ fields: _fields, ...version }) => version),
    }));
    expect(named).toEqual(expected);
  });

  it('have one version each that is stored', () => {
    const stored = kinds.map(({ versions }) => versions.filter(({ storage }) => storage).length);
    expect(new Set(stored)).toEqual(new Set([1]));
  });
});

describe.each(versions)('the schema of $id', ({ group, kind, version }) => {
  const schema = schemaFile(group, kind, version.name);

  it('has the fields of OCM 1.3.1, with their types, limits and defaults', () => {
    expect(fieldFacts(schema)).toEqual(version.fields);
  });

  it('is of this kind and version only', () => {
    expect(schema).toMatchObject({
      title: kind,
      'x-kubernetes-group-version-kind': [{ group, version: version.name, kind }],
      properties: { apiVersion: { const: `${group}/${version.name}` }, kind: { const: kind } },
    });
  });

  it('describes every field', () => {
    const described = fieldDescriptions(schema);
    // Values of lists and maps that are plain text are described by the list or map.
    const undescribed = Object.entries(version.fields)
      .filter(([path, { type }]) => type === 'object' || !/(\[\]|\{\})$/.test(path))
      .map(([path]) => path)
      .filter((path) => (described.get(path) ?? '').trim() === '');
    expect(undescribed).toEqual([]);
  });
});

describe.each(crdFolders())('the CustomResourceDefinitions in %s', (folder) => {
  const definitions = readdirSync(folder)
    .filter((file) => file.endsWith('.yaml'))
    .map((file): CustomResourceDefinition => parse(readFileSync(join(folder, file), 'utf8')));

  it('match the table', () => {
    const found = definitions.map(({ spec: { group, names, scope, versions } }) => ({
      group,
      kind: names.kind,
      plural: names.plural,
      scope,
      versions: versions.map(({ name, served, storage, subresources, schema }) => ({
        name,
        served,
        storage,
        status: subresources?.status !== undefined,
        fields: fieldFacts(schema.openAPIV3Schema),
      })),
    }));
    expect(sorted(found)).toEqual(sorted(expectedKinds));
  });

  it('prune unknown fields', () => {
    expect(definitions.filter(({ spec }) => spec.preserveUnknownFields === true)).toEqual([]);
  });

  it('describe no field in the words of our schemas', () => {
    const alike = definitions.flatMap(({ spec: { group, names, versions } }) =>
      versions.flatMap(({ name, schema }) => {
        const ours = fieldDescriptions(schemaFile(group, names.kind, name));
        const theirs = fieldDescriptions(schema.openAPIV3Schema);
        return [...ours]
          .filter(([path, description]) => shareWords(description, theirs.get(path) ?? ''))
          .map(([path]) => `${names.kind} ${name} ${path}`);
      }),
    );
    expect(alike).toEqual([]);
  });
});

/** Folders of CRDs to compare with: FLEETWRIGHT_CRDS where it is set, else what lies beside a development checkout. */
function crdFolders(): string[] {
  const named = process.env['FLEETWRIGHT_CRDS'];
  if (named !== undefined) return [named];
  return [fileURLToPath(new URL('../shared/crds/', repository))].filter((sibling) => existsSync(sibling));
}

function sorted(list: readonly ExpectedKind[]): readonly ExpectedKind[] {
  return list.toSorted((a, b) => (`${a.group}/${a.kind}` < `${b.group}/${b.kind}` ? -1 : 1));
}

/** Whether two texts are equal, or have eight successive words in common. */
function shareWords(one: string, other: string): boolean {
  const [ours, theirs] = [words(one), words(other)];
  const known = new Set(runsOfEight(theirs));
  return ours.join(' ') === theirs.join(' ') || runsOfEight(ours).some((run) => known.has(run));
}

function words(text: string): string[] {
  return text.toLowerCase().match(/[a-z0-9]+/g) ?? [];
}

function runsOfEight(list: readonly string[]): string[] {
  return list
    .slice(0, Math.max(0, list.length - 7))
    .map((_, start) => list.slice(start, start + 8).join(' '));
}
