import { argumentsOf } from '../commands/plan/plan-arguments.ts';
import { LivePlan } from '../commands/plan/live/live-plan.ts';
import { PlanPages } from '../commands/plan/live/plan-pages.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { changedFiles, type WatchedFiles } from '../watch/watched-files.ts';

/** The requests and the notification of a panel with the plan. */
export const planMethods = {
  show: 'fleetwright/showPlan',
  hide: 'fleetwright/hidePlan',
  page: 'fleetwright/plan',
} as const;

/** The revision that the editor's state is compared with. */
const base = 'HEAD';

/** The page of the plan from the last commit to what the editor shows, as long as the editor has a panel for it. */
export class PlanPanel {
  readonly #terminal: Terminal;
  readonly #send: (html: string) => Promise<void>;
  readonly #log: (error: unknown) => void;
  #files: WatchedFiles = new Map();
  #shown: { readonly plan: LivePlan; readonly pages: PlanPages } | undefined;
  #isStale = false;
  #running: Promise<void> | undefined;

  /** @param terminal - with the files that the editor has open, and what is kept of them */
  constructor(terminal: Terminal, send: (html: string) => Promise<void>, log: (error: unknown) => void) {
    this.#terminal = terminal;
    this.#send = send;
    this.#log = log;
  }

  /** Sends the page, and sends it again whenever it differs. */
  show(): void {
    this.#shown ??= {
      plan: new LivePlan(argumentsOf(base), this.#terminal),
      pages: new PlanPages('messages', 'workspace:'),
    };
    this.update();
  }

  /** Plans again if the panel is open. Changes during a plan lead to one more. */
  update(): void {
    if (this.#shown === undefined) return;
    this.#isStale = true;
    this.#running ??= this.#run().finally(() => (this.#running = undefined));
  }

  /** Ends the processes of apps, and removes the files of commits. */
  async hide(): Promise<void> {
    const shown = this.#shown;
    this.#shown = undefined;
    await this.#running;
    await shown?.plan.end();
  }

  async #run(): Promise<void> {
    while (this.#isStale && this.#shown !== undefined) {
      this.#isStale = false;
      const { plan, pages } = this.#shown;
      try {
        const files = await plan.read();
        const changed = changedFiles(this.#files, files);
        this.#files = files;
        if (changed.length > 0) await plan.forget(changed);
        const page = await plan.answer(async (answer) => await Promise.resolve(pages.next(answer)));
        if (page !== undefined && this.#shown?.plan === plan) await this.#send(page.html);
      } catch (error) {
        this.#log(error);
      }
    }
  }
}
