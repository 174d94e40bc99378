import { byteLength, quotedRune } from '../../../gotemplate/index.ts';

/** Returns why a text is not a JSON pointer. */
export function pointerProblem(text: string): string | undefined {
  if (text === '') return undefined;
  if (!text.startsWith('/')) return 'not starting with /';
  return /~(?![01])/.test(text) ? '~ must be followed by 0 or 1' : undefined;
}

/** Returns why a text is not a relative JSON pointer. */
export function relativePointerProblem(text: string): string | undefined {
  const [digits = ''] = /^\d*/.exec(text) ?? [];
  if (digits === '') return 'must start with non-negative integer';
  if (digits.length > 1 && digits.startsWith('0')) return 'starts with zero';
  const rest = text.slice(digits.length);
  return rest === '#' ? undefined : pointerProblem(rest);
}

const groups = [8, 4, 4, 4, 12];

/** Returns why a text is not a UUID. */
export function uuidProblem(text: string): string | undefined {
  const parts = text.split('-');
  if (parts.length !== groups.length) return `must have ${groups.length} elements`;
  for (const [index, part] of parts.entries()) {
    if (byteLength(part) !== groups[index])
      return `element ${index + 1} must be ${groups[index]} characters long`;
    const other = unlike(part, /[\da-fA-F]/);
    if (other !== undefined) return `non-hex character ${other}`;
  }
  return undefined;
}

/** Returns why a text is not a semantic version. */
export function versionProblem(text: string): string | undefined {
  const [rest = '', ...builds] = text.split('+');
  if (builds.length > 0) {
    const problem = buildProblem(builds.join('+'));
    if (problem !== undefined) return problem;
  }
  const [core = '', ...preReleases] = rest.split('-');
  if (preReleases.length > 0) {
    const problem = preReleaseProblem(preReleases.join('-'));
    if (problem !== undefined) return problem;
  }
  const numbers = core.split('.');
  if (numbers.length !== 3) return 'versionCore must have 3 numbers separated by dot';
  for (const [index, number] of numbers.entries()) {
    const name = ['major', 'minor', 'patch'][index] ?? '';
    if (number === '') return `${name} is empty`;
    if (/^0./su.test(number)) return `${name} starts with zero`;
    if (!/^\d+$/.test(number)) return `${name} contains non-digit`;
  }
  return undefined;
}

function buildProblem(build: string): string | undefined {
  if (build === '') return 'build is empty';
  for (const part of build.split('.')) {
    if (part === '') return 'build identifier is empty';
    const other = unlike(part, /[-\da-zA-Z]/);
    if (other !== undefined) return `invalid character ${other} in build identifier`;
  }
  return undefined;
}

function preReleaseProblem(preRelease: string): string | undefined {
  for (const part of preRelease.split('.')) {
    if (part === '') return 'pre-release identifier is empty';
    const other = unlike(part, /[-\da-zA-Z]/);
    if (other !== undefined) return `invalid character ${other} in pre-release identifier`;
    if (/^0\d+$/.test(part)) return 'pre-release numeric identifier starts with zero';
  }
  return undefined;
}

/** Returns the first character that an expression does not match, as Go quotes it. */
export function unlike(text: string, expression: RegExp): string | undefined {
  for (const character of text)
    if (!expression.test(character)) return quotedRune(character.codePointAt(0) ?? 0);
  return undefined;
}
