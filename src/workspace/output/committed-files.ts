import { spawn } from 'node:child_process';
import { stat } from 'node:fs/promises';
import path from 'node:path';

/** Maximum number of bytes to read from one repository at once. */
const largestAnswer = 256 * 1024 * 1024;

/**
 * Returns the texts of files in a commit, by name relative to `folder`. Leaves out files that the commit does not have. The
 * result is empty if there is no repository, no such commit, or no git.
 *
 * @param commit - by default the last one of the current branch
 */
export async function readCommitted(
  folder: string,
  files: readonly string[],
  commit = 'HEAD',
): Promise<ReadonlyMap<string, string>> {
  const names = files.filter((file) => !file.includes('\n'));
  if (names.length === 0) return new Map();
  // Git may have files of a folder that is missing in the working tree.
  const existing = await existingAncestor(folder);
  const prefix = path.relative(existing, folder).split(path.sep).join('/');
  const blobs = names.length > mostLookups ? await blobsBelow(existing, commit, prefix) : undefined;
  const requested = blobs === undefined ? names : names.filter((name) => blobs.has(name));
  const answer = await askGit(
    existing,
    ['cat-file', '--batch'],
    requested.map((name) => blobs?.get(name) ?? `${commit}:./${path.posix.join(prefix, name)}`),
  );
  return answer === undefined ? new Map() : textsIn(answer, requested);
}

/** Git reads the whole folder for each file that is requested by its path. */
const mostLookups = 50;

/** Returns the ids of all files below a folder, by name relative to it. */
async function blobsBelow(
  cwd: string,
  commit: string,
  prefix: string,
): Promise<ReadonlyMap<string, string> | undefined> {
  const answer = await askGit(cwd, ['ls-tree', '--full-tree', '-r', '-z', `${commit}:./${prefix}`]);
  if (answer === undefined) return undefined;
  const entries = answer.toString('utf8').split('\0');
  return new Map(
    entries.flatMap((entry) => {
      const [, id = '', name = ''] = /^\d+ blob ([0-9a-f]+)\t([^]+)$/.exec(entry) ?? [];
      return id === '' ? [] : [[name, id]];
    }),
  );
}

/** Returns the output of Git for some lines of input; undefined if it fails or returns too much. */
async function askGit(
  cwd: string,
  parameters: readonly string[],
  lines: readonly string[] = [],
): Promise<Buffer | undefined> {
  return await new Promise((resolve) => {
    const child = spawn('git', parameters, {
      cwd,
      stdio: ['pipe', 'pipe', 'ignore'],
      env: environment(),
    });
    const chunks: Buffer[] = [];
    let size = 0;
    child.stdout.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > largestAnswer) child.kill();
      else chunks.push(chunk);
    });
    child.once('error', () => resolve(undefined));
    child.once('close', (code) => resolve(code === 0 ? Buffer.concat(chunks) : undefined));
    // git exits immediately outside of a repository
    child.stdin.on('error', () => undefined);
    child.stdin.end(lines.map((line) => `${line}\n`).join(''));
  });
}

function textsIn(answer: Buffer, names: readonly string[]): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  let position = 0;
  for (const name of names) {
    const end = answer.indexOf('\n', position);
    if (end < 0) break;
    const [, type, length] = /^[0-9a-f]+ (\w+) (\d+)$/.exec(answer.toString('latin1', position, end)) ?? [];
    position = end + 1;
    if (length === undefined) continue;
    if (type === 'blob') texts.set(name, answer.toString('utf8', position, position + Number(length)));
    position += Number(length) + 1;
  }
  return texts;
}

/** Returns the environment without the variables that Git sets for hooks: the folder decides which repository is used. */
function environment(): NodeJS.ProcessEnv {
  const others = Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_'));
  return { ...Object.fromEntries(others), LC_ALL: 'C' };
}

async function existingAncestor(folder: string): Promise<string> {
  const isFolder = await stat(folder).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
  const parent = path.dirname(folder);
  return isFolder || parent === folder ? folder : await existingAncestor(parent);
}
