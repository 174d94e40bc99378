import { isJsonMap } from '../json/json-map.ts';
import { parseGoJson } from '../json/parse-json.ts';
import { byteLength } from '../names/name-syntax.ts';
import {
  Field,
  invalid,
  invalidEach,
  required,
  tooLong,
  undecodable,
  type FieldFault,
} from './field-fault.ts';
import type { Struct } from './struct.ts';
import { configKeyErrors } from './values.ts';

/** As MaxSecretSize. */
const largest = 1024 * 1024;

/** As ValidateConfigMap. */
export function configMapFaults(object: Struct): readonly FieldFault[] {
  const [data, binary] = [object.textMap('data'), object.textMap('binaryData')];
  const size = [...data.values()].reduce((sum, text) => sum + byteLength(text), 0) + decodedSize(binary);
  return [
    ...undecodableFaults(object, 'binaryData'),
    ...keyFaults(object, 'data'),
    ...keyFaults(object, 'binaryData'),
    ...[...data.keys()]
      .filter((key) => binary.has(key))
      .map((key) => invalid(object.at('data').key(key), key, 'duplicate of key present in binaryData')),
    // the path is empty in the API server too
    ...(size > largest ? [tooLong(Field.root.key('', ['data']), largest)] : []),
  ];
}

/** As ValidateSecret, of the data that remains when `stringData` is merged into it. */
export function secretFaults(object: Struct): readonly FieldFault[] {
  const unread = undecodableFaults(object, 'data');
  if (unread.length > 0) return unread;
  const texts = object.textMap('stringData');
  const encoded = [...object.textMap('data')].filter(([key]) => !texts.has(key));
  const keys = new Set([...encoded.map(([key]) => key), ...texts.keys()]);
  const size =
    decodedSize(new Map(encoded)) + [...texts.values()].reduce((sum, text) => sum + byteLength(text), 0);
  return [
    ...keyFaults(object, 'data'),
    ...keyFaults(object, 'stringData').map((fault) => ({
      ...fault,
      // the API server moves them into the data
      field: fault.field.replace('stringData', 'data'),
    })),
    ...(size > largest ? [tooLong(object.at('data'), largest)] : []),
    ...typeFaults(object, keys),
  ];
}

function keyFaults(object: Struct, name: string): readonly FieldFault[] {
  return object
    .entries(name)
    .flatMap(([key]) => invalidEach(object.at(name).key(key), key, configKeyErrors(key)));
}

const requiredKeys: Readonly<Record<string, readonly string[]>> = {
  'kubernetes.io/dockercfg': ['.dockercfg'],
  'kubernetes.io/dockerconfigjson': ['.dockerconfigjson'],
  'kubernetes.io/ssh-auth': ['ssh-privatekey'],
  'kubernetes.io/tls': ['tls.crt', 'tls.key'],
};

function typeFaults(object: Struct, keys: ReadonlySet<string>): readonly FieldFault[] {
  const type = object.text('type');
  const data = object.at('data');
  if (type === 'kubernetes.io/service-account-token') {
    const metadata = object.embedded('metadata');
    const account = metadata.textMap('annotations').get('kubernetes.io/service-account.name') ?? '';
    const annotation = metadata.at('annotations').key('kubernetes.io/service-account.name');
    return account === '' ? [required(annotation)] : [];
  }
  if (type === 'kubernetes.io/basic-auth')
    return keys.has('username') || keys.has('password')
      ? []
      : [required(data.key('username')), required(data.key('password'))];
  const missing = (requiredKeys[type] ?? []).filter((key) => !keys.has(key));
  return [...missing.map((key) => required(data.key(key))), ...dockerFaults(object, type)];
}

const dockerKeys: Readonly<Record<string, string>> = {
  'kubernetes.io/dockercfg': '.dockercfg',
  'kubernetes.io/dockerconfigjson': '.dockerconfigjson',
};

/** The credentials of an image registry must be a JSON object. */
function dockerFaults(object: Struct, type: string): readonly FieldFault[] {
  const key = dockerKeys[type];
  if (key === undefined) return [];
  const encoded = object.textMap('data').get(key);
  const text =
    object.textMap('stringData').get(key) ??
    (encoded === undefined ? undefined : Buffer.from(encoded, 'base64').toString());
  const error = text === undefined ? undefined : jsonObjectError(text);
  if (error === undefined) return [];
  const name = object.textMap('stringData').has(key) ? 'stringData' : 'data';
  return [invalid(object.field.child(`data[${key}]`, [name, key]), '<secret contents redacted>', error)];
}

/** Returns why a text is not a JSON object, as encoding/json. Undefined if it is one, or null. */
function jsonObjectError(text: string): string | undefined {
  const parsed = parseGoJson(text);
  if ('error' in parsed) return parsed.error;
  const { value } = parsed;
  if (value === null || isJsonMap(value)) return undefined;
  const type = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value;
  return `json: cannot unmarshal ${type} into Go value of type map[string]interface {}`;
}

/** Returns the faults of bytes that are not base64. As encoding/json: line breaks are ignored. */
function undecodableFaults(object: Struct, name: string): readonly FieldFault[] {
  return [...object.textMap(name)]
    .filter(([, text]) => !isBase64(text))
    .map(([key]) => undecodable(object.at(name).key(key), 'illegal base64 data'));
}

function isBase64(text: string): boolean {
  const plain = text.replaceAll(/[\r\n]/g, '');
  return plain.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(plain);
}

function decodedSize(encoded: ReadonlyMap<string, string>): number {
  return [...encoded.values()].reduce((sum, text) => {
    const plain = text.replaceAll(/[\r\n]/g, '');
    return sum + (plain.length / 4) * 3 - (/=*$/.exec(plain)?.[0].length ?? 0);
  }, 0);
}
