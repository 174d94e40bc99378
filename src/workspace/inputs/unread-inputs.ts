import path from 'node:path';
import { type Diagnostic, load, type LoadedObject, type SourceText } from '../../compiler/index.ts';
import { diagnostic } from '../../compiler/model/diagnostic.ts';
import type { App, Unread } from './input-reader.ts';
import { InputReader } from './input-reader.ts';
import type { Kustomization } from './kustomization.ts';

/** Maximum number of files that a message names. */
const namedFiles = 5;

/** `a, b and 3 more`. */
export function someFiles(files: readonly string[]): string {
  const rest = files.length - namedFiles;
  return rest <= 0 ? files.join(', ') : `${files.slice(0, namedFiles).join(', ')} and ${rest} more`;
}

/**
 * Reports the inputs that were not read, or that mean something else than their text, in commands whose answer
 * depends on all of the input.
 */
export function unreadInputs(
  { kustomizations, charts, apps }: Unread,
  notManifests: readonly string[],
  texts: readonly SourceText[],
): Diagnostic[] {
  return [
    ...kustomizations.flatMap((each) => unlisted(each, texts)),
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

/** Reports the files that were read although the kustomization of their folder does not list them. */
function unlisted({ file, resources, parts }: Kustomization, texts: readonly SourceText[]): Diagnostic[] {
  const folder = path.dirname(file);
  const listed = new Set([...parts, ...resources]);
  const files = texts
    .map((text) => text.file)
    .filter((name) => !listed.has(name) && path.dirname(name) === folder);
  if (files.length === 0) return [];
  return [
    diagnostic('FW9015', {
      message: `${file} does not list these files, which were read: ${someFiles(files)}`,
      location: { file, line: 1, column: 1 },
      hint: 'list them under resources, or move them out of the folder',
    }),
  ];
}

/**
 * Reports manifests in the folders of an app with code. Such an app may read them itself, so they are not read with it; those
 * whose objects the app has, also inside of templates and works, are left out.
 */
export async function unreadManifests(
  app: App,
  objects: readonly LoadedObject[],
  cwd: string,
): Promise<Diagnostic[]> {
  if (app.unread.length === 0) return [];
  const reader = new InputReader(cwd);
  for (const folder of app.unread) await reader.read(path.join(app.folder, folder), 'app');
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
