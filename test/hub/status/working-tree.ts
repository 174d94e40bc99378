import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { run } from '../../../src/cli/run.ts';
import type { FleetStatus } from '../../../src/compiler/index.ts';

/** A working tree whose apps `status` compares with a hub. */
export class WorkingTree {
  readonly #folder: string;
  readonly #kubeconfig: string;

  private constructor(folder: string, kubeconfig: string) {
    this.#folder = folder;
    this.#kubeconfig = kubeconfig;
  }

  static async create(kubeconfig: string): Promise<WorkingTree> {
    return new WorkingTree(await mkdtemp(path.join(tmpdir(), 'fleetwright-status-')), kubeconfig);
  }

  /** Writes an app. */
  async write(name: string, objects: readonly object[]): Promise<void> {
    await mkdir(path.join(this.#folder, 'apps', name), { recursive: true });
    const text = objects.map((object) => JSON.stringify(object)).join('\n---\n');
    await writeFile(path.join(this.#folder, 'apps', name, 'app.yaml'), text);
  }

  /**
   * Runs `status -o json`.
   *
   * @throws Error with what the command prints if it fails
   */
  async status(...options: readonly string[]): Promise<FleetStatus> {
    let [out, err] = ['', ''];
    const code = await run(
      ['status', ...options, '-o', 'json', '--hub-version', '1.2', '--kubeconfig', this.#kubeconfig],
      {
        cwd: this.#folder,
        now: () => Date.now(),
        readInput: () => Promise.resolve(new Uint8Array()),
        out: (text) => (out += text),
        err: (text) => (err += text),
        color: false,
      },
    );
    if (code === 2) throw new Error(err);
    const answer = JSON.parse(out) as FleetStatus;
    if (code !== (answer.asPredicted ? 0 : 1)) throw new Error(`exit code ${code}: ${out}`);
    return answer;
  }

  async remove(): Promise<void> {
    await rm(this.#folder, { recursive: true });
  }
}
