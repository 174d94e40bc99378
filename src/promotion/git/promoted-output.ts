import path from 'node:path';
import { getOrInsertComputed } from '../../base/collections/get-or-insert.ts';
import { addToGroup } from '../../base/collections/groups.ts';
import {
  type AddOnOnCluster,
  compiledClusters,
  type ClusterFile,
  type CompiledCluster,
  type Diagnostic,
  type Engine,
  type Resolution,
} from '../../compiler/index.ts';
import { diagnostic } from '../../compiler/model/diagnostic.ts';
import { clusterFile } from '../../compiler/emit/emit.ts';
import { waveFolder } from '../../compiler/emit/engine.ts';
import { contentHash, marked, markerOf } from '../decide/content-hash.ts';
import type { ChangedCluster } from '../decide/new-release.ts';
import {
  absent,
  clusterKey,
  clustersOf,
  rejectedContents,
  type Promotion,
  type ReleasedCluster,
} from '../decide/promotion.ts';
import type { CompiledContent, ReleasedOutput } from '../../workspace/output/compile-app.ts';
import type { EarlierOutput } from '../../workspace/output/earlier-output.ts';
import { clusterFilesOf, clusterFileName } from './cluster-files.ts';
import { requiredOrder, type OrderedRemoval } from './required-order.ts';
import type { Revisions } from './revision-content.ts';

/** What a promotion makes of the output of an app. */
export interface PromotedOutput extends Pick<ReleasedOutput, 'files' | 'clusters' | 'diagnostics'> {
  /** The clusters whose content in Git differs from the one that they have, or that the release in progress brings. */
  readonly pending: readonly ChangedCluster[];
  /** Whether Git's content differs from that of the release in progress, or without one, from that of the clusters. */
  readonly isChanged: boolean;
  /** Whether clusters keep their content because the new one was rolled back. */
  readonly isRolledBack: boolean;
  /** Files of clusters that wait for new content. */
  readonly waiting: readonly ClusterFile[];
}

/** The inputs of `promotedOutput`. */
export interface PromotedInput extends CompiledContent {
  readonly promotion: Promotion;
  /** The file of the promotion, for findings. */
  readonly file: string;
  /** Returns the output of another commit. */
  readonly committedAt: (commit: string) => Promise<EarlierOutput>;
  readonly revisions: Revisions;
}

/** The committed file of a cluster. */
interface CommittedFile extends ClusterFile {
  readonly hash: string;
}

/**
 * Decides the file of every cluster. Released clusters get the content of the release, clusters that have joined that of the last
 * completed release, and all others keep their committed file, byte for byte.
 */
