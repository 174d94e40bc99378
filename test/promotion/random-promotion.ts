import { getOrInsertComputed } from '../../src/base/collections/get-or-insert.ts';
import { compiledClusters, emit, individualObjects, type Resolution } from '../../src/compiler/index.ts';
import { clusterHealth } from '../../src/promotion/decide/cluster-health.ts';
import { contentHash } from '../../src/promotion/decide/content-hash.ts';
import { decide, type Decision } from '../../src/promotion/decide/decide.ts';
import { newRelease } from '../../src/promotion/decide/new-release.ts';
import { readPromotion, withPause, withStatus } from '../../src/promotion/decide/promotion-file.ts';
import {
  absent,
  clusterKey,
  clustersOf,
  type Promotion,
  type Release,
} from '../../src/promotion/decide/promotion.ts';
import { rollBack } from '../../src/promotion/decide/transitions.ts';
import { hubVersion } from '../../src/ocm/hub-version.ts';
import type { EarlierOutput } from '../../src/workspace/output/earlier-output.ts';
import { earlierParts } from '../../src/promotion/git/earlier-parts.ts';
import { promotedApp, type PromotedApp } from '../../src/promotion/git/promoted-app.ts';
import { clusterFileName } from '../../src/promotion/git/cluster-files.ts';
import { fleetOf, resolveText } from '../resolve-text.ts';
import { appText, promotionText } from './app.ts';
import { SimulatedHub, type Agent, type Files } from './simulated-hub.ts';

const minute = 60_000;
const target = { hub: hubVersion('1.3'), addOnApiVersion: 'v1alpha1', engine: 'argocd' } as const;

/** What a commit contains. */
export interface Commit {
  readonly id: string;
  readonly time: number;
  readonly message: string;
  readonly version: number;
  readonly labels: Labels;
  /** The promotion file. */
  readonly text: string;
  /** The output of the app. */
  readonly files: Files;
}

type Labels = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Where a run is killed. */
export type Kill = 'after the state' | 'after the files';

/** The resolutions of a version on a fleet, computed once. */
const resolutions = new Map<string, Resolution>();

/**
 * A repository in memory and its hub. A step does what `promote --commit` does, in the same order: the state, the files, the commit.
 */
export class RandomPromotion {
  readonly commits: Commit[] = [];
  readonly hub = new SimulatedHub();
  /** What each cluster really runs, and since when it is healthy; independent of any status. */
  readonly truth = new Map<string, { hash: string; since: number | undefined }>();
  readonly agents = new Map<string, Agent>();
  now = Date.parse('2026-06-01T08:00:00Z');
  /** The working tree. */
  text: string;
  files: Files = new Map();

  constructor(labels: Labels, spec: string) {
    this.text = promotionText(spec);
    this.commits.push({
      id: idOf(0),
      time: this.now,
      message: 'begin',
      version: 1,
      labels,
      text: this.text,
      files: new Map(),
    });
  }

  get head(): Commit {
    const head = this.commits.at(-1);
    if (head === undefined) throw new Error('there is a first commit');
    return head;
  }

  get promotion(): Promotion {
    return promotionOf(this.text);
  }

  commitOf(id: string | undefined): Commit | undefined {
    return this.commits.find((commit) => commit.id === id);
  }

