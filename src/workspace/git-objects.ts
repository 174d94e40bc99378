import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { Readable, Writable } from 'node:stream';

/** An object of Git as `git cat-file --batch` returns it. */
export interface GitObject {
  readonly id: string;
  readonly type: string;
  readonly content: Buffer;
}

/** Maximum number of bytes to read from one repository at once. */
const largestAnswer = 256 * 1024 * 1024;

/** How long a process waits for the next request, in milliseconds. */
const idleTime = 200;

/**
 * Returns objects of a repository by their names, as `HEAD:./file` or `main^{commit}`; undefined for each that does not exist. The
 * result is undefined if the folder is in no repository, there is no git, or the objects are too large.
 *
 * One process answers all requests for a folder that follow each other closely: a command asks many times, and starting a process
 * costs more than an answer.
 */
export async function readGitObjects(
  cwd: string,
  names: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): Promise<readonly (GitObject | undefined)[] | undefined> {
  const requested = names.filter((name) => !name.includes('\n'));
  if (requested.length === 0) return names.map(() => undefined);
  const key = JSON.stringify([cwd, gitVariables(env)]);
  const reader =
    readers.get(key) ??
    new ObjectReader(cwd, env, (ended) => {
      if (readers.get(key) === ended) readers.delete(key);
    });
  readers.set(key, reader);
  const objects = await reader.read(requested);
  if (objects === undefined) return undefined;
  const byName = new Map(requested.map((name, index) => [name, objects[index]]));
  return names.map((name) => byName.get(name));
}

const readers = new Map<string, ObjectReader>();

/** Returns the folder of the Git repository that contains a folder, or undefined outside of a repository. */
export async function topOfRepository(folder: string): Promise<string | undefined> {
  for (let top = folder; ; top = path.dirname(top)) {
    const found = await stat(path.join(top, '.git')).catch(() => undefined);
    if (found !== undefined) return top;
    if (top === path.dirname(top)) return undefined;
  }
}

/** Returns the environment without the variables that Git sets for hooks: the folder decides which repository is used. */
export function withoutGitVariables(): NodeJS.ProcessEnv {
  const others = Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_'));
  return { ...Object.fromEntries(others), LC_ALL: 'C' };
}

/** Returns the variables that decide which repository Git reads. */
function gitVariables(env: NodeJS.ProcessEnv): readonly (readonly [string, string | undefined])[] {
  return Object.entries(env).filter(([name]) => name.startsWith('GIT_'));
}

interface Request {
  readonly count: number;
  readonly resolve: (objects: readonly (GitObject | undefined)[] | undefined) => void;
}

/** A running `git cat-file --batch`. It ends when nothing was requested for a while, and never keeps the command running. */
class ObjectReader {
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;
  readonly #requests: Request[] = [];
  readonly #end: (ended: ObjectReader) => void;
  #idle: NodeJS.Timeout | undefined;
  #chunks: Buffer[] = [];
  #size = 0;
  /** The bytes to wait for before it is worth reading the answer again. */
  #needed = 0;
  #objects: (GitObject | undefined)[] = [];

  constructor(cwd: string, env: NodeJS.ProcessEnv, end: (ended: ObjectReader) => void) {
    this.#end = end;
    this.#child = spawn('git', ['cat-file', '--batch'], { cwd, env, stdio: ['pipe', 'pipe', 'ignore'] });
    this.#child.stdout.on('data', (chunk: Buffer) => this.#receive(chunk));
    this.#child.once('error', () => this.#stop());
    this.#child.once('close', () => this.#stop());
    // git exits immediately outside of a repository
    this.#child.stdin.on('error', () => undefined);
  }

  async read(names: readonly string[]): Promise<readonly (GitObject | undefined)[] | undefined> {
    clearTimeout(this.#idle);
    this.#keepRunning(true);
    return await new Promise((resolve) => {
      this.#requests.push({ count: names.length, resolve });
      this.#child.stdin.write(names.map((name) => `${name}\n`).join(''));
    });
  }

  #receive(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    if (this.#size > largestAnswer) return void this.#child.kill();
    if (this.#size < this.#needed) return;
    const answer = Buffer.concat(this.#chunks);
    const position = this.#parse(answer);
    const rest = answer.subarray(position);
    this.#chunks = rest.length === 0 ? [] : [rest];
    this.#size = rest.length;
    this.#needed = Math.max(0, this.#needed - position);
  }

  /** Reads the whole objects of an answer. @returns where the first incomplete one begins */
  #parse(answer: Buffer): number {
    for (let position = 0; ;) {
      this.#needed = 0;
      const end = answer.indexOf('\n', position);
      if (end < 0) return position;
      const header = /^([0-9a-f]+) (\w+) (\d+)$/.exec(answer.toString('latin1', position, end));
      if (header === null) {
        position = end + 1;
        this.#add(undefined);
        continue;
      }
      const [, id = '', type = '', length = ''] = header;
      const next = end + 1 + Number(length);
      if (answer.length <= next) {
        this.#needed = next + 1;
        return position;
      }
      this.#add({ id, type, content: answer.subarray(end + 1, next) });
      position = next + 1;
    }
  }

  #add(object: GitObject | undefined): void {
    this.#objects.push(object);
    const [request] = this.#requests;
    if (request === undefined || this.#objects.length < request.count) return;
    this.#requests.shift();
    request.resolve(this.#objects);
    this.#objects = [];
    if (this.#requests.length > 0) return;
    this.#keepRunning(false);
    this.#idle = setTimeout(() => this.#stop(), idleTime).unref();
  }

  #stop(): void {
    clearTimeout(this.#idle);
    this.#end(this);
    this.#child.stdin.end();
    for (const { resolve } of this.#requests.splice(0)) resolve(undefined);
  }

  #keepRunning(isRequested: boolean): void {
    for (const handle of [this.#child, this.#child.stdin, this.#child.stdout] as readonly Partial<Handle>[])
      if (isRequested) handle.ref?.();
      else handle.unref?.();
  }
}

/** What keeps Node running: processes and pipes. The types of streams leave these out. */
interface Handle {
  ref(): void;
  unref(): void;
}
