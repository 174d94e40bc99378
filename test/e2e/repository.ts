import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { run } from '../../src/cli/run.ts';
import type { Terminal } from '../../src/cli/terminal/terminal.ts';

/** A Git repository in a temporary folder, with the dependencies of this one. */
export class GitRepository {
  readonly root: string;
  /** An empty folder beside it. */
  readonly temporary: string;
  /** The email address of the author of the next commits. */
  author: string | undefined;

  constructor({ linkedDependencies = false } = {}) {
    const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'fleetwright-e2e-')));
    this.root = path.join(folder, 'repository');
    this.temporary = path.join(folder, 'temporary');
    mkdirSync(this.root);
    mkdirSync(this.temporary);
    this.#git('init', '--quiet', '--initial-branch=main');
    writeFileSync(path.join(this.root, '.gitignore'), 'node_modules\n');
    // What npm would install: this package under its name, and what it needs.
    const modules = linkedDependencies
      ? path.join(folder, 'elsewhere')
      : path.join(this.root, 'node_modules');
    const here = path.resolve(import.meta.dirname, '../..');
    mkdirSync(modules);
    symlinkSync(here, path.join(modules, 'fleetwright'));
    if (linkedDependencies) symlinkSync('../elsewhere', path.join(this.root, 'node_modules'));
    for (const name of ['cdk8s', 'constructs']) {
      symlinkSync(path.join(here, 'node_modules', name), path.join(modules, name));
    }
  }

  /** Writes files and commits everything. Without a text a file is removed. Returns the commit. */
  commit(message: string, files: Readonly<Record<string, string | undefined>>): string {
    this.write(files);
    this.#git('add', '--all');
    this.#git('commit', '--quiet', '--allow-empty', '--message', message);
    return this.#git('rev-parse', 'HEAD').trim();
  }

  write(files: Readonly<Record<string, string | undefined>>): void {
    for (const [name, text] of Object.entries(files)) {
      const file = path.join(this.root, name);
      if (text === undefined) rmSync(file);
      else {
        mkdirSync(path.dirname(file), { recursive: true });
        writeFileSync(file, text);
      }
    }
  }

  branch(name: string, from: string): void {
    this.#git('checkout', '--quiet', '-b', name, from);
  }

  /** The commit that is checked out. */
  /** Merges a branch into the present one, with a commit, and returns the commit. */
  merge(branch: string): string {
    this.#git('merge', '--quiet', '--no-ff', '--no-edit', branch);
    return this.head();
  }

  head(): string {
    return this.#git('rev-parse', 'HEAD').trim();
  }

  /** Moves the branch and the working tree to a commit. */
  reset(commit: string): void {
    this.#git('reset', '--quiet', '--hard', commit);
  }

  remove(): void {
    rmSync(path.dirname(this.root), { recursive: true });
  }

  /** Git's own account of what is not committed. */
  status(): string {
    return this.#git('status', '--porcelain');
  }

  /** Runs Fleetwright in the repository, or in a folder of it. */
  async fleetwright(
    parameters: readonly string[],
    folder = '',
    terminal: Partial<Terminal> = {},
  ): Promise<{ code: number; out: string; err: string }> {
    let out = '';
    let err = '';
    const code = await run(parameters, {
      cwd: path.join(this.root, folder),
      now: () => Date.parse('2026-06-01T00:00:00Z'),
      readInput: () => Promise.resolve(new Uint8Array()),
      out: (text) => {
        out += text;
      },
      err: (text) => {
        err += text;
      },
      color: false,
      ...terminal,
    });
    return { code, out, err };
  }

  #git(...parameters: string[]): string {
    const identity = {
      GIT_AUTHOR_NAME: 'A',
      GIT_AUTHOR_EMAIL: this.author ?? 'a@example.com',
      GIT_COMMITTER_NAME: 'A',
      GIT_COMMITTER_EMAIL: 'a@example.com',
    };
    return execFileSync('git', parameters, {
      cwd: this.root,
      encoding: 'utf8',
      env: { ...process.env, ...identity },
    });
  }
}
