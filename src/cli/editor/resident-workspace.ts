import { realpathSync } from 'node:fs';
import path from 'node:path';
import type { Diagnostic } from '../../compiler/index.ts';
import { DiagnosedError } from '../../workspace/diagnosed-error.ts';
import { systemFailure } from '../../workspace/failure.ts';
import { FindingSelection } from '../../workspace/finding-selection.ts';
import { settingsFile } from '../../workspace/settings/settings.ts';
import { SettingsFiles } from '../../workspace/settings/settings-files.ts';
import { LocatedError } from '../../workspace/located-error.ts';
import { UserError } from '../../workspace/user-error.ts';
import { KeptContents } from '../../workspace/kept-contents.ts';
import {
  appsFolder,
  MissingPath,
  openWorkspace,
  workspaceAround,
  workspaceRoot,
} from '../../workspace/workspace.ts';
import { judgeHubs, type JudgedUnit } from '../commands/validate/judgement.ts';
import type { KeptOf } from '../commands/validate/validated-units.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { watchedFiles, changedFiles, type WatchedFiles } from '../watch/watched-files.ts';
import { EarlierState, type EarlierUnit } from './earlier-state.ts';
import { KeptApps } from './kept-apps.ts';
import { workspaceOptions } from './workspace-options.ts';

/** The state of a workspace, and what it means. */
export interface Answer {
  /** The top folder of the workspace. Files of findings and of objects are relative to it. */
  readonly root: string;
  /** The findings that `validate` reports, without those that the workspace turns off or accepts. */
  readonly findings: readonly Diagnostic[];
  /** The apps, each with the result of the hub. */
  readonly units: readonly JudgedUnit[];
  /** The apps in the last commit, without those that have no fleet. Undefined without a commit, or if it cannot be resolved. */
  readonly earlier: readonly EarlierUnit[] | undefined;
  /** Why there is no answer. The other parts are then empty. */
  readonly failure?: Failure;
}

/** A finding, or an error of the user, which has neither a code nor a severity. */
export type Failure = Omit<Diagnostic, 'code' | 'severity'> & Partial<Pick<Diagnostic, 'code' | 'severity'>>;

/**
 * A workspace whose files are being edited. It answers as `validate` does for what the editor shows, and keeps what an edit does not
 * change: the texts and objects of all other files, what apps with code created, and the last commit.
 */
export class ResidentWorkspace {
  readonly #terminal: Terminal;
  /** By real path. */
  readonly #openFiles = new Map<string, string>();
  readonly #apps = new KeptApps();
  readonly #contents = new KeptContents();
  readonly #earlier = new EarlierState();
  #files: WatchedFiles = new Map();

  /** @param terminal - of a command that was started in a folder of the workspace */
  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  /** The texts that the editor shows, by real path. */
  get openFiles(): ReadonlyMap<string, string> {
    return this.#openFiles;
  }

  /** What is kept of the inputs. A plan to what the editor shows shares it, see `Host.keptContents`. */
  get contents(): KeptContents {
    return this.#contents;
  }

  /** Sets the text that the editor shows for a file. Undefined if the editor closed it. */
  show(file: string, text: string | undefined): void {
    const place = realPath(file);
    if (text === undefined) this.#openFiles.delete(place);
    else this.#openFiles.set(place, text);
  }

  /** Whether a file on disk has changed since the last answer, or HEAD has moved since the last call. */
  async hasChanged(): Promise<boolean> {
    const hasMoved = await this.#earlier.hasMoved(workspaceRoot(this.#terminal.cwd));
    return hasMoved || changedFiles(this.#files, await this.#filesOnDisk()).length > 0;
  }

  /** Returns the answer for the present state. Without one, it has the reason. */
  async answer(): Promise<Answer> {
    const root = workspaceRoot(this.#terminal.cwd);
    const files = await this.#filesOnDisk();
    // An app may read any file.
    if (changedFiles(this.#files, files).length > 0) await this.#apps.forget();
    this.#files = files;
    if (workspaceAround(root) === undefined)
      return { root, ...nothing, failure: failureOf(noWorkspace(root)) };
    this.#contents.beginAnswer();
    const settingsFiles = new SettingsFiles();
    const terminal = {
      ...this.#terminal,
      cwd: root,
      settingsFiles,
      apps: this.#apps,
      openFiles: this.#openFiles,
      keptTexts: this.#contents.texts,
    };
    try {
      const keptOf: KeptOf = (hub, paths) => ({
        cache: this.#contents.ofHub(hub),
        results: this.#contents.results(hub, paths.map((each) => path.basename(each)).join('\n')),
      });
      const judged = await judgeHubs(workspaceOptions, terminal, keptOf);
      const selection = new FindingSelection(judged.findings, { now: terminal.now(), quiet: false });
      const all = [...judged.unplaced];
      // One result per object of a fleet, nearly all without findings.
      for (const { diagnostics } of judged.results) for (const found of diagnostics) all.push(found);
      return {
        root,
        findings: [...selection.select(all), ...selection.problems(judged.isReported)],
        units: judged.units,
        earlier: await this.#earlier.units(terminal, keptOf),
      };
    } catch (error) {
      return { root, ...nothing, failure: failureOf(error) };
    }
  }

  /** Ends the processes of apps. */
  async end(): Promise<void> {
    await this.#apps.end();
  }

  async #filesOnDisk(): Promise<WatchedFiles> {
    const root = workspaceAround(this.#terminal.cwd);
    // The folder may be that of all files of a user.
    if (root === undefined) return new Map();
    const outputs = await openWorkspace({
      ...this.#terminal,
      cwd: root,
      settingsFiles: new SettingsFiles(),
    }).then(
      ({ settings }) => [settings.out, ...settings.hubs.map(({ out }) => out)],
      // Settings that are being edited can be invalid.
      () => [],
    );
    return await watchedFiles([root], new Set(outputs.map((out) => path.join(root, out))));
  }
}

const nothing = { findings: [], units: [], earlier: undefined } as const;

/** @throws the error if it is a fault of Fleetwright */
function failureOf(error: unknown): Failure {
  if (error instanceof DiagnosedError) return error.diagnostic;
  const failure = userErrorOf(error);
  if (failure === undefined) throw error;
  const { hint } = failure;
  const isLocated = failure instanceof LocatedError;
  return {
    message: isLocated ? failure.problem : failure.message,
    ...(isLocated && { location: failure.location }),
    ...(hint !== undefined && { hint }),
  };
}

/** Returns what the user can do about an error, in terms of an editor: it has no command line. Undefined for a fault of Fleetwright. */
function userErrorOf(error: unknown): UserError | undefined {
  if (error instanceof MissingPath)
    return new UserError(
      `${error.apps}/ has no apps: folders with YAML or an app.ts`,
      `write the objects of an add-on to a folder such as ${error.apps}/agent`,
    );
  return error instanceof UserError ? error : systemFailure(error);
}

function noWorkspace(folder: string): UserError {
  return new UserError(
    `there is no ${settingsFile} and no folder ${appsFolder} in ${folder} or above it`,
    `start the editor in the repository of the add-ons, or create an empty ${settingsFile} at its top`,
  );
}

/** Returns the path without links; the path itself if there is no such file yet. */
function realPath(file: string): string {
  try {
    return realpathSync.native(file);
  } catch {
    return file;
  }
}
