import { realpath, rm } from 'node:fs/promises';
import path from 'node:path';
import type { FailedPlan } from '../../../../compiler/index.ts';
import { KeptContents } from '../../../../workspace/kept-contents.ts';
import { KeptCheckouts } from '../../../../workspace/kept-checkouts.ts';
import { SettingsFiles } from '../../../../workspace/settings/settings-files.ts';
import { Stopwatch } from '../../../../workspace/stopwatch.ts';
import { workspaceRoot } from '../../../../workspace/workspace.ts';
import { reportFailure } from '../../../report-failure.ts';
import type { Terminal } from '../../../terminal/terminal.ts';
import { StateApps } from '../../../watch/state-apps.ts';
import { watchedFiles, type WatchedFiles } from '../../../watch/watched-files.ts';
import { WatchedRevisions } from '../../../watch/watched-revisions.ts';
import { errorOf } from '../failed-plan.ts';
import type { PlanArguments } from '../plan-arguments.ts';
import { planOutputs } from '../plan-outputs.ts';
import type { PlannedChange } from '../planned-change.ts';
import { approvedPlanOf, withPlanned } from '../with-planned.ts';

/** A plan, or the errors that prevent it. */
export type PlanAnswer = PlannedChange | Pick<FailedPlan, 'errors'>;

/**
 * A plan that is made again after changes, and is that of a new command each time. It keeps what a change leaves alone: the files of
 * commits, what the apps of unchanged states created, and the results of stages whose inputs are the same.
 */
export class LivePlan {
  readonly #options: PlanArguments;
  readonly #terminal: Terminal;
  readonly #apps = new StateApps();
  readonly #checkouts = new KeptCheckouts();
  readonly #contents: KeptContents;
  readonly #revisions: WatchedRevisions;
  readonly #inputs: readonly string[];
  readonly #outputs: ReadonlySet<string>;

  /** @param terminal - what it keeps of inputs is shared with other answers about them. @default - this plan keeps it */
  constructor(options: PlanArguments, terminal: Terminal) {
    this.#options = options;
    this.#terminal = terminal;
    this.#contents = terminal.keptContents ?? new KeptContents();
    const { state = [], fleet, policy, verify } = options;
    this.#revisions = new WatchedRevisions(state, terminal.cwd, this.#checkouts.questions);
    const given = [...fleet, ...[policy ?? []].flat(), ...[verify ?? []].flat()];
    const folders = state.length > 1 ? state : [];
    this.#inputs = [...given, ...folders].map((file) => path.resolve(terminal.cwd, file));
    this.#outputs = new Set(planOutputs(options.output, terminal.cwd).flatMap(({ file }) => file ?? []));
  }

  /** Returns the states of all files and revisions that count. */
  async read(): Promise<WatchedFiles> {
    const root = workspaceRoot(this.#terminal.cwd);
    const files = await watchedFiles([root, ...this.#inputs], this.#outputs);
    return new Map([...files, ...(await this.#revisions.read())]);
  }

  /** Forgets what depends on files and revisions. */
  async forget(changed: readonly string[]): Promise<void> {
    this.#checkouts.questions.forgetFiles();
    const kept: string[] = [];
    for (const { root, links } of await this.#checkouts.all()) {
      // They lead to folders of the working tree.
      const linked = await Promise.all(links.map(async (link) => await realpath(link).catch(() => link)));
      if (!changed.some((file) => linked.some((folder) => isBelow(file, folder)))) kept.push(root);
    }
    await this.#apps.forget((cwd) => !kept.some((root) => isBelow(cwd, root)));
  }

  /**
   * Plans, or returns why there is no plan; then it is also printed. Files of the states exist while `use` runs.
   *
   * @throws the error if it is a fault of Fleetwright
   */
  async answer<T>(
    use: (answer: PlanAnswer, terminal: Terminal) => Promise<T>,
    printing: Partial<Terminal> = {},
  ): Promise<T> {
    // A plan that is made again and again reports no timings.
    const { meter: _meter, ...unmetered } = this.#terminal;
    const terminal: Terminal = {
      ...unmetered,
      ...printing,
      settingsFiles: new SettingsFiles(),
      apps: this.#apps,
      checkouts: this.#checkouts,
      keptContents: this.#contents,
      keptTexts: this.#contents.texts,
    };
    this.#contents.beginAnswer();
    const options = this.#options;
    const outputs = planOutputs(options.output, terminal.cwd);
    const watch = new Stopwatch(terminal);
    let begun = false;
    try {
      const approved = await approvedPlanOf(options, terminal.cwd);
      return await withPlanned({ options, outputs, approved, watch }, terminal, async (planned) => {
        begun = true;
        return await use(planned, terminal);
      });
    } catch (error) {
      // What `use` does is no part of the plan.
      if (begun) throw error;
      reportFailure(error, terminal);
      return await use({ errors: [errorOf(error)] }, terminal);
    } finally {
      await this.#removeUnused();
    }
  }

  async #removeUnused(): Promise<void> {
    for (const { root } of await this.#checkouts.forgetUnused()) {
      await this.#apps.forget((cwd) => isBelow(cwd, root));
      await rm(root, { recursive: true, force: true });
    }
  }

  /** Ends the processes of apps, and removes the files of commits. */
  async end(): Promise<void> {
    await this.#apps.end();
    await this.#checkouts.end();
  }
}

function isBelow(file: string, folder: string): boolean {
  return file === folder || file.startsWith(folder + path.sep);
}
