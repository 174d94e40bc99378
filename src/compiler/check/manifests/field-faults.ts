import { isJsonList, isJsonMap, type JsonMap } from '../../../base/json/json-map.ts';
import type { FieldShape, KubernetesType } from '../../../../schemas/kubernetes/kubernetes.ts';
import { formatFieldPath, type FieldPath } from '../../model/field-path.ts';
import { closest, didYouMean } from '../../model/suggestion.ts';
import { quote } from '../../model/words.ts';
import { isMissing, isOutside, releaseWords, type ManifestFault } from './manifest-fault.ts';

/** Returns the fields of a manifest that are unknown to Kubernetes or have the wrong type. */
export function fieldFaults(manifest: JsonMap, type: KubernetesType): ManifestFault[] {
  const faults: ManifestFault[] = [];
  // The API server of the hub has already validated the metadata.
  const { metadata: _metadata, ...rest } = manifest;
  checkObject(rest, type, [], faults);
  return faults;
}

function checkObject(object: JsonMap, type: KubernetesType, path: FieldPath, faults: ManifestFault[]): void {
  for (const [name, value] of Object.entries(object)) {
    const field = type.fields.get(name);
    // A variable can have any value.
    if (field === undefined && name.includes('{{')) continue;
    if (field === undefined) {
      faults.push(unknownField(name, type, path));
      continue;
    }
    if (field.since !== undefined || field.until !== undefined) {
      faults.push({
        code: 'FW7132',
        path: [...path, name],
        what: `field ${quote(name)}${inWords(path)} exists only ${releaseWords(field)}`,
        consequence: 'it is dropped',
        isIn: (minor) => isOutside(field, minor),
      });
    }
    checkValue(value, field.value, [...path, name], faults);
  }
}

function unknownField(name: string, type: KubernetesType, path: FieldPath): ManifestFault {
  const names = [...type.fields.keys()];
  const meant = closest(name, names);
  const hint = didYouMean(name, names, 'its fields are');
  return {
    code: 'FW7132',
    path: [...path, name],
    what: `Kubernetes has no field ${quote(name)}${inWords(path)}`,
    consequence: 'it is dropped',
    ...(hint === undefined ? {} : { hint }),
    isIn: (minor) => isMissing(meant !== undefined, minor),
  };
}

function checkValue(value: unknown, shape: FieldShape, path: FieldPath, faults: ManifestFault[]): void {
  if (value === null || value === undefined || shape.shape === 'anything') return;
  if (shape.shape === 'list' && isJsonList(value)) {
    for (const [index, entry] of value.entries()) checkValue(entry, shape.of, [...path, index], faults);
  } else if (shape.shape === 'map' && isJsonMap(value)) {
    for (const [key, entry] of Object.entries(value)) checkValue(entry, shape.of, [...path, key], faults);
  } else if (shape.shape === 'object' && isJsonMap(value)) {
    checkObject(value, shape.type, path, faults);
  } else if (!isScalarOf(value, shape.shape)) {
    const isVariable = typeof value === 'string' && value.includes('{{');
    faults.push({
      code: 'FW7133',
      path,
      what: `${formatFieldPath(path)} must be ${nouns[shape.shape]}, but is ${described(value)}`,
      consequence: 'the manifest is not applied',
      hint: isVariable
        ? `a variable stays inside its quotes: write ${nouns[shape.shape]} into the template`
        : isUnquoted(value, shape.shape)
          ? `put it in quotes: "${described(value)}"`
          : `write ${nouns[shape.shape]}`,
      isIn: () => true,
    });
  }
}

function isUnquoted(value: unknown, shape: FieldShape['shape']): boolean {
  return shape === 'string' && typeof value !== 'object';
}

function isScalarOf(value: unknown, shape: FieldShape['shape']): boolean {
  const type = Number.isInteger(value) ? 'integer' : typeof value === 'bigint' ? 'integer' : typeof value;
  return scalarTypes[shape]?.includes(type) === true;
}

/** The JSON type of each shape. Lists, maps and objects are not scalars. */
const scalarTypes: Readonly<Partial<Record<FieldShape['shape'], readonly string[]>>> = {
  string: ['string'],
  boolean: ['boolean'],
  integer: ['integer'],
  number: ['integer', 'number'],
  // quantities can be written as any number
  'integer or string': ['integer', 'number', 'string'],
};

const nouns: Readonly<Record<FieldShape['shape'], string>> = {
  string: 'a text',
  boolean: 'true or false',
  integer: 'an integer',
  number: 'a number',
  'integer or string': 'a number or a text',
  list: 'a list',
  map: 'an object',
  object: 'an object',
  anything: 'anything',
};

function described(value: unknown): string {
  if (isJsonList(value)) return 'a list';
  if (isJsonMap(value)) return 'an object';
  return typeof value === 'string' ? `the text ${quote(value)}` : String(value);
}

/** Returns ` in spec.template.spec`, or an empty text for the object itself. */
function inWords(path: FieldPath): string {
  return path.length === 0 ? '' : ` in ${formatFieldPath(path)}`;
}
