import { execFileSync, spawn } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** How a program ended and what it printed. */
export interface Answer {
  readonly code: number;
  readonly out: string;
}

/**
 * A shell that runs Git, and answers synchronously through named pipes. To start a process costs a shell a tenth of what it costs
 * Node, whose memory is copied each time.
 */
export class GitShell {
  readonly #folder = mkdtempSync(path.join(tmpdir(), 'fleetwright-shell-'));
  readonly #requests: number;
  readonly #answers: number;

  constructor() {
    const [requests, answers] = ['requests', 'answers'].map((name) => path.join(this.#folder, name)) as [
      string,
      string,
    ];
    execFileSync('mkfifo', [requests, answers]);
    const script = `exec <'${requests}' >'${answers}' 2>/dev/null
while IFS= read -r line; do eval "$line"; printf '\\n%s\\0' $?; done`;
    spawn('sh', ['-c', script], { stdio: 'ignore' }).unref();
    this.#requests = openSync(requests, 'w');
    this.#answers = openSync(answers, 'r');
  }

  git(folder: string, parameters: readonly string[]): Answer {
    const identity = ['-c', 'user.name=a', '-c', 'user.email=a@example.com', '-c', 'commit.gpgsign=false'];
    const words = ['git', '-C', folder, ...identity, ...parameters].map(quoted);
    writeSync(this.#requests, `${words.join(' ')} </dev/null\n`);
    const chunks: Buffer[] = [];
    const chunk = Buffer.alloc(65536);
    do chunks.push(Buffer.from(chunk.subarray(0, readSync(this.#answers, chunk))));
    while (chunks.at(-1)?.at(-1) !== 0);
    const text = Buffer.concat(chunks).toString('utf8').slice(0, -1);
    const end = text.lastIndexOf('\n');
    return { code: Number(text.slice(end + 1)), out: text.slice(0, end).trim() };
  }

  /** Ends the shell, which reads no more requests. */
  close(): void {
    closeSync(this.#requests);
    closeSync(this.#answers);
    rmSync(this.#folder, { recursive: true });
  }
}

function quoted(word: string): string {
  if (word.includes('\n')) throw new Error(`a word with a line break: ${word}`);
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
