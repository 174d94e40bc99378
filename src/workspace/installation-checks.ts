import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { diagnostic } from '../compiler/model/diagnostic.ts';
import type { Diagnostic } from '../compiler/index.ts';

const execute = promisify(execFile);

/** The oldest supported minor version of each supported major version of Node. All major versions after the last one are supported. */
const nodeVersions: readonly (readonly [major: number, minor: number])[] = [
  [20, 19],
  [22, 12],
  [24, 0],
];

/** Reports a version of Node that the package does not support. @param running - such as `v20.19.0` */
export function checkNode(running: string): readonly Diagnostic[] {
  const [, major = 0, minor = 0] = (/^v(\d+)\.(\d+)/.exec(running) ?? []).map(Number);
  const newest = nodeVersions.at(-1)?.[0] ?? 0;
  const isSupported =
    major > newest || nodeVersions.some(([supported, least]) => major === supported && minor >= least);
  if (isSupported) return [];
  const versions = nodeVersions.map(([supported, least]) =>
    least === 0 ? `${supported}` : `${supported}.${least}`,
  );
  return [
    diagnostic('FW9082', {
      message: `Node ${running.replace(/^v/, '')} is not supported`,
      hint: `install one of Node ${versions.join(', ')}, or later`,
    }),
  ];
}

/** Reports a missing Git, and a repository without its history. A folder outside of a repository needs neither. */
export async function checkGit(folder: string, env: NodeJS.ProcessEnv): Promise<readonly Diagnostic[]> {
  const git = async (...parameters: readonly string[]): Promise<string | undefined> => {
    try {
      return (
        await execute('git', [...parameters], { cwd: folder, env: { ...env, LC_ALL: 'C' } })
      ).stdout.trim();
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
      return '';
    }
  };
  const isShallow = await git('rev-parse', '--is-shallow-repository');
  if (isShallow === undefined)
    return [
      diagnostic('FW9083', {
        message: 'git is not installed, so revisions cannot be compared',
        hint: 'install Git, and add it to PATH',
      }),
    ];
  if (isShallow !== 'true') return [];
  return [
    diagnostic('FW9084', {
      message: 'the repository has only a part of its history, so plan may not find the base of a change',
      hint: '`git fetch --unshallow`; in CI, fetch-depth: 0 on GitHub and GIT_DEPTH: 0 on GitLab',
    }),
  ];
}

/**
 * Reports that the running version is not the one that the lock file of a folder has.
 *
 * @param running - the version of the running package
 */
export async function checkLock(folder: string, running: string): Promise<readonly Diagnostic[]> {
  for (const [file, versionIn, install] of lockFiles) {
    const text = await readFile(path.join(folder, file), 'utf8').catch(() => undefined);
    const locked = text === undefined ? undefined : versionIn(text);
    if (locked === undefined || locked === running) continue;
    return [
      diagnostic('FW9085', {
        message: `Fleetwright ${running} is running, but ${file} has ${locked}`,
        location: { file, line: 1, column: 1 },
        hint: `\`${install}\` installs the locked version; then run it with npx`,
      }),
    ];
  }
  return [];
}

/** The lock files of package managers, and how they record the package. */
const lockFiles: readonly (readonly [
  file: string,
  versionIn: (text: string) => string | undefined,
  install: string,
])[] = [
  ['package-lock.json', npmVersion, 'npm ci'],
  [
    'pnpm-lock.yaml',
    (text) => /^ {2}'?\/?fleetwright@(\d[^:('"]*)/m.exec(text)?.[1],
    'pnpm install --frozen-lockfile',
  ],
  [
    'yarn.lock',
    (text) => /^"?fleetwright@[^\n]*:\n +version:? "?([^"\n]+)/m.exec(text)?.[1],
    'yarn install --immutable',
  ],
];

function npmVersion(text: string): string | undefined {
  try {
    const { packages } = JSON.parse(text) as {
      packages?: Readonly<Record<string, { readonly version?: unknown } | undefined>>;
    };
    const version = packages?.['node_modules/fleetwright']?.version;
    return typeof version === 'string' ? version : undefined;
  } catch {
    // npm reports a damaged file itself.
    return undefined;
  }
}
