import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';

/** Debian's, or the one that the variable names. */
const executable = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

/** A browser that opens reports from files, as a reader does who downloaded them. */
export class ReportBrowser {
  readonly #browser: Browser;
  readonly #folder = mkdtempSync(path.join(tmpdir(), 'fleetwright-browser-'));
  #files = 0;

  private constructor(browser: Browser) {
    this.#browser = browser;
  }

  static async start(): Promise<ReportBrowser> {
    if (!existsSync(executable)) {
      throw new Error(`there is no ${executable}: install Debian's chromium, or name another with CHROMIUM`);
    }
    // Chromium's sandbox refuses to run as root, as which CI runs.
    const isRoot = process.getuid?.() === 0;
    const browser = await chromium.launch({ executablePath: executable, chromiumSandbox: !isRoot });
    return new ReportBrowser(browser);
  }

  async stop(): Promise<void> {
    await this.#browser.close();
    rmSync(this.#folder, { recursive: true });
  }

  /** Opens a page, and gathers what it complains of: errors, what its own policy keeps it from, requests, dialogs and new pages. */
  async open(
    html: string,
    options: BrowserContextOptions = {},
  ): Promise<{ page: Page; complaints: readonly string[] }> {
    const file = path.join(this.#folder, `${this.#files++}.html`);
    writeFileSync(file, html);
    const context = await this.#browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
    const page = await context.newPage();
    const complaints = complaintsOf(page, (url) => url.startsWith('file:'));
    await page.goto(pathToFileURL(file).href);
    return { page, complaints };
  }

  /** Opens the page of a server, and gathers what it complains of, and requests to others. */
  async visit(url: string): Promise<{ page: Page; complaints: readonly string[] }> {
    const context = await this.#browser.newContext({ viewport: { width: 1280, height: 900 } });
    const page = await context.newPage();
    const complaints = complaintsOf(page, (asked) => asked.startsWith(url));
    await page.goto(url);
    return { page, complaints };
  }
}

/** Gathers errors, what the policy of the page keeps it from, unexpected requests, dialogs and new pages. */
function complaintsOf(page: Page, isExpected: (url: string) => boolean): readonly string[] {
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => complaints.push(message.text()));
  page.on('request', (request) => {
    if (!isExpected(request.url())) complaints.push(`asks for ${request.url()}`);
  });
  page.on('dialog', (dialog) => {
    complaints.push(`shows the dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('popup', (popup) => complaints.push(`opens ${popup.url()}`));
  page.on('download', (download) => complaints.push(`downloads ${download.url()}`));
  return complaints;
}
