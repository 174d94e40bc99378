import { resolveCore } from './yaml-1-2-scalar.ts';
import type { YamlScalar } from '../../../base/yaml/go-scalar.ts';

const standardTag = 'tag:yaml.org,2002:';

/** Returns the value of a scalar with a tag; undefined if the tag does not fit the text. */
export function resolveTagged(tag: string, text: string): YamlScalar | undefined {
  if (!tag.startsWith(standardTag)) return { kind: 'string', value: text };
  const name = tag.slice(standardTag.length);
  const plain = resolveCore(text);
  switch (name) {
    case 'null':
      return plain.kind === 'null' ? plain : undefined;
    case 'bool':
      return plain.kind === 'boolean' ? plain : undefined;
    case 'int':
      return plain.kind === 'integer' ? plain : undefined;
    case 'float':
      if (plain.kind === 'integer') return { kind: 'float', value: Number(plain.value) };
      return plain.kind === 'float' || plain.kind === 'infinite' ? plain : undefined;
    case 'timestamp':
      return timestamp.test(text) ? { kind: 'string', value: text } : undefined;
    case 'binary':
      return decodeBase64(text);
    default:
      return { kind: 'string', value: text };
  }
}

const timestamp = /^\d{4}-\d\d?-\d\d?(?:[Tt ]\d\d?:\d\d?:\d\d?(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)?)?$/;
const base64 = /^(?:[A-Za-z\d+/]{4})*(?:[A-Za-z\d+/]{2}==|[A-Za-z\d+/]{3}=)?$/;

/** Bytes have no JSON form, unless they are UTF-8. */
function decodeBase64(text: string): YamlScalar | undefined {
  const digits = text.replaceAll(/[\r\n]/g, '');
  if (!base64.test(digits)) return undefined;
  try {
    const bytes = Uint8Array.from(atob(digits), (character) => character.charCodeAt(0));
    return {
      kind: 'string',
      value: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes),
    };
  } catch {
    return undefined;
  }
}
