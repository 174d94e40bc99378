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
  const answer = await catFiles(
    existing,
    names.map((name) => `${commit}:./${path.posix.join(prefix, name)}`),
  );
  return answer === undefined ? new Map() : textsIn(answer, names);
}

/** Returns the answer of `git cat-file --batch`: a line for each request, and the content if there is any. */
async function catFiles(cwd: string, requests: readonly string[]): Promise<Buffer | undefined> {
  return await new Promise((resolve) => {
    const child = spawn('git', ['cat-file', '--batch'], {
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
    // git exits at once outside of a repository
    child.stdin.on('error', () => undefined);
    child.stdin.end(requests.map((request) => `${request}\n`).join(''));
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