  /** The version of the app that the file of a cluster has; undefined without a file. */
  versionOf(cluster: string): number | undefined {
    const text = this.head.files.get(`clusters/${clusterFileName('hello', cluster)}`);
    return text === undefined ? undefined : Number(/version: "?'?(\d+)/.exec(text)?.[1]);
  }

  /** Somebody merges a change, with the output of synth. */
  async merge(change: Partial<Pick<Commit, 'version' | 'labels' | 'text'>>): Promise<void> {
    const { version, labels } = { ...this.head, ...change };
    this.text = change.text ?? this.text;
    // CI refuses a merge without the output: the sources are those of the new commit.
    this.commits.push({ ...this.#commitOf('merge'), version, labels, files: this.head.files });
    this.files = await this.synth();
    this.commits[this.commits.length - 1] = { ...this.head, files: this.files };
  }

  /** The engine applies the last commit. */
  sync(): void {
    this.hub.sync(this.head.files, this.now);
  }

  /** The agents apply what the hub has, and report. */
  report(): void {
    this.hub.report(this.now);
    for (const [key, { works }] of this.hub.addOns()) {
      const cluster = key.split('/')[1] ?? '';
      const agent = this.agents.get(cluster) ?? 'healthy';
      if (agent === 'silent') continue;
      const hash = works[0]?.metadata.annotations?.['fleetwright.dev/content-hash'] ?? '';
      const before = this.truth.get(cluster);
      const isHealthy = agent === 'healthy';
      const since = before?.hash === hash && before.since !== undefined ? before.since : this.now;
      this.truth.set(cluster, { hash, since: isHealthy ? since : undefined });
    }
  }

  setAgent(cluster: string, agent: Agent): void {
    this.agents.set(cluster, agent);
    this.hub.setAgent(cluster, agent);
  }

  pass(minutes: number): void {
    this.now += minutes * minute;
  }

  /** One run of `promote --commit`. Returns undefined if it is killed. */
  async step(kill?: Kill): Promise<Decision | undefined> {
    const isInterrupted = this.text !== this.head.text;
    const decision = isInterrupted ? undefined : await this.#decide();
    if (decision?.status !== undefined) this.text = withStatus(this.text, decision.status);
    if (kill === 'after the state') return undefined;
    if (this.text === this.head.text) return decision;
    this.files = await this.synth();
    if (kill === 'after the files') return undefined;
    this.commits.push(this.#commitOf('promote'));
    return decision ?? { outcome: 'advanced', reason: 'interrupted', gates: [] };
  }

  /** `promote --abort --commit`. Returns false if there is nothing to roll back. */
  async abort(isAtOnce: boolean): Promise<boolean> {
    const { status } = this.promotion;
    const { release } = status;
    if (release === undefined || release.restores !== undefined) return false;
    const base = this.commitOf(release.base)?.files ?? new Map();
    this.text = withStatus(
      this.text,
      rollBack(status, await earlierParts(release, outputOf(base)), {
        isAtOnce,
        isPaused: this.promotion.spec.paused === true,
      }),
    );
    await this.step();
    return true;
  }

  async pause(isPaused: boolean): Promise<void> {
    await this.merge({ text: withPause(this.text, isPaused) });
  }

  /** Returns the same repository and hub, without the parts that a killed process loses. */
  restart(): void {
    this.text = this.head.text;
    this.files = this.head.files;
  }

  /** Returns the files that synth writes for the sources of the last commit and the state of the working tree. */
  async synth(): Promise<Files> {
    const { resolution, promoted } = await this.#promoted();
    if (promoted.diagnostics.length > 0) throw new Error(JSON.stringify(promoted.diagnostics));
    const objects = individualObjects(resolution, target, (addOn) => promoted.clusters.get(addOn) ?? []);
    const names = new Set(objects.map(({ kind, metadata }) => `${kind} ${metadata.name ?? ''}`));
    const used = promoted.used.filter(({ kind, metadata }) => !names.has(`${kind} ${metadata.name ?? ''}`));
    return emit([...objects, ...used], {}, 'argocd', { clusterFiles: promoted.files });
  }

  async #decide(): Promise<Decision> {
    const { promotion, head } = this;
    const { release } = promotion.status;
    const { resolution, promoted } = await this.#promoted();
    const mayBegin =
      release === undefined ||
      (release.restores === undefined &&
        (release.released === 0 ||
          (promotion.spec.whenBusy === 'supersede' &&
            this.commitOf(release.source)?.version !== head.version)));
    const source = { source: head.id, base: head.id };
    const onHub = this.hub.addOns();
    return decide({
      promotion,
      now: this.now,
      healthOf: ({ addOn, cluster, hash }) => {
        if (hash !== absent && !head.files.has(`clusters/${clusterFileName(addOn, cluster)}`))
          return undefined;
        return clusterHealth(onHub.get(clusterKey(addOn, cluster)) ?? { works: [] }, hash);
      },
      startOf: (wave) => this.startOf(release, wave),
      next: mayBegin && promoted.isChanged ? newRelease(promoted.pending, resolution, source) : undefined,
      isRolledBack: promoted.isRolledBack,
      head: head.id,
    });
  }

  /** The time of the commit that released a wave. */
  startOf(release: Release | undefined, wave: number): number | undefined {
    return this.commits.find(({ text }) => {
      const each = promotionOf(text).status.release;
      return (
        each !== undefined &&
        each.hash === release?.hash &&
        each.base === release.base &&
        each.released >= wave
      );
    })?.time;
  }

  async #promoted(): Promise<{ readonly resolution: Resolution; readonly promoted: PromotedApp }> {
    const { head, promotion } = this;
    const resolution = resolutionOf(head.version, head.labels);
    const promoted = await promotedApp({
      promotion,
      file: 'promotions/hello.yaml',
      resolution,
      target,
      committed: outputOf(head.files),
      committedAt: (commit) => Promise.resolve(outputOf(this.commitOf(commit)?.files ?? new Map())),
      revisions: {
        compile: (commit, fleet) => {
          const { version, labels } = this.commitOf(commit) ?? head;
          const compiled = resolutionOf(version, fleet === 'current' ? head.labels : labels);
          return Promise.resolve(
            new Map(
              Array.from(compiledClusters(compiled, target), (cluster) => [
                clusterKey(cluster.addOn, cluster.cluster),
                cluster,
              ]),
            ),
          );
        },
      },
    });
    return { resolution, promoted };
  }

  #commitOf(message: string): Commit {
    const { version, labels } = this.head;
    const { now: time, text, files } = this;
    return { id: idOf(this.commits.length), time, message, version, labels, text, files };
  }
}

const promotions = new Map<string, Promotion>();

function promotionOf(text: string): Promotion {
  return getOrInsertComputed(promotions, text, () => {
    const { value, diagnostics } = readPromotion('promotions/hello.yaml', text, 'hello');
    if (value === undefined) throw new Error(JSON.stringify(diagnostics));
    return value;
  });
}

/** Returns the content hash of the file of each cluster. */
export function contents(files: Files): ReadonlyMap<string, string> {
  return new Map(
    [...files].flatMap(([name, text]) => {
      const [, cluster] = /^clusters\/managedclusteraddon_(.+)_hello\.yaml$/.exec(name) ?? [];
      return cluster === undefined ? [] : [[cluster, contentHash(text)]];
    }),
  );
}

/** Returns the clusters of the waves of a release that are released, with their hashes. */
export function releasedClusters(release: Release) {
  return [...clustersOf(release)].filter(({ wave }) => wave <= release.released);
}

function resolutionOf(version: number, labels: Labels): Resolution {
  return getOrInsertComputed(
    resolutions,
    JSON.stringify([version, labels]),
    () => resolveText(appText(String(version)), { fleet: fleetOf(labels) }).resolution,
  );
}

function outputOf(files: Files): EarlierOutput {
  return {
    ownership: { files: [...files.keys()], revisions: {} },
    read: (names) =>
      Promise.resolve(
        new Map(names.flatMap((name) => (files.has(name) ? [[name, files.get(name) ?? '']] : []))),
      ),
  };
}

function idOf(index: number): string {
  return String(index).padStart(40, '0');
}
