import path from 'node:path';
import { Position, Range, Uri, ViewColumn, type WebviewPanel, window } from 'vscode';

/** What the page sends: that it runs, or a location that the reader follows. */
interface PageMessage {
  readonly isReady?: boolean;
  readonly file?: string;
  readonly line?: number;
}

/** A panel beside the editor with the page of the plan. */
export class PlanPanel {
  readonly #panel: WebviewPanel;
  readonly #root: string;
  #latest: string | undefined;
  #loaded: string | undefined;
  #isReady = false;

  /** @param root - the folder that locations in the page are relative to */
  constructor(root: string, onClose: () => Promise<void>) {
    this.#root = root;
    this.#panel = window.createWebviewPanel(
      'fleetwright.plan',
      'Plan',
      { viewColumn: ViewColumn.Beside, preserveFocus: true },
      { enableScripts: true, retainContextWhenHidden: true, localResourceRoots: [] },
    );
    this.#panel.webview.html = waiting;
    this.#panel.webview.onDidReceiveMessage(async (message: PageMessage) => await this.#receive(message));
    this.#panel.onDidDispose(async () => await onClose());
  }

  reveal(): void {
    this.#panel.reveal(undefined, true);
  }

  /** Shows a page. The page itself replaces its content with the next one, so that the reader's filters stay. */
  update(html: string): void {
    this.#latest = html;
    if (this.#loaded === undefined) {
      this.#loaded = html;
      this.#panel.webview.html = html;
    } else if (this.#isReady) void this.#send({ html });
  }

  /** The panel has one page, so that there is no other target. */
  async #send(message: object): Promise<void> {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- it is no window
    await this.#panel.webview.postMessage(message);
  }

  async #receive({ isReady, file, line }: PageMessage): Promise<void> {
    if (isReady === true) {
      this.#isReady = true;
      if (this.#latest !== this.#loaded) await this.#send({ html: this.#latest });
    }
    if (typeof file !== 'string') return;
    const place = path.resolve(this.#root, file);
    // The page can only name files of the workspace.
    if (!place.startsWith(this.#root + path.sep)) return;
    const position = new Position(Math.max(0, (line ?? 1) - 1), 0);
    await window.showTextDocument(Uri.file(place), {
      viewColumn: ViewColumn.One,
      selection: new Range(position, position),
    });
  }
}

const waiting = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="default-src 'none'"><title>Plan</title></head>
<body><p>The first plan is being made.</p></body>
</html>
`;
