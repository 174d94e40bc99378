import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { KubernetesObject } from '../../../../src/base/objects/object-meta.ts';
import { ArgoCdApplication } from '../../../../constructs/index.ts';
import { objectsOf } from '../../../constructs/in-chart.ts';
import type { ApiClient, WatchEvent } from '../../../hub/client/api-client.ts';
import { reference, type KindOf } from '../../../hub/client/kinds.ts';
import { parseObjects } from '../../../hub/record/scenario.ts';
import { applicationKind, type Application, type ArgoCd } from '../argo-cd.ts';
import { eventually } from '../eventually.ts';
import type { GitRepository } from '../git-server.ts';
import type { EngineHub } from '../hub.ts';
import type { Stage } from './stage.ts';

const root = path.resolve(import.meta.dirname, '../../../..');

/** Writes files of a repository; `undefined` removes one. */
export function writeFiles(folder: string, files: Readonly<Record<string, string | undefined>>): void {
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(folder, name);
    if (text === undefined) {
      rmSync(file, { recursive: true });
    } else {
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
  }
}

/** Runs the built command in a repository. @throws with everything that it printed where it fails */
export async function fleetwright(folder: string, ...commandLine: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [path.join(root, 'build/cli/main.js'), ...commandLine],
    { cwd: folder },
  );
  return stdout;
}

/** Compiles the apps, and publishes what came of it. Returns the commit. */
export async function publish(repository: GitRepository, message: string): Promise<string> {
  await fleetwright(repository.folder, 'synth');
  return repository.commit(message);
}

/** Adds the clusters of a fleet to the hub, with their labels. */
export async function addFleet(hub: EngineHub, fleet: string): Promise<void> {
  const clusters = parseObjects(fleet).filter(({ kind }) => kind === 'ManagedCluster');
  await hub.addClusters(
    Object.fromEntries(clusters.map(({ metadata: { name = '', labels = {} } }) => [name, labels])),
  );
}

/** An operation of Argo CD, as far as the stories compare them. */
export interface Operation {
  readonly revision: string;
  readonly startedAt: string;
  readonly phase: string;
  readonly message: string;
  /** The kinds and names of the objects that it corrects. Undefined if it syncs the whole Application. */
  readonly selfHealed?: readonly string[];
}

/** Every operation of every Application, from the time when it begins to follow them. */
export class Operations {
  readonly #hub: ApiClient;
  readonly #end = new AbortController();
  readonly #operations = new Map<string, Map<string, Operation>>();

  constructor(hub: ApiClient) {
    this.#hub = hub;
    void this.#follow(hub);
  }

  /** The operations of an Application so far, in the order of their starts. */
  async of(name: string): Promise<readonly Operation[]> {
    const operations = (): ReadonlyMap<string, Operation> => this.#operations.get(name) ?? new Map();
    await eventually('the watch is as far as a read', async () => {
      // Read again each time: an operation that runs may end before the watch has its beginning.
      const { status } = (await this.#hub.get(...applicationKind, name, 'argocd')) as Application;
      const { startedAt, phase } = status?.operationState ?? {};
      return startedAt === undefined || operations().get(startedAt)?.phase === phase;
    });
    return [...operations().values()];
  }

  /**
   * The syncs of an Application as a whole so far. Argo CD may see an object seconds after it has applied it, and apply it once
   * more. An object that it applies alone more than once for one commit is not in the form in which the hub keeps it.
   */
  async syncsOf(name: string): Promise<readonly Operation[]> {
    const operations = await this.of(name);
    const corrections = operations.flatMap(({ revision, selfHealed = [] }) =>
      selfHealed.map((object) => `${object} of ${revision}`),
    );
    const repeated = corrections.filter((each, index) => corrections.indexOf(each) !== index);
    if (repeated.length > 0) throw new Error(`Argo CD applies again and again: ${repeated.join(', ')}`);
    return operations.filter(({ selfHealed }) => selfHealed === undefined);
  }

  stop(): void {
    this.#end.abort();
  }

  async #follow(hub: ApiClient): Promise<void> {
    const { signal } = this.#end;
    while (!signal.aborted) {
      const onEvent = ({ type, object }: WatchEvent): void => {
        if (type === 'ADDED' || type === 'MODIFIED') this.#add(object);
      };
      await hub.watch(...applicationKind, onEvent, signal);
      // The API server refuses watches of a kind that was defined a moment ago.
      await delay(100);
    }
  }

