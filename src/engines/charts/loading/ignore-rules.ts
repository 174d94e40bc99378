import { RE2JS } from 're2js';
import { ChartError } from '../chart-fault.ts';

/** A line of .helmignore. */
interface Rule {
  readonly isNegated: boolean;
  readonly forFolders: boolean;
  readonly hasSlash: boolean;
  readonly pattern: RE2JS;
}

/** Which files of a folder are not part of its chart. As Helm's package ignore, which has no `**` and stops at the first match. */
export class IgnoreRules {
  readonly #rules: readonly Rule[];

  /** @throws {ChartError} for a rule that Helm rejects */
  constructor(text: string) {
    const lines = `${text}\ntemplates/.?*`.replace(/^\ufeff/, '').split(/\r?\n/);
    this.#rules = lines.map((line) => line.trim()).flatMap(parseRule);
  }

  /** @param path - without a slash at the end */
  excludes(path: string): boolean {
    const parts = path.split('/');
    return parts.some((_, index) =>
      this.#ignores(parts.slice(0, index + 1).join('/'), index < parts.length - 1),
    );
  }

  #ignores(path: string, isFolder: boolean): boolean {
    const name = path.slice(path.lastIndexOf('/') + 1);
    for (const { isNegated, forFolders, hasSlash, pattern } of this.#rules) {
      const matches = pattern.matches(hasSlash ? path : name);
      if (isNegated) {
        if ((forFolders && !isFolder) || !matches) return true;
      } else if (matches && (!forFolders || isFolder)) return true;
    }
    return false;
  }
}

function parseRule(line: string): Rule[] {
  if (line === '' || line.startsWith('#')) return [];
  if (line.includes('**')) throw unreadable('double-star (**) syntax is not supported');
  const isNegated = line.startsWith('!');
  const forFolders = line.endsWith('/');
  let rule = isNegated ? line.slice(1) : line;
  if (forFolders) rule = rule.replace(/\/$/, '');
  const hasSlash = rule.includes('/');
  return [{ isNegated, forFolders, hasSlash, pattern: globPattern(rule.replace(/^\//, '')) }];
}

/** As filepath.Match: `*`, `?`, `[a-z]`, `[^a]` and `\`; none of them matches a slash. */
function globPattern(glob: string): RE2JS {
  let source = '';
  for (let at = 0; at < glob.length; at++) {
    const character = glob.charAt(at);
    if (character === '*') source += '[^/]*';
    else if (character === '?') source += '[^/]';
    else if (character === '[') {
      const group = /^\[(\^?)((?:\\.|[^\]\\])+)\]/s.exec(glob.slice(at));
      if (group === null) throw unreadable('syntax error in pattern');
      source += `[${group[1] ?? ''}${(group[2] ?? '').replaceAll('[', String.raw`\[`).replaceAll('^', String.raw`\^`)}]`;
      at += group[0].length - 1;
    } else if (character === '\\') {
      at += 1;
      if (at === glob.length) throw unreadable('syntax error in pattern');
      source += escaped(glob.charAt(at));
    } else source += escaped(character);
  }
  return RE2JS.compile(source, RE2JS.DOTALL);
}

function escaped(character: string): string {
  return character.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
}

function unreadable(message: string): ChartError {
  return new ChartError({ code: 'FW6021', message, file: '.helmignore' });
}
