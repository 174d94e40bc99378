import { goInteger } from '../../../base/json/go-json.ts';
import type { YamlScalar } from '../../../base/yaml/go-scalar.ts';

const nothing: YamlScalar = { kind: 'null', value: null };
const mayBeSpecial = /^[-+.\d~fFnNtT]/;
const mayBeNumber = /^[-+.\d]/;
const decimal = /^[-+]?\d+$/;
const otherBase = /^0(?:o[0-7]+|x[\da-fA-F]+)$/;
const leadingZero = /^[-+]?0[0-7]+$/;
const float = /^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?$/;
const infinite = /^(?:[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/;

/**
 * Returns the value of a plain scalar by the core schema of YAML 1.2, which is how users read YAML today. kubectl reads YAML 1.1;
 * if the two differ, a warning asks for an unambiguous form. Octal numbers with a leading zero are the exception: file modes are
 * written this way, and every common parser reads `0755` as 493.
 *
 * @see https://yaml.org/spec/1.2.2/#103-core-schema
 */
export function resolveCore(text: string): YamlScalar {
  if (text === '') return nothing;
  if (!mayBeSpecial.test(text)) return { kind: 'string', value: text };
  switch (text) {
    case '~':
    case 'null':
    case 'Null':
    case 'NULL':
      return nothing;
    case 'true':
    case 'True':
    case 'TRUE':
      return { kind: 'boolean', value: true };
    case 'false':
    case 'False':
    case 'FALSE':
      return { kind: 'boolean', value: false };
    default:
      break;
  }
  if (!mayBeNumber.test(text)) return { kind: 'string', value: text };
  if (leadingZero.test(text))
    return { kind: 'integer', value: integer(text.replace(/^([-+]?)0+(?=\d)/, '$10o')) };
  if (decimal.test(text) || otherBase.test(text)) return { kind: 'integer', value: integer(text) };
  if (float.test(text) && Number.isFinite(Number(text))) {
    return { kind: 'float', value: Number(text) === 0 ? 0 : Number(text) };
  }
  return infinite.test(text) ? { kind: 'infinite', value: text } : { kind: 'string', value: text };
}

function integer(text: string): number | bigint {
  const magnitude = BigInt(text.replace(/^[-+]/, ''));
  return goInteger(text.startsWith('-') ? -magnitude : magnitude);
}
