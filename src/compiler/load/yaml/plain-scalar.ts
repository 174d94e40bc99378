import { resolveAsKubectl } from '../../../base/yaml/go-scalar.ts';
import { resolveCore } from './yaml-1-2-scalar.ts';

/** Other texts are strings for every reader: the words of booleans and null have at most five letters. */
const mayBeSpecial = /^(?:[-+.\d~]|[fFnNoOtTyY].{0,4}$)/s;
const shortDecimal = /^(?:0|-?[1-9]\d{0,14})$/;

/** Returns the value of a plain scalar that every reader reads alike; undefined if there is something to report about it. */
export function resolvePlain(text: string): string | number | boolean | null | undefined {
  if (!mayBeSpecial.test(text)) return text;
  switch (text) {
    case 'true':
      return true;
    case 'false':
      return false;
    case 'null':
      return null;
    default:
      break;
  }
  if (shortDecimal.test(text)) return Number(text);
  return isString(text) ? text : undefined;
}

/** Whether every reader reads a plain scalar as a string. */
export function isString(text: string): boolean {
  return (
    !mayBeSpecial.test(text) ||
    (resolveCore(text).kind === 'string' && resolveAsKubectl(text).kind === 'string')
  );
}

/** Returns a text without the spaces at its end. Other characters for white space belong to scalars. */
export function withoutSpaceAtEnd(text: string): string {
  let end = text.length;
  while (text[end - 1] === ' ') end--;
  return text.slice(0, end);
}