export async function promotedOutput(input: PromotedInput): Promise<PromotedOutput> {
  const { promotion, resolution, target, committed } = input;
  const { release } = promotion.status;
  const current = contentsOf(resolution, target);
  const before = await committedFiles(committed, current);
  const ofRelease = new Map<string, ReleasedCluster>();
  for (const each of release === undefined ? [] : clustersOf(release))
    ofRelease.set(clusterKey(each.addOn, each.cluster), each);
  const rejected = rejectedContents(promotion.status);
  const sources = new Sources(input, before);
  const files: ClusterFile[] = [];
  const clusters = new Map<string, string[]>();
  const pending: ChangedCluster[] = [];
  const waiting: ClusterFile[] = [];
  const joined = [...current].filter(([key]) => !before.has(key) && !ofRelease.has(key));
  // The last completed release need not be compiled again if all clusters have the content of Git.
  const isSettled =
    release === undefined &&
    before.size > 0 &&
    [...current].every(([key, { hash }]) => hash === (before.get(key)?.hash ?? hash));
  let isChanged = false;
  let isRolledBack = false;
  const order = requiredOrder(resolution, committed);
  const joining = new Set(joined.flatMap(([key, { addOn }]) => (order.joinsWithRelease(addOn) ? [] : [key])));
  const emit = (addOn: string, cluster: string, { file, text }: ClusterFile): void => {
    files.push({ file, text });
    addToGroup(clusters, addOn, cluster);
  };
  for (const [key, content] of current) {
    const { addOn, cluster, hash } = content;
    const inRelease = ofRelease.get(key);
    const isReleased = inRelease !== undefined && inRelease.wave <= (release?.released ?? 0);
    const file = isReleased
      ? await sources.released(inRelease, content)
      : (before.get(key) ?? (joining.has(key) ? await sources.joining(key, content, isSettled) : undefined));
    if (file !== undefined) emit(addOn, cluster, file);
    const next = inRelease?.hash ?? (file && contentHash(file.text));
    if (rejected.get(key) === hash && next !== hash) {
      isRolledBack = true;
      continue;
    }
    // A cluster that joins during an installation waits for the next release, and is no change.
    const isNew = file === undefined && inRelease === undefined && release !== undefined;
    if (next !== hash && !isNew) isChanged = true;
    if (file !== undefined && contentHash(file.text) === hash) continue;
    pending.push({ addOn, cluster, hash });
    if (file !== undefined && !isReleased) waiting.push(file);
  }
  // Clusters that lose an add-on keep it until those that require it are gone.
  const restored = release?.restores === undefined ? [] : [...ofRelease];
  const removed = new Map<string, AddOnOnCluster>([
    ...restored.filter(
      ([key, { placement, cluster }]) =>
        placement === undefined &&
        rejected.get(key) === absent &&
        !current.has(key) &&
        resolution.decisions.clusters.has(cluster),
    ),
    ...order.removals,
  ]);
  for (const [key, { addOn, cluster }] of removed) {
    const inRelease = ofRelease.get(key);
    const isReleased = inRelease !== undefined && inRelease.wave <= (release?.released ?? 0);
    if (isReleased && inRelease.hash === absent) continue;
    const removal = order.removals.get(key);
    const file = await sources.leaving({ addOn, cluster }, removal, isReleased);
    if (file === undefined) continue;
    emit(addOn, cluster, file);
    if (removal === undefined) continue;
    if (rejected.get(key) === absent && inRelease?.hash !== absent) {
      isRolledBack = true;
      continue;
    }
    if (inRelease?.hash !== absent) isChanged = true;
    pending.push({ addOn, cluster, hash: absent });
    waiting.push(file);
  }
  return { files, clusters, pending, isChanged, isRolledBack, waiting, diagnostics: sources.diagnostics };
}

type Contents = ReadonlyMap<string, Content>;

/** A step decides and writes with the same resolution. The release of the hub is a part of it. */
const contentsByResolution = new WeakMap<Resolution, Map<string, Contents>>();

/** Returns the content of all clusters that Git's sources compile to, by `clusterKey`. */
export function contentsOf(resolution: Resolution, target: PromotedInput['target']): Contents {
  const byTarget = getOrInsertComputed(contentsByResolution, resolution, () => new Map<string, Contents>());
  return getOrInsertComputed(byTarget, `${target.engine} ${target.addOnApiVersion}`, () => {
    const contents = new Map<string, Content>();
    for (const cluster of compiledClusters(resolution, target))
      contents.set(clusterKey(cluster.addOn, cluster.cluster), new Content(cluster, target.engine));
    return contents;
  });
}

/** The content of a cluster. The engine's own waves have no meaning inside of a wave of the promotion. */
class Content {
  readonly addOn: string;
  readonly cluster: string;
  readonly file: string;
  readonly hash: string;
  readonly #compiled: CompiledCluster;
  readonly #engine: Engine;

