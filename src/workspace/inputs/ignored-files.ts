import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ignore, { type Ignore } from 'ignore';
import { getOrInsertComputed } from '../../base/collections/get-or-insert.ts';
import type { IsIgnored } from './input-reader.ts';

/**
 * Leaves out the files that patterns of the command line match, in the syntax of `.gitignore` and relative to the
 * working folder.
 */
export function excluded(patterns: readonly string[], cwd: string): IsIgnored {
  if (patterns.length === 0) return () => false;
  const matcher = ignore().add([...patterns]);
  return (file, isFolder) => matches(matcher, cwd, path.resolve(cwd, file), isFolder)?.ignored === true;
}

/** Leaves out the files that the `.gitignore` files of the Git repository around the working folder leave out. */
export function gitIgnored(cwd: string): IsIgnored {
  const top = gitTop(cwd);
  if (top === undefined) return () => false;
  const matchers = new Map<string, Ignore | undefined>();
  const around = new Map<string, readonly FolderMatcher[]>();
  return (given, isFolder) => {
    const inner = path.dirname(given);
    const folders = getOrInsertComputed(around, inner, () =>
      foldersBetween(top, path.resolve(cwd, inner)).flatMap((folder) => {
        const matcher = getOrInsertComputed(matchers, folder, () =>
          readIgnoreFile(path.join(folder, '.gitignore')),
        );
        return matcher === undefined ? [] : [{ folder, matcher }];
      }),
    );
    if (folders.length === 0) return false;
    const file = path.resolve(cwd, given);
    let isIgnored = false;
    // A file nearer to the path overrides those above it.
    for (const { folder, matcher } of folders) {
      const match = matches(matcher, folder, file, isFolder);
      if (match?.ignored === true) isIgnored = true;
      else if (match?.unignored === true) isIgnored = false;
    }
    return isIgnored;
  };
}

/** A folder with a `.gitignore` file. */
interface FolderMatcher {
  readonly folder: string;
  readonly matcher: Ignore;
}

function matches(
  matcher: Ignore,
  folder: string,
  file: string,
  isFolder: boolean,
): { ignored: boolean; unignored: boolean } | undefined {
  const name = path.relative(folder, file).split(path.sep).join('/');
  // The library accepts only names below the folder.
  if (name === '' || name === '..' || name.startsWith('../')) return undefined;
  return matcher.test(isFolder ? `${name}/` : name);
}

function readIgnoreFile(file: string): Ignore | undefined {
  return existsSync(file) ? ignore().add(readFileSync(file, 'utf8')) : undefined;
}

function gitTop(cwd: string): string | undefined {
  for (let folder = cwd; ; folder = path.dirname(folder)) {
    if (existsSync(path.join(folder, '.git'))) return folder;
    if (folder === path.dirname(folder)) return undefined;
  }
}

/** Returns the folders from the top to an inner folder; an empty list if it is not inside. */
function foldersBetween(top: string, inner: string): string[] {
  const way = path.relative(top, inner);
  if (way === '..' || way.startsWith(`..${path.sep}`) || path.isAbsolute(way)) return [];
  const steps = way === '' ? [] : way.split(path.sep);
  return [top, ...steps.map((_, index) => path.join(top, ...steps.slice(0, index + 1)))];
}
