import { existsSync } from 'node:fs';
import path from 'node:path';
import {
  commands,
  type ExtensionContext,
  type LogOutputChannel,
  type StatusBarItem,
  StatusBarAlignment,
  ThemeColor,
  window,
  workspace,
} from 'vscode';
import { LanguageClient, State } from 'vscode-languageclient/node';
import { PlanPanel } from './plan-panel.ts';
import { findProgram, isWorkspaceWithoutSettings } from './program.ts';

let extension: Extension | undefined;

/** Called by the editor once a trusted workspace has a fleetwright.yaml, or the program installed. */
export async function activate(context: ExtensionContext): Promise<void> {
  const started = new Extension();
  extension = started;
  context.subscriptions.push(
    started.output,
    started.status,
    commands.registerCommand('fleetwright.showPlan', () => started.showPlan()),
    commands.registerCommand('fleetwright.restart', async () => await started.restart()),
    commands.registerCommand('fleetwright.showOutput', () => started.output.show()),
    workspace.onDidChangeConfiguration(async (change) => {
      if (change.affectsConfiguration('fleetwright.path')) await started.restart();
    }),
  );
  await started.start();
}

/** Called by the editor before it ends. */
export async function deactivate(): Promise<void> {
  await extension?.stop();
}

class Extension {
  readonly output: LogOutputChannel = window.createOutputChannel('Fleetwright', { log: true });
  readonly status: StatusBarItem = window.createStatusBarItem('fleetwright', StatusBarAlignment.Left);
  #client: LanguageClient | undefined;
  #panel: PlanPanel | undefined;
  #root = '';

  constructor() {
    this.status.name = 'Fleetwright';
    this.status.command = 'fleetwright.showPlan';
  }

  async start(): Promise<void> {
    const root = await findRoot();
    if (root === undefined) {
      this.output.info('no folder has a fleetwright.yaml, or has apps/ and Fleetwright installed');
      return;
    }
    this.#root = root;
    const program = findProgram(this.#root, workspace.getConfiguration('fleetwright').get('path', ''));
    if (program === undefined) {
      this.#show(
        'error',
        `no fleetwright program in ${this.#root}: run npm install, or set fleetwright.path`,
      );
      return;
    }
    const client = new LanguageClient(
      'fleetwright',
      'Fleetwright',
      { ...program, args: ['lsp'], options: { cwd: this.#root, shell: program.shell } },
      {
        documentSelector: [
          { scheme: 'file', language: 'yaml' },
          { scheme: 'file', language: 'typescript' },
        ],
        outputChannel: this.output,
      },
    );
    this.#client = client;
    client.onDidChangeState(({ newState }) => {
      if (newState === State.Running) this.#show('ready', 'shows the plan of your edits');
      else if (newState === State.Starting) this.#show('starting', 'the language server starts');
      else this.#show('error', 'the language server is not running: see its output');
    });
    client.onNotification('fleetwright/plan', ({ html }: { readonly html: string }) =>
      this.#panel?.update(html),
    );
    try {
      await client.start();
      if (this.#panel !== undefined) await client.sendRequest('fleetwright/showPlan');
    } catch (error) {
      this.output.error(error instanceof Error ? error : String(error));
      this.#show('error', 'the language server does not start: see its output');
    }
  }

  async stop(): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    if (client?.needsStop() === true) await client.stop();
  }

  async restart(): Promise<void> {
    await this.stop();
    await this.start();
  }

  async showPlan(): Promise<void> {
    if (this.#client === undefined || this.#client.state === State.Stopped) {
      this.output.show();
      return;
    }
    if (this.#panel !== undefined) {
      this.#panel.reveal();
      return;
    }
    this.#panel = new PlanPanel(this.#root, async () => {
      this.#panel = undefined;
      if (this.#client?.state === State.Running) await this.#client.sendRequest('fleetwright/hidePlan');
    });
    // One that is starting gets the request when it runs.
    if (this.#client.state === State.Running) await this.#client.sendRequest('fleetwright/showPlan');
  }

  #show(state: 'ready' | 'starting' | 'error', tooltip: string): void {
    const icons = { ready: 'check', starting: 'loading~spin', error: 'error' };
    this.status.text = `$(${icons[state]}) Fleetwright`;
    this.status.tooltip = `Fleetwright: ${tooltip}`;
    this.status.backgroundColor =
      state === 'error' ? new ThemeColor('statusBarItem.errorBackground') : undefined;
    if (state === 'error') this.output.error(tooltip);
    this.status.show();
  }
}

/**
 * Returns the folder of the first fleetwright.yaml, at the top of a folder of the editor or below; otherwise the first folder of the editor
 * that is a workspace without it.
 */
async function findRoot(): Promise<string | undefined> {
  const tops = (workspace.workspaceFolders ?? []).map(({ uri }) => uri.fsPath);
  const top = tops.find((folder) => existsSync(path.join(folder, 'fleetwright.yaml')));
  if (top !== undefined) return top;
  const [settings] = await workspace.findFiles('**/fleetwright.yaml', '**/node_modules/**', 1);
  return settings === undefined
    ? tops.find((folder) => isWorkspaceWithoutSettings(folder))
    : path.dirname(settings.fsPath);
}