  constructor(compiled: CompiledCluster, engine: Engine) {
    this.#compiled = { ...compiled, wave: 1 };
    this.#engine = engine;
    this.addOn = compiled.addOn;
    this.cluster = compiled.cluster;
    const { file, text } = clusterFile(this.#compiled, engine);
    this.file = file;
    this.hash = contentHash(text);
  }

  /** Returns the file with the annotations that name its content. */
  marked(): ClusterFile {
    const objects = marked(this.#compiled.objects, this.hash);
    return clusterFile({ ...this.#compiled, objects }, this.#engine);
  }
}

/** Finds the files of clusters that do not keep the committed one. */
class Sources {
  readonly diagnostics: Diagnostic[] = [];
  readonly #input: PromotedInput;
  readonly #before: ReadonlyMap<string, CommittedFile>;
  readonly #contents = new Map<string, Promise<ReadonlyMap<string, Content>>>();
  #restored: Promise<ReadonlyMap<string, ClusterFile>> | undefined;

  constructor(input: PromotedInput, before: ReadonlyMap<string, CommittedFile>) {
    this.#input = input;
    this.#before = before;
  }

  /** Returns the file of a cluster whose wave is released. Undefined if the release removes it. */
  async released(
    { addOn, cluster, hash }: ReleasedCluster,
    content: Content,
  ): Promise<ClusterFile | undefined> {
    if (hash === absent) return undefined;
    const key = clusterKey(addOn, cluster);
    const { release } = this.#input.promotion.status;
    if (release?.restores !== undefined) return await this.#restoredFile(content);
    const before = this.#before.get(key);
    if (before !== undefined && markerOf(before.text) === hash && before.hash === hash) return before;
    if (content.hash === hash) return content.marked();
    const compiled = await this.#compiled(release?.source ?? '', 'committed');
    const ofRelease = compiled.get(key);
    if (ofRelease?.hash === hash) return ofRelease.marked();
    this.#report(
      `the release has other content for cluster "${cluster}" than commit ${release?.source.slice(0, 12) ?? ''} compiles to`,
      'the installed dependencies or settings have changed: start a new release with `promote --abort`, or restore them',
    );
    return before;
  }

  /** Returns the file of a cluster that has joined: that of the last completed release. */
  async joining(key: string, content: Content, isSettled: boolean): Promise<ClusterFile | undefined> {
    const { completed } = this.#input.promotion.status;
    if (completed === undefined) return undefined;
    if (isSettled) return content.marked();
    return (await this.#compiled(completed.source, 'current')).get(key)?.marked();
  }

  /**
   * Returns the file of a cluster that loses an add-on: the committed one until the release removes it, or the one that a rollback restores.
   * Undefined if the add-on leaves with the merge.
   */
  async leaving(
    { addOn, cluster }: AddOnOnCluster,
    removal: OrderedRemoval | undefined,
    isReleased: boolean,
  ): Promise<ClusterFile | undefined> {
    const { committed, promotion, target } = this.#input;
    const file = `${waveFolder(1, target.engine)}/${clusterFileName(addOn, cluster)}`;
    if (isReleased && promotion.status.release?.restores !== undefined)
      return await this.#restoredFile({ file, cluster });
    if (removal === undefined) return undefined;
    const text = (await committed.read([removal.file])).get(removal.file);
    return text === undefined ? undefined : { file, text };
  }

  async #compiled(commit: string, fleet: 'committed' | 'current'): Promise<ReadonlyMap<string, Content>> {
    const { revisions, target } = this.#input;
    return await getOrInsertComputed(this.#contents, `${fleet} ${commit}`, async () => {
      const compiled = await revisions.compile(commit, fleet);
      return new Map([...compiled].map(([key, cluster]) => [key, new Content(cluster, target.engine)]));
    });
  }

  async #restoredFile({
    file,
    cluster,
  }: Pick<Content, 'file' | 'cluster'>): Promise<ClusterFile | undefined> {
    const { committedAt, promotion } = this.#input;
    const { source = '' } = promotion.status.release ?? {};
    this.#restored ??= committedAt(source).then(clusterFilesOf);
    const restored = (await this.#restored).get(path.basename(file));
    if (restored === undefined)
      this.#report(
        `commit ${source.slice(0, 12)} has no file for cluster "${cluster}", which is to get its earlier content`,
        'fetch the history of the repository: in CI, check it out with `fetch-depth: 0`',
      );
    return restored && { file, text: restored.text };
  }

  #report(message: string, hint: string): void {
    const location = { file: this.#input.file, line: 1, column: 1 };
    this.diagnostics.push(diagnostic('FW8042', { message, location, hint }));
  }
}

/**
 * Returns the committed files of clusters on which the add-on is installed, by `clusterKey`. All of them are in the folder of the first
 * wave: Flux would uninstall an add-on whose file moves from the folder of one wave to that of a later one.
 */
export async function committedFiles(
  committed: EarlierOutput,
  current: ReadonlyMap<string, Content>,
): Promise<ReadonlyMap<string, CommittedFile>> {
  const files = await clusterFilesOf(committed);
  return new Map(
    [...current].flatMap(([key, { file: name }]) => {
      const text = files.get(path.basename(name))?.text;
      return text === undefined ? [] : [[key, { file: name, text, hash: contentHash(text) }] as const];
    }),
  );
}
