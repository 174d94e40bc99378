import { goJson } from '../json/go-json.ts';
import { dns1035LabelErrors, dnsSubdomainErrors } from '../names/name-errors.ts';
import { Field, invalid, invalidEach, notSupported, required, type FieldFault } from './field-fault.ts';
import { GoStruct } from './go-struct.ts';
import type { Struct } from './struct.ts';

/** As ValidateCustomResourceDefinition: names, scope and versions. Schemas and conversions are not checked. */
export function customResourceDefinitionFaults(object: Struct): readonly FieldFault[] {
  const spec = object.embedded('spec');
  const metadata = object.embedded('metadata');
  const names = spec.embedded('names');
  const [group, plural, name] = [spec.text('group'), names.text('plural'), metadata.text('name')];
  const scope = spec.text('scope');
  return [
    ...(name === ''
      ? []
      : invalidEach(metadata.at('name'), name, [
          ...dnsSubdomainErrors(name),
          ...(name === `${plural}.${group}` ? [] : ['must be spec.names.plural+"."+spec.group']),
        ])),
    ...groupFaults(spec, group),
    ...(scope === ''
      ? [required(spec.at('scope'))]
      : scope === 'Cluster' || scope === 'Namespaced'
        ? []
        : [notSupported(spec.at('scope'), scope, ['Cluster', 'Namespaced'])]),
    ...(plural === '' ? [required(names.at('plural'))] : []),
    ...(names.text('kind') === ''
      ? [
          required(names.at('kind')),
          // both have a default that is made of the kind
          ...['singular', 'listKind']
            .filter((part) => names.text(part) === '')
            .map((part) => required(names.at(part))),
        ]
      : []),
    ...kindNameFaults(names),
    ...versionFaults(spec),
  ];
}

/** As ValidateCustomResourceDefinitionNames. */
function kindNameFaults(names: Struct): readonly FieldFault[] {
  const mixed = 'may have mixed case, but should otherwise match: ';
  return [
    ...['plural', 'singular'].flatMap((name) => labelFaults(names.text(name), names.at(name), '')),
    ...['kind', 'listKind'].flatMap((name) => labelFaults(names.text(name), names.at(name), mixed)),
    ...['shortNames', 'categories'].flatMap((list) =>
      names.texts(list).flatMap((name, index) => labelFaults(name, names.at(list).index(index), '')),
    ),
  ];
}

function labelFaults(name: string, field: Field, words: string): readonly FieldFault[] {
  const errors = dns1035LabelErrors(words === '' ? name : name.toLowerCase());
  return name === '' || errors.length === 0 ? [] : [invalid(field, name, words + errors.join(','))];
}

function groupFaults(spec: Struct, group: string): readonly FieldFault[] {
  const field = spec.at('group');
  if (group === '') return [required(field)];
  const errors = dnsSubdomainErrors(group);
  if (errors.length > 0) return [invalid(field, group, errors.join(','))];
  return group.includes('.') ? [] : [invalid(field, group, 'should be a domain with at least one dot')];
}

function versionFaults(spec: Struct): readonly FieldFault[] {
  const versions = spec.structs('versions');
  const names = versions.map((version) => version.text('name'));
  const field = spec.at('versions');
  const stored = versions.filter((version) => version.isTrue('storage'));
  return [
    ...versions.flatMap((version) => {
      const name = version.text('name');
      const errors = dns1035LabelErrors(name);
      return [
        ...(errors.length > 0 ? [invalid(version.at('name'), name, errors.join(','))] : []),
        ...(version.embedded('schema').has('openAPIV3Schema')
          ? []
          : [required(version.at('schema').child('openAPIV3Schema'))]),
      ];
    }),
    ...(new Set(names).size < names.length
      ? [invalid(field, names, 'must contain unique version names')]
      : []),
    ...(stored.length === 1
      ? []
      : [
          invalid(
            field,
            printedVersions(versions),
            'must have exactly one version marked as storage version',
          ),
          storedVersionFault(stored, field),
        ]),
  ];
}

/**
 * As apiextensions.CustomResourceDefinitionVersion. What is the same in all versions is in the spec of the internal type, and not in the
 * versions. Schemas that differ are printed as they are written.
 */
function printedVersions(versions: readonly Struct[]): readonly GoStruct[] {
  const differing = (version: Struct, name: string): unknown =>
    new Set(versions.map((each) => goJson(each.value(name) ?? null))).size === 1 ? null : version.value(name);
  return versions.map(
    (version) =>
      new GoStruct({
        Name: version.text('name'),
        Served: version.isTrue('served'),
        Storage: version.isTrue('storage'),
        Deprecated: version.isTrue('deprecated'),
        DeprecationWarning: version.value('deprecationWarning'),
        Schema: differing(version, 'schema'),
        Subresources: differing(version, 'subresources'),
        AdditionalPrinterColumns: differing(version, 'additionalPrinterColumns'),
        SelectableFields: version.value('selectableFields'),
      }),
  );
}

/** As ValidateCustomResourceDefinitionStoredVersions: the API server writes the first one of them into the status. */
function storedVersionFault(stored: readonly Struct[], versions: Field): FieldFault {
  const names = stored.map((version) => version.text('name'));
  return invalid(
    Field.root.child('status.storedVersions', versions.steps),
    names.length === 0 ? null : names.slice(0, 1),
    names.length === 0
      ? 'must have at least one stored version'
      : `must have the storage version ${names.at(-1)}`,
  );
}
