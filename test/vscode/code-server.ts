import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { codeServerProgram, extensionFile } from './install-code-server.ts';

const noTelemetry = ['--disable-telemetry', '--disable-update-check', '--disable-getting-started-override'];

/** Visual Studio Code with the packed extension, for a browser on this machine. */
export class CodeServer {
  readonly url: string;
  readonly #process: ChildProcess;

  private constructor(url: string, child: ChildProcess) {
    this.url = url;
    this.#process = child;
  }

  /**
   * @param folder - for the data of the editor. It is created
   * @param settings - those of the user
   */
  static async start(folder: string, settings: Readonly<Record<string, unknown>>): Promise<CodeServer> {
    mkdirSync(path.join(folder, 'User'), { recursive: true });
    writeFileSync(path.join(folder, 'User/settings.json'), JSON.stringify(settings));
    const common = ['--user-data-dir', folder, '--extensions-dir', path.join(folder, 'extensions')];
    const options = { cwd: folder, env: { ...process.env, HOME: folder } };
    execFileSync(
      process.execPath,
      [codeServerProgram, ...common, '--install-extension', extensionFile],
      options,
    );
    const parameters = ['--auth', 'none', '--bind-addr', '127.0.0.1:0', '--disable-workspace-trust'];
    const child = spawn(process.execPath, [codeServerProgram, ...common, ...noTelemetry, ...parameters], {
      ...options,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const lines = createInterface(child.stdout);
    for await (const line of lines) {
      const [, url] = /listening on (http:\S+?)\/?$/.exec(line) ?? [];
      if (url !== undefined) return new CodeServer(url, child);
    }
    throw new Error('code-server ended before it listened');
  }

  /** Returns the address of the editor for a folder. */
  addressOf(folder: string): string {
    return `${this.url}/?folder=${encodeURIComponent(folder)}`;
  }

  async stop(): Promise<void> {
    const ended = once(this.#process, 'exit');
    this.#process.kill('SIGTERM');
    await ended;
  }
}
