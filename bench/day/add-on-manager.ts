import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { hubProgram } from '../../test/hub/process/build-hub.ts';

/** OCM's add-on manager of a hub as a separate process, which is started again when it ends, as its pod is. */
export class AddOnManager {
  /** How often it ended although nobody asked it to. */
  crashes = 0;
  readonly #kubeconfig: string;
  #child: ChildProcess;
  #isStopped = false;

  constructor(kubeconfig: string) {
    this.#kubeconfig = kubeconfig;
    this.#child = this.#start();
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  async restart(): Promise<void> {
    await this.stop();
    this.#isStopped = false;
    this.#child = this.#start();
  }

  async stop(): Promise<void> {
    if (this.#isStopped) return;
    this.#isStopped = true;
    const ended = once(this.#child, 'exit');
    this.#child.stdin?.end();
    await ended;
  }

  #start(): ChildProcess {
    const parameters = ['--add-on-manager-of', this.#kubeconfig, '--exit-with-stdin'];
    const child = spawn(hubProgram, parameters, { stdio: ['pipe', 'ignore', 'ignore'] });
    child.on('exit', () => {
      if (this.#isStopped) return;
      this.crashes += 1;
      this.#child = this.#start();
    });
    return child;
  }
}
