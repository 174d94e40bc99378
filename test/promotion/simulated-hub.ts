import { getOrInsertComputed } from '../../src/base/collections/get-or-insert.ts';
import { load } from '../../src/compiler/load/load.ts';
import type { HubAddOn } from '../../src/promotion/decide/cluster-health.ts';
import { clusterKey } from '../../src/promotion/decide/promotion.ts';
import { addOnStatus } from '../../src/controller/hub/add-on-status.ts';
import type { KubernetesObject } from '../../src/base/objects/object-meta.ts';
import { withCondition } from '../../src/base/objects/condition.ts';
import { formatTime } from '../../src/base/time/rfc3339.ts';
import type { Stored } from '../../src/client/object.ts';
import { addOnNameLabel } from '../../src/ocm/labels.ts';
import { specHash } from '../../src/ocm/spec-hash.ts';
import type {
  AddOnTemplateV1alpha1,
  ClusterManagementAddOnV1alpha1,
  ManagedClusterAddOnV1alpha1,
  ManagedClusterAddOnV1beta1,
  ManifestWorkV1,
} from '../../schemas/types.gen.ts';
import { refusal, type Response } from '../cli/api-server.ts';
import { storedCluster } from '../controller/hub/stored-add-ons.ts';

/** How an agent reacts to its works. */
export type Agent = 'healthy' | 'failing' | 'silent';

/** The files of an output, by name. */
export type Files = ReadonlyMap<string, string>;

/**
 * A hub that has what a GitOps engine applied. The companion's own code writes the statuses of ManagedClusterAddOns; agents report
 * on works as the work agent does: for the generation that they have seen, and with the time of the last transition.
 */
export class SimulatedHub {
  readonly #objects = new Map<string, KubernetesObject>();
  /** The keys of the works of each cluster. */
  readonly #works = new Map<string, Set<string>>();
  readonly #jobs = new Map<string, object>();
  readonly #agents = new Map<string, Agent>();

  /** Sets how the agent of a cluster behaves from now on, for all works or for those of one add-on. */
  setAgent(cluster: string, agent: Agent, addOn?: string): void {
    this.#agents.set(addOn === undefined ? cluster : clusterKey(addOn, cluster), agent);
  }

