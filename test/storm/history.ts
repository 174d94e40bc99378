import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync, existsSync } from 'node:fs';
import path from 'node:path';
import { parseAllDocuments } from 'yaml';
import { GitShell } from './git-shell.ts';

/** A repository of Git in a folder, driven as a team does. */
export class Repository {
  readonly folder: string;
  /** The number of commits that were made, on all branches. */
  commits = 0;
  readonly #shell = new GitShell();

  constructor(folder: string) {
    this.folder = folder;
    this.git('init', '--quiet', '--initial-branch=main');
    // What Git would do once in a while, in the middle of a history.
    this.git('config', 'gc.auto', '0');
  }

  git(...parameters: readonly string[]): string {
    const { code, out } = this.#shell.git(this.folder, parameters);
    if (code !== 0) throw new Error(`git ${parameters.join(' ')}: ${code}`);
    return out;
  }

  /** Whether Git succeeds; a conflict is an ordinary outcome. */
  try(...parameters: readonly string[]): boolean {
    return this.#shell.git(this.folder, parameters).code === 0;
  }

  get head(): string {
    const read = (file: string): string => this.read(`.git/${file}`).trim();
    return read(read('HEAD').replace('ref: ', ''));
  }

  /** The number of commits of the branch, of which merges have one. */
  get length(): number {
    return Number(this.git('rev-list', '--count', '--first-parent', 'HEAD'));
  }

  /** Commits everything, also a state without a difference. */
  commit(message: string): string {
    this.git('add', '--all');
    this.git('commit', '--quiet', '--allow-empty', '--message', message);
    this.commits += 1;
    return this.head;
  }

  write(file: string, text: string): void {
    mkdirSync(path.dirname(path.join(this.folder, file)), { recursive: true });
    writeFileSync(path.join(this.folder, file), text);
  }

  read(file: string): string {
    return readFileSync(path.join(this.folder, file), 'utf8');
  }

  /** Removes the repository. */
  close(): void {
    this.#shell.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  remove(file: string): void {
    rmSync(path.join(this.folder, file), { recursive: true, force: true });
  }
}

/** An object as an engine reads it from a folder of files. */
export interface AppliedObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly spec?: Record<string, unknown>;
}

export function keyOf({ kind, metadata }: AppliedObject): string {
  return `${kind} ${metadata.namespace ?? ''}/${metadata.name}`;
}

/** Returns the objects that the kustomizations below a folder list, as `kustomize build` does. */
export function appliedObjects(folder: string): readonly AppliedObject[] {
  const file = path.join(folder, 'kustomization.yaml');
  if (!existsSync(file)) return [];
  const text = readFileSync(file, 'utf8');
  if (text.includes('<<<<<<<')) throw new Error(`${file} has conflict markers`);
  const names = [...text.matchAll(/^- (.+)$/gm)].map(([, name = '']) => name);
  return names.flatMap((name) => {
    const below = path.join(folder, name);
    if (!name.endsWith('.yaml')) return appliedObjects(below);
    return objectsIn(readFileSync(below, 'utf8'));
  });
}

/** Most files of a commit have the text that they had in the commit before. */
const parsed = new Map<string, readonly AppliedObject[]>();

function objectsIn(text: string): readonly AppliedObject[] {
  const known = parsed.get(text);
  if (known !== undefined) return known;
  const objects = parseAllDocuments(text).map((document) => document.toJS() as AppliedObject);
  parsed.set(text, objects);
  return objects;
}

/** Returns the names of the files of a folder. */
export function filesOf(folder: string): readonly string[] {
  return existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => path.join(entry.parentPath, entry.name))
        .sort()
    : [];
}

/** Returns random numbers from a seed: mulberry32. */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