  #add({ metadata: { name = '' }, status }: Application): void {
    const state = status?.operationState;
    if (state === undefined) return;
    const operations = this.#operations.get(name) ?? new Map<string, Operation>();
    this.#operations.set(name, operations);
    const { startedAt, phase, message = '', syncResult } = state;
    const selfHealed = state.operation?.sync?.resources?.map(({ kind, name }) => `${kind} ${name}`);
    operations.set(startedAt, {
      startedAt,
      phase,
      message,
      revision: syncResult?.revision ?? '',
      ...(selfHealed !== undefined && { selfHealed }),
    });
  }
}

const applicationSetKind: KindOf = ['argoproj.io/v1alpha1', 'ApplicationSet'];

/** Waits until an ApplicationSet has created an Application. */
export async function created({ hub: { client: hub }, argoCd }: Stage, name: string): Promise<void> {
  await eventually(`there is an Application ${name}`, async () => {
    argoCd.checkPrograms();
    return (await hub.get(...applicationKind, name, 'argocd')) !== undefined;
  });
}

/** Has an ApplicationSet look for folders now, as a webhook of the forge does. By default it looks every three minutes. */
export async function findFolders(hub: ApiClient, applicationSet: string): Promise<void> {
  const annotations = { 'argocd.argoproj.io/application-set-refresh': 'true' };
  await hub.merge(reference(applicationSetKind, applicationSet, 'argocd'), { metadata: { annotations } });
}

/** Applies the objects that `init` wrote for Argo CD. */
export async function applyGitOps(hub: ApiClient, { folder }: GitRepository): Promise<void> {
  for (const object of parseObjects(readFileSync(path.join(folder, 'gitops/apps.yaml'), 'utf8')))
    await hub.apply(object);
}

/** How often a story asks Argo CD to read the repository again, in milliseconds: a read may fail on a loaded machine. */
const refreshPeriod = 15_000;

/**
 * Waits until a sync of a commit has succeeded, and the hub is as the commit has it.
 *
 * @param atMost - in milliseconds. @default - the patience of `eventually`
 */
export async function synced(argoCd: ArgoCd, name: string, commit: string, atMost?: number): Promise<void> {
  let refreshed = 0;
  await eventually(
    `${name} is synced to ${commit}`,
    async () => {
      if (Date.now() - refreshed > refreshPeriod) {
        await argoCd.refresh(name);
        refreshed = Date.now();
      }
      const { operationState: operation, sync, conditions } = (await argoCd.application(name)).status ?? {};
      const isDone = operation?.phase === 'Succeeded' && operation.syncResult?.revision === commit;
      if (isDone && sync?.status === 'Synced' && sync.revision === commit) return true;
      return JSON.stringify({ sync, conditions, phase: operation?.phase, message: operation?.message });
    },
    atMost,
  );
}

/** Waits until Argo CD has compared a commit with the hub, and found no difference. It need not have synced anything. */
export async function compared(argoCd: ArgoCd, name: string, commit: string): Promise<void> {
  await argoCd.refresh(name);
  await eventually(`${name} is compared with ${commit}`, async () => {
    const { sync } = (await argoCd.application(name)).status ?? {};
    return (sync?.revision === commit && sync.status === 'Synced') || JSON.stringify(sync);
  });
}

/**
 * Applies an Application over the folder of an app, as `ArgoCdApplication` makes it.
 *
 * @param backoff - the pauses between retries. @default - those of the construct
 */
export async function applyApplication(
  hub: ApiClient,
  name: string,
  { url }: GitRepository,
  backoff: object = {},
): Promise<void> {
  const objects = objectsOf((chart) => {
    new ArgoCdApplication(chart, name, { name, repoUrl: url, targetRevision: 'main', path: `dist/${name}` });
  });
  for (const object of objects) {
    const { spec } = object as KubernetesObject & { readonly spec: ApplicationSpec };
    const { syncPolicy } = spec;
    const retry = { ...syncPolicy.retry, backoff: { ...syncPolicy.retry.backoff, ...backoff } };
    const changed = { ...object, spec: { ...spec, syncPolicy: { ...syncPolicy, retry } } };
    await hub.apply(changed);
  }
}

interface ApplicationSpec {
  readonly syncPolicy: { readonly retry: { readonly backoff: object } };
}
