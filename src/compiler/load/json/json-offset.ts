import type { FieldPath } from '../../model/field-path.ts';

const space = /[ \t\r\n]*/y;
const colon = /[ \t\r\n]*:[ \t\r\n]*/y;

/**
 * Returns the offset of a field's key, or of a list item, in valid JSON; of the nearest value around it if the field is not
 * written. If a key is repeated, the last one counts.
 *
 * @param start - the offset of the value that the path begins at
 */
export function offsetInJson(text: string, start: number, path: FieldPath): number {
  let offset = start;
  let value = start;
  for (const name of path) {
    const step = typeof name === 'number' ? item(text, value, name) : field(text, value, name);
    if (step === undefined) break;
    ({ offset, value } = step);
  }
  return offset;
}

interface Step {
  /** Where the key or the item begins. */
  readonly offset: number;
  readonly value: number;
}

function field(text: string, object: number, name: string): Step | undefined {
  if (text[object] !== '{') return undefined;
  let last: Step | undefined;
  let at = after(space, text, object + 1);
  while (text[at] === '"') {
    const end = afterString(text, at);
    const value = after(colon, text, end);
    if (JSON.parse(text.slice(at, end)) === name) last = { offset: at, value };
    at = next(text, value);
  }
  return last;
}

function item(text: string, list: number, index: number): Step | undefined {
  if (text[list] !== '[') return undefined;
  let at = after(space, text, list + 1);
  for (let count = 0; at < text.length && text[at] !== ']'; count++) {
    if (count === index) return { offset: at, value: at };
    at = next(text, at);
  }
  return undefined;
}

/** Returns the offset of what follows a value in its object or list: the next key or item, or the closing bracket. */
function next(text: string, value: number): number {
  let depth = 0;
  let at = value;
  while (at < text.length) {
    const character = text[at];
    if (character === '"') {
      at = afterString(text, at);
      continue;
    }
    if (character === '{' || character === '[') depth++;
    else if (character === '}' || character === ']') {
      if (depth === 0) return at;
      depth--;
    } else if (character === ',' && depth === 0) return after(space, text, at + 1);
    at++;
  }
  return at;
}

function afterString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at + 1;
}

/** Returns the offset after a sticky pattern; the offset itself if it does not match. */
function after(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}
