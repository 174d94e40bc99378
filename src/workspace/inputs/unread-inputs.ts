import path from 'node:path';
import { type Diagnostic, load, type LoadedObject } from '../../compiler/index.ts';
import { diagnostic } from '../../compiler/model/diagnostic.ts';
import type { App, Unread } from './input-reader.ts';
import { InputReader } from './input-reader.ts';
import { someFiles } from './some-files.ts';

/**
 * Reports the inputs that were not read, or that mean something else than their text, in commands whose answer
 * depends on all of the input.
 */
export function unreadInputs(
  { charts, apps }: Pick<Unread, 'charts' | 'apps'>,
  notManifests: readonly string[],
): Diagnostic[] {
  return [
    ...charts.map((chart): Diagnostic =>
      diagnostic('FW9016', {
        message: `${chart} is a Helm chart, whose templates are not manifests`,
        location: { file: path.join(chart, 'Chart.yaml'), line: 1, column: 1 },
        hint: `write an app that renders it with fleetwright import ${chart}, or read what helm template NAME ${chart} prints`,
      }),
    ),
    ...apps.map((app): Diagnostic =>
      diagnostic('FW9018', {
        message: `${app} is an app itself, so it was not read as part of the folder around it`,
        hint: 'pass it on the command line, or move it into the folder of the apps',
      }),
    ),
    ...(notManifests.length === 0
      ? []
      : [
          diagnostic('FW9020', {
            message: `not manifests, and skipped: ${someFiles(notManifests)}`,
            hint: 'a manifest begins with apiVersion and kind; move other files out of the folder',
          }),
        ]),
  ];
}

/**
 * Reports manifests in the folders of an app with code. Such an app may read them itself, so they are not read with it; those
 * whose objects the app has, also inside of templates and works, are left out.
 */
export function unreadManifests(app: App, objects: readonly LoadedObject[], cwd: string): Diagnostic[] {
  if (app.unread.length === 0) return [];
  const reader = new InputReader(cwd);
  for (const folder of app.unread) reader.read(path.join(app.folder, folder), 'app');
  const candidates = reader.texts.filter(({ text }) => text.includes('apiVersion') && text.includes('kind'));
  if (candidates.length === 0) return [];
  const used = new Set<string>();
  for (const { object } of objects) collectIdentities(object, used);
  const files = candidates
    .filter((text) =>
      load([text]).value.some(({ object }) => {
        const identity = identityOf(object);
        return identity !== undefined && !used.has(identity);
      }),
    )
    .map(({ file }) => file);
  if (files.length === 0) return [];
  return [
    diagnostic('FW9017', {
      message: `manifests in folders of an app with code are not read: ${someFiles(files)}`,
      location: { file: app.file ?? app.folder, line: 1, column: 1 },
      hint: 'move them beside the code to emit them, or have the code read them; a folder whose name begins with a dot is ignored',
    }),
  ];
}

function collectIdentities(value: unknown, into: Set<string>): void {
  if (typeof value !== 'object' || value === null) return;
  const identity = identityOf(value);
  if (identity !== undefined) into.add(identity);
  for (const below of Object.values(value)) collectIdentities(below, into);
}

function identityOf(value: object): string | undefined {
  const { apiVersion, kind, metadata }: { apiVersion?: unknown; kind?: unknown; metadata?: unknown } = value;
  if (typeof apiVersion !== 'string' || typeof kind !== 'string') return undefined;
  if (typeof metadata !== 'object' || metadata === null || !('name' in metadata)) return undefined;
  return `${apiVersion.replace(/\/.*/, '')} ${kind} ${String(metadata.name)}`;
}
