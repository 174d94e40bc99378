import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Chart, FluxGitRepository, FluxKustomizations, App, collect } from '../../../../constructs/index.ts';
import type { KubernetesObject } from '../../../../src/base/objects/object-meta.ts';
import type { KindOf } from '../../../hub/client/kinds.ts';
import { runIn } from '../../../cli/terminal.ts';
import { eventually } from '../eventually.ts';
import type { RunningFlux } from '../flux.ts';
import type { GitRepository } from '../git-server.ts';

const kustomizationKind: KindOf = ['kustomize.toolkit.fluxcd.io/v1', 'Kustomization'];

/** What Flux reports of a Kustomization. */
export interface Reported extends KubernetesObject {
  readonly status?: {
    readonly observedGeneration?: number;
    readonly lastAppliedRevision?: string;
    readonly lastAttemptedRevision?: string;
    readonly inventory?: { readonly entries?: readonly { readonly id: string }[] };
    readonly conditions?: readonly {
      readonly type: string;
      readonly status: string;
      readonly reason: string;
      readonly message: string;
    }[];
  };
}

/** A repository that Flux applies to the hub: the test writes apps, `synth` writes dist/, and commits are published. */
export class FluxRepository {
  readonly folder: string;
  readonly #flux: RunningFlux;
  readonly #git: GitRepository;
  readonly #polls: boolean;
  #source: KubernetesObject | undefined;

  /** @param polls - whether Flux finds commits by its interval only, instead of at once */
  constructor(flux: RunningFlux, git: GitRepository, polls = false) {
    this.#flux = flux;
    this.#git = git;
    this.#polls = polls;
    this.folder = git.folder;
  }

  /** The address to clone from. */
  get url(): string {
    return this.#git.url;
  }

  /** Writes files; undefined removes one. */
  write(files: Readonly<Record<string, string | undefined>>): void {
    for (const [name, text] of Object.entries(files)) {
      const file = path.join(this.folder, name);
      mkdirSync(path.dirname(file), { recursive: true });
      if (text === undefined) rmSync(file, { recursive: true });
      else writeFileSync(file, text);
    }
  }

  /** Runs `fleetwright synth`, and returns what it printed. */
  async synth(): Promise<string> {
    const { code, out, err } = await runIn(this.folder, ['synth']);
    if (code !== 0) throw new Error(`synth ended with ${code}: ${out}${err}`);
    return out + err;
  }

  /**
   * Applies the objects that configure Flux: those of the constructs, for these apps.
   *
   * @param edited - what is applied instead of an object
   */
  async configure(
    apps: Readonly<Record<string, { readonly waves?: number }>>,
    edited: (object: KubernetesObject) => KubernetesObject = (object) => object,
  ): Promise<void> {
    const app = new App();
    const chart = new Chart(app, 'gitops', { namespace: 'flux-system' });
    const [first = ''] = Object.keys(apps);
    const source = new FluxGitRepository(chart, 'source', { name: first, url: this.url });
    for (const [name, props] of Object.entries(apps))
      new FluxKustomizations(chart, name, { app: name, source, ...props });
    await this.applyConfiguration(collect(app).objects.map(({ object }) => edited(object)));
  }

  /** Applies the objects that configure Flux, as `kubectl apply` does. */
  async applyConfiguration(objects: readonly KubernetesObject[]): Promise<void> {
    for (const object of objects) {
      await this.#flux.hub.client.apply(object, { strict: true });
      if (object.kind === 'GitRepository') this.#source = object;
    }
  }

  /** Commits everything, has Flux fetch it, and returns Flux's name of the revision. */
  async commit(message: string): Promise<string> {
    const commit = this.#git.commit(message);
    await this.fetch();
    return revisionOf(commit);
  }

  /** Runs `synth` and commits. */
  async change(files: Readonly<Record<string, string | undefined>>, message: string): Promise<string> {
    this.write(files);
    await this.synth();
    return this.commit(message);
  }

  /** Publishes the commits of the working tree, has Flux fetch them, and returns Flux's name of the last one. */
  async push(): Promise<string> {
    this.#git.push();
    return this.fetched();
  }

  /** Has Flux fetch the repository now, as a webhook does, instead of at the next interval. */
  async fetch(): Promise<void> {
    if (this.#source !== undefined && !this.#polls) await this.#request(this.#source);
  }

  /** Has Flux fetch what somebody else pushed from the working tree, and returns Flux's name of the revision. */
  async fetched(): Promise<string> {
    await this.fetch();
    return revisionOf(this.#git.head());
  }

  /** Every Kustomization of the repository, in alphabetical order. */
  async kustomizations(): Promise<readonly Reported[]> {
    const all = await this.#flux.hub.client.list(...kustomizationKind, 'flux-system');
    const name = this.#source?.metadata.name;
    return all.filter(
      ({ spec }: KubernetesObject & { readonly spec?: unknown }) =>
        (spec as { readonly sourceRef: { readonly name: string } }).sourceRef.name === name,
    );
  }

  /** Waits until every Kustomization is ready at a revision. */
  async synced(revision: string): Promise<void> {
    await eventually(`every Kustomization is ready at ${revision}`, async () => {
      const kustomizations = await this.kustomizations();
      const late = kustomizations.filter((each) => !isReadyAt(each, revision));
      if (kustomizations.length > 0 && late.length === 0) return true;
      return late.map(summary).join('\n');
    });
  }

  /** Has Flux apply everything again, as `flux reconcile kustomization` does, and waits for it. */
  async reconcile(): Promise<void> {
    const requestedAt = new Date().toISOString();
    for (const kustomization of await this.kustomizations()) await this.#request(kustomization, requestedAt);
    await eventually('every Kustomization was applied again', async () =>
      (await this.kustomizations()).every(
        ({ status }) =>
          (status as { lastHandledReconcileAt?: string }).lastHandledReconcileAt === requestedAt,
      ),
    );
  }

  async #request(object: KubernetesObject, requestedAt = new Date().toISOString()): Promise<void> {
    await this.#flux.hub.client.merge(object, {
      metadata: { annotations: { 'reconcile.fluxcd.io/requestedAt': requestedAt } },
    });
  }

  /** Deletes the Kustomizations stage after stage, as the guide has it, and returns when Flux has pruned their objects. */
  async deleteKustomizations(): Promise<void> {
    for (const stage of ['clusters', 'add-ons', 'configs', 'placements', 'foundation']) {
      const ofStage = async (): Promise<readonly Reported[]> =>
        (await this.kustomizations()).filter(({ metadata: { name = '' } }) => name.endsWith(`-${stage}`));
      for (const each of await ofStage()) await this.#flux.hub.client.delete(each);
      await eventually(
        `every Kustomization of ${stage} is deleted`,
        async () => (await ofStage()).length === 0,
      );
    }
  }
}

/** How Flux writes a commit of branch main. */
function revisionOf(commit: string): string {
  return `main@sha1:${commit}`;
}

function isReadyAt({ metadata, status }: Reported, revision: string): boolean {
  return (
    status?.lastAppliedRevision === revision &&
    status.observedGeneration === metadata.generation &&
    (status.conditions ?? []).some((condition) => condition.type === 'Ready' && condition.status === 'True')
  );
}

function summary({ metadata: { name = '' }, status }: Reported): string {
  const ready = status?.conditions?.find(({ type }) => type === 'Ready');
  return `${name}: ${status?.lastAppliedRevision ?? 'nothing'} applied, ${ready?.reason ?? ''} ${ready?.message ?? ''}`;
}
