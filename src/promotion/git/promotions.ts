import { readFile, realpath } from 'node:fs/promises';
import path from 'node:path';
import { diagnostic } from '../../compiler/model/diagnostic.ts';
import type { Diagnostic } from '../../compiler/index.ts';
import { readPromotion } from '../decide/promotion-file.ts';
import type { Promotion } from '../decide/promotion.ts';
import { didYouMean } from '../../compiler/model/suggestion.ts';
import { promotedApps, promotionFile } from '../../workspace/inputs/promotion-files.ts';
import type { WorkspaceSettings } from '../../workspace/settings/settings.ts';

/** The promotion files of a hub. */
export interface Promotions {
  /** By app. */
  readonly byApp: ReadonlyMap<string, Promotion>;
  readonly diagnostics: readonly Diagnostic[];
  /** The texts that diagnostics point into, by file. */
  readonly texts: ReadonlyMap<string, string>;
}

/**
 * Reads the promotion files of a hub. An app whose file is not valid is an error, never an app without a promotion: all of its
 * clusters would get the new content at once.
 *
 * @param apps - the names of the existing apps
 */
export async function readPromotions(
  root: string,
  settings: Pick<WorkspaceSettings, 'hub' | 'hubs' | 'apps'>,
  apps: readonly string[],
): Promise<Promotions> {
  const byApp = new Map<string, Promotion>();
  const texts = new Map<string, string>();
  const diagnostics: Diagnostic[] = [];
  for (const app of promotedApps(root, settings)) {
    const file = promotionFile(app, settings);
    // A link of a pull request could lead to any file of the machine, or to a device.
    if ((await realpath(path.join(root, file)).catch(() => '')) !== path.join(await realpath(root), file)) {
      const message = `${file} leads to another place through a symbolic link, and is not read`;
      // A location would print a part of the file.
      diagnostics.push(diagnostic('FW8040', { message, hint: 'replace the link with the file' }));
      continue;
    }
    const text = await readFile(path.join(root, file), 'utf8');
    texts.set(file, text);
    if (!apps.includes(app)) {
      const message = `the promotion is that of app "${app}", which does not exist`;
      const hint = didYouMean(app, apps, 'the apps are') ?? `rename the file, or remove it`;
      diagnostics.push(diagnostic('FW8040', { message, location: { file, line: 1, column: 1 }, hint }));
      continue;
    }
    const read = readPromotion(file, text, app);
    diagnostics.push(...read.diagnostics);
    if (read.value !== undefined) byApp.set(app, read.value);
  }
  return { byApp, diagnostics, texts };
}