  /** Creates a Job with a condition. */
  setJob(namespace: string, name: string, created: number, condition: 'Complete' | 'Failed'): void {
    this.#jobs.set(`${namespace}/jobs/${name}`, {
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { namespace, name, resourceVersion: '1', creationTimestamp: formatTime(created) },
      status: { conditions: [{ type: condition, status: 'True' }] },
    });
  }

  /** Makes the hub contain the objects of the files, as an engine that prunes. */
  sync(files: Files, now: number): void {
    const applied = new Set<string>();
    for (const [file, text] of files) {
      if (!file.endsWith('.yaml') || file.endsWith('kustomization.yaml') || file === 'resolution.yaml')
        continue;
      for (const object of objectsIn(text)) {
        applied.add(keyOf(object));
        this.#apply(object, now);
      }
    }
    for (const key of this.#objects.keys()) if (!applied.has(key)) this.#objects.delete(key);
  }

  /** Lets all agents report, then the companion. */
  report(now: number): void {
    for (const work of this.#ofKind<ManifestWorkV1>('ManifestWork')) {
      const cluster = work.metadata.namespace ?? '';
      const key = clusterKey(work.metadata.labels?.[addOnNameLabel] ?? '', cluster);
      const agent = this.#agents.get(key) ?? this.#agents.get(cluster) ?? 'healthy';
      if (agent === 'silent') continue;
      const status = agent === 'healthy' ? 'True' : 'False';
      let { conditions = [] } = work.status ?? {};
      for (const type of ['Applied', 'Available']) {
        const value = type === 'Applied' ? 'True' : status;
        const time = { lastTransitionTime: formatTime(now), reason: type, message: '' };
        conditions = withCondition(conditions, { type, status: value, ...time }).map((each) =>
          each.type === type ? { ...each, observedGeneration: work.metadata.generation ?? 1 } : each,
        );
      }
      if (JSON.stringify(conditions) === JSON.stringify(work.status?.conditions)) continue;
      const { managedFields = [] } = work.metadata as { managedFields?: readonly { subresource?: string }[] };
      const engine = managedFields.filter(({ subresource }) => subresource !== 'status');
      const agentEntry = { manager: 'work-agent', subresource: 'status', time: formatTime(now) };
      const metadata = { ...work.metadata, managedFields: [...engine, agentEntry] };
      this.#store({ ...work, metadata, status: { ...work.status, conditions } });
    }
    for (const onCluster of this.#ofKind<ManagedClusterAddOnV1alpha1>('ManagedClusterAddOn'))
      this.#store({ ...onCluster, status: this.#statusOf(onCluster, now) });
  }

  /** Returns the add-ons on all clusters, by `clusterKey`. */
  addOns(): ReadonlyMap<string, HubAddOn> {
    const found = new Map<string, HubAddOn>();
    for (const { metadata, ...addOn } of this.#ofKind<ManagedClusterAddOnV1beta1>('ManagedClusterAddOn')) {
      const works = this.#worksOf(metadata.name, metadata.namespace ?? '');
      found.set(clusterKey(metadata.name, metadata.namespace ?? ''), {
        addOn: { metadata, ...addOn },
        works,
      });
    }
    for (const { metadata } of this.#ofKind<ManifestWorkV1>('ManifestWork')) {
      const addOn = metadata.labels?.[addOnNameLabel] ?? '';
      const key = clusterKey(addOn, metadata.namespace ?? '');
      if (!found.has(key)) found.set(key, { works: this.#worksOf(addOn, metadata.namespace ?? '') });
    }
    return found;
  }

  /** Answers the lists that commands read, page by page, and Jobs. */
  answer(url: URL): Response {
    const [, job] = /^\/apis\/batch\/v1\/namespaces\/(.+)$/.exec(url.pathname) ?? [];
    if (job !== undefined) {
      const body = this.#jobs.get(job);
      return body === undefined ? refusal(404, 'NotFound', `${job} not found`) : { status: 200, body };
    }
    const kind = url.pathname.endsWith('/manifestworks') ? 'ManifestWork' : 'ManagedClusterAddOn';
    const limit = Number(url.searchParams.get('limit') ?? 500);
    const start = Number(url.searchParams.get('continue') ?? 0);
    const objects = this.#ofKind(kind);
    const next = start + limit < objects.length ? String(start + limit) : '';
    return {
      status: 200,
      body: {
        kind: `${kind}List`,
        metadata: { resourceVersion: '1', continue: next },
        items: objects.slice(start, start + limit),
      },
    };
  }

  #apply(object: KubernetesObject, now: number): void {
    const before = this.#objects.get(keyOf(object)) as Stored<KubernetesObject> | undefined;
    const { generation = 0 } = (before?.metadata ?? {}) as { generation?: number };
    const isSame = JSON.stringify(before?.spec) === JSON.stringify(object.spec);
    const { managedFields = [] } = (before?.metadata ?? {}) as {
      managedFields?: readonly { subresource?: string }[];
    };
    const isUnchanged =
      isSame && JSON.stringify(before?.metadata.annotations) === JSON.stringify(object.metadata.annotations);
    const fieldsV1 = { 'f:metadata': { 'f:annotations': { 'f:fleetwright.dev/content-hash': {} } } };
    const metadata = {
      ...object.metadata,
      managedFields: isUnchanged
        ? managedFields
        : [
            { manager: 'engine', operation: 'Apply', time: formatTime(now), fieldsV1 },
            ...managedFields.filter(({ subresource }) => subresource === 'status'),
          ],
      uid: 'uid',
      resourceVersion: '1',
      creationTimestamp: formatTime(now),
      generation: isSame ? generation : generation + 1,
    };
    const status = before?.status;
    this.#store({ ...object, metadata, ...(status !== undefined && { status }) });
  }

  #store(object: object): void {
    const stored = object as KubernetesObject;
    this.#objects.set(keyOf(stored), stored);
    if (stored.kind === 'ManifestWork')
      getOrInsertComputed(this.#works, stored.metadata.namespace ?? '', () => new Set()).add(keyOf(stored));
  }

  #statusOf(
    onCluster: Stored<ManagedClusterAddOnV1alpha1>,
    now: number,
  ): ManagedClusterAddOnV1alpha1['status'] {
    const addOn = this.#objects.get(`ClusterManagementAddOn /${onCluster.metadata.name}`) as
      Stored<ClusterManagementAddOnV1alpha1> | undefined;
    if (addOn === undefined) return onCluster.status;
    const named = onCluster.spec.configs?.find(({ resource }) => resource === 'addontemplates')?.name;
    const template = this.#objects.get(`AddOnTemplate /${named ?? ''}`) as AddOnTemplateV1alpha1 | undefined;
    return addOnStatus(
      {
        addOn,
        onCluster,
        cluster: storedCluster(),
        template,
        deploymentConfig: undefined,
        factsOf: ({ resource, namespace, name }) => {
          const kind = resource === 'addontemplates' ? 'AddOnTemplate' : 'AddOnDeploymentConfig';
          const config = this.#objects.get(`${kind} ${namespace}/${name}`);
          return config === undefined
            ? { specHash: '', generation: 0, missing: 'is missing' }
            : { specHash: specHash(config), generation: 1 };
        },
        works: this.#worksOf(onCluster.metadata.name, onCluster.metadata.namespace ?? ''),
        permissionError: undefined,
      },
      now,
    );
  }

  #worksOf(addOn: string, cluster: string): readonly Stored<ManifestWorkV1>[] {
    return [...(this.#works.get(cluster) ?? [])].flatMap((key) => {
      const work = this.#objects.get(key) as Stored<ManifestWorkV1> | undefined;
      return work?.metadata.labels?.[addOnNameLabel] === addOn ? [work] : [];
    });
  }

  #ofKind<T extends object>(kind: string): readonly Stored<T & KubernetesObject>[] {
    return [...this.#objects.values()].filter((object) => object.kind === kind) as never;
  }
}

const loaded = new Map<string, readonly KubernetesObject[]>();

function objectsIn(text: string): readonly KubernetesObject[] {
  return getOrInsertComputed(loaded, text, () =>
    load([{ file: 'applied.yaml', text, source: 'app' }]).value.map(({ object }) => object),
  );
}

function keyOf({ kind, metadata }: KubernetesObject): string {
  return `${kind} ${metadata.namespace ?? ''}/${metadata.name ?? ''}`;
}
