import path from 'node:path';
import { getOrInsertComputed } from '../../base/collections/get-or-insert.ts';
import type { Host } from '../host.ts';
import { SettingsFile } from './settings-file.ts';
import { readSettingsText } from './settings-text.ts';

/** The settings files of a run. Each is read once: one that changes meanwhile would be read in two states. */
export class SettingsFiles {
  readonly #texts = new Map<string, Promise<string | undefined>>();
  readonly #files = new Map<string, Promise<SettingsFile | undefined>>();
  readonly #roots = new Map<string, string>();

  /** Returns the top folder of the workspace around a folder, as the run first found it. */
  root(cwd: string, find: (cwd: string) => string): string {
    return getOrInsertComputed(this.#roots, cwd, () => find(cwd));
  }

  /**
   * Returns a settings file; undefined if it does not exist.
   *
   * @param name - relative to `cwd`; diagnostics name the file so
   * @throws UserError if it has an unknown key or an invalid value
   * @throws DiagnosedError if it cannot be read, is not valid YAML or is nested too deeply
   */
  async read(name: string, cwd: string): Promise<SettingsFile | undefined> {
    const file = path.resolve(cwd, name);
    return await getOrInsertComputed(this.#files, `${name}\n${file}`, async () => {
      const text = await getOrInsertComputed(this.#texts, file, async () => readSettingsText(name, cwd));
      return text === undefined ? undefined : SettingsFile.parse(name, text);
    });
  }
}

/** Reads a settings file as `SettingsFiles.read`: once in a run, if the host is that of a run. */
export async function readSettingsFile(
  name: string,
  { cwd, settingsFiles = new SettingsFiles() }: Pick<Host, 'cwd' | 'settingsFiles'>,
): Promise<SettingsFile | undefined> {
  return await settingsFiles.read(name, cwd);
}
