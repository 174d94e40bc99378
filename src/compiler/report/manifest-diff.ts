import { FILE_HEADERS_ONLY, formatPatch, structuredPatch, type StructuredPatch } from 'diff';
import { yamlDocument } from '../emit/yaml.ts';
import { objectKey } from '../model/inventory.ts';
import { isJsonMap } from '../../base/json/json-map.ts';
import { groupOf } from '../../base/names/resource-name.ts';
import type { SensitiveValues } from '../masks/sensitive-values.ts';
import type { Tone } from './text/plan-text.ts';
import { escapeActing, withoutCommands } from './text/terminal-line.ts';

/** A rendered manifest. Missing fields are empty. */
interface Manifest {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: { readonly namespace?: string; readonly name?: string };
}

/** The manifests of one side, and the label of that side. */
export interface DiffSide {
  readonly label: string;
  readonly manifests: readonly object[];
}

const context = 3;
/**
 * The maximum number of lines removed from and added to one manifest before it is shown as replaced entirely. The search for the
 * shortest difference takes quadratic time: 0.3 s at this limit, and several seconds at four times the limit.
 */
const mostEdits = 1000;

/**
 * Returns a unified diff of the manifests as YAML. Each manifest is compared with the one of the same kind and name on the other
 * side. The diff has the order of the later side, then the removed manifests. An object that differs only in its namespace is
 * shown as moved. Empty if nothing is different.
 *
 * @param sensitive - the values to mask; undefined if they are shown
 */
export function manifestDiff(
  base: DiffSide,
  head: DiffSide,
  paint: (tone: Tone, text: string) => string,
  sensitive: SensitiveValues | undefined,
): string {
  const before = byIdentity(base.manifests);
  const after = byIdentity(head.manifests);
  const isAlone = (manifest: NamedManifest): boolean =>
    !before.has(manifest.identity) || !after.has(manifest.identity);
  const origins = onlyOnes([...before.values()].filter(isAlone));
  const targets = onlyOnes([...after.values()].filter(isAlone));
  const paired = new Set<NamedManifest>();
  let text = '';
  for (const to of after.values()) {
    const origin = targets.has(to.anywhere) ? origins.get(to.anywhere) : undefined;
    const from = before.get(to.identity) ?? (isAlone(to) ? origin : undefined);
    if (from !== undefined) paired.add(from);
    const [gone, there] = textsOf(from, to, sensitive);
    if (gone?.text !== there?.text) text += painted(patch(gone, there, base.label, head.label), paint);
  }
  for (const from of before.values()) {
    const [gone] = textsOf(from, undefined, sensitive);
    if (!paired.has(from)) text += painted(patch(gone, undefined, base.label, head.label), paint);
  }
  return text;
}

/** Returns the two sides as YAML, without secrets. */
function textsOf(
  from: NamedManifest | undefined,
  to: NamedManifest | undefined,
  sensitive: SensitiveValues | undefined,
): readonly [Named | undefined, Named | undefined] {
  const [before, after] = sensitive?.maskedPair(from?.manifest, to?.manifest) ?? [
    from?.manifest,
    to?.manifest,
  ];
  return [from && { name: from.name, text: yamlOf(before) }, to && { name: to.name, text: yamlOf(after) }];
}

function yamlOf(value: unknown): string {
  return isJsonMap(value) ? yamlDocument(value) : '';
}

interface NamedManifest {
  /** `Deployment agents/agent`. */
  readonly name: string;
  /** Group, kind, namespace and name, and the number of earlier manifests with the same ones. */
  readonly identity: string;
  /** Group, kind and name, without the namespace. */
  readonly anywhere: string;
  readonly manifest: object;
}

function byIdentity(manifests: readonly object[]): ReadonlyMap<string, NamedManifest> {
  const byName = new Map<string, NamedManifest>();
  const count = new Map<string, number>();
  for (const manifest of manifests) {
    const { apiVersion = '', kind = '', metadata = {} }: Manifest = manifest;
    const name = `${kind} ${objectKey(metadata.namespace, metadata.name ?? '')}`;
    const same = `${groupOf(apiVersion)}/${name}`;
    // A template can contain an object twice: the first one is then compared with the first one.
    const times = count.get(same) ?? 0;
    count.set(same, times + 1);
    const identity = `${same} ${String(times)}`;
    const anywhere = `${groupOf(apiVersion)}/${kind} ${metadata.name ?? ''}`;
    byName.set(identity, { name, identity, anywhere, manifest });
  }
  return byName;
}

/** Returns the manifests that are the only ones of their kind and name in any namespace. */
function onlyOnes(manifests: readonly NamedManifest[]): ReadonlyMap<string, NamedManifest> {
  const byName = new Map<string, NamedManifest>();
  const several = new Set<string>();
  for (const manifest of manifests) {
    if (byName.has(manifest.anywhere)) several.add(manifest.anywhere);
    byName.set(manifest.anywhere, manifest);
  }
  for (const anywhere of several) byName.delete(anywhere);
  return byName;
}

/** A manifest as YAML. */
interface Named {
  readonly name: string;
  readonly text: string;
}

const absent: Named = { name: '/dev/null', text: '' };

function patch(from: Named = absent, to: Named = absent, baseLabel: string, headLabel: string): string {
  const names = [from.name, to.name] as const;
  const labels = [from === absent ? undefined : baseLabel, to === absent ? undefined : headLabel] as const;
  const options = { context, maxEditLength: mostEdits };
  const shortest = structuredPatch(...names, from.text, to.text, ...labels, options);
  return formatPatch(shortest ?? replaced(from, to, labels), FILE_HEADERS_ONLY);
}

function replaced(
  from: Named,
  to: Named,
  [oldHeader, newHeader]: readonly [string | undefined, string | undefined],
): StructuredPatch {
  const before = linesOf(from.text);
  const after = linesOf(to.text);
  const lines = [...before.map((line) => `-${line}`), ...after.map((line) => `+${line}`)];
  const hunk = { oldStart: 1, oldLines: before.length, newStart: 1, newLines: after.length, lines };
  return { oldFileName: from.name, newFileName: to.name, oldHeader, newHeader, hunks: [hunk] };
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n');
}

function painted(text: string, paint: (tone: Tone, text: string) => string): string {
  return linesOf(text)
    .map((line, index) => `${paintLine(withoutCommands(escapeActing(line)), index, paint)}\n`)
    .join('');
}

function paintLine(line: string, index: number, paint: (tone: Tone, text: string) => string): string {
  if (index < 2) return paint('heading', line);
  if (line.startsWith('+')) return paint('gain', line);
  if (line.startsWith('-')) return paint('loss', line);
  return line.startsWith('@@') ? paint('quiet', line) : line;
}
