import { hubObjects } from '../../src/compiler/hub-objects.ts';
import { load } from '../../src/compiler/load/load.ts';
import { resolve } from '../../src/compiler/resolve.ts';
import type { KubernetesObject } from '../../src/base/objects/object-meta.ts';
import { formatTime } from '../../src/base/time/rfc3339.ts';
import { hubVersion } from '../../src/ocm/hub-version.ts';
import type { Condition } from '../../schemas/types.gen.ts';
import type { Response } from '../cli/api-server.ts';
import type { Files } from './simulated-hub.ts';

const hub = hubVersion('1.3');

/** A hub that delivers add-ons itself, as the compiler's own model predicts it: from its earlier statuses to the end of the rollout. */
export class DeliveringHub {
  /** The clusters whose agents report failures. */
  readonly failing = new Set<string>();
  #addOns: readonly KubernetesObject[] = [];

  /** Makes the hub contain the objects of the files, and lets the rollout go on until nothing changes. */
  sync(files: Files, fleet: string, now: number): void {
    const app = [...files].filter(([file]) => /^[a-z.]+_.*\.yaml$/.test(file));
    const earlier = JSON.stringify({ apiVersion: 'v1', kind: 'List', items: this.#addOns });
    const { value } = load([
      ...app.map(([file, text]) => ({ file, text, source: 'app' as const })),
      { file: 'fleet.yaml', text: fleet, source: 'fleet' },
      { file: 'add-ons.json', text: earlier, source: 'fleet' },
    ]);
    const resolved = resolve(value, { now, hub, failing: this.failing });
    if (resolved.value === undefined) throw new Error(JSON.stringify(resolved.diagnostics));
    const objects = [...hubObjects(resolved.value, { hub, addOnApiVersion: 'v1alpha1' })];
    this.#addOns = objects
      .filter(({ kind }) => kind === 'ManagedClusterAddOn')
      .map((object) => this.#stored(object, now));
  }

  /** Returns a ManagedClusterAddOn with what only the hub knows: the times of its conditions. */
  #stored(object: KubernetesObject, now: number): KubernetesObject {
    const { ownerReferences: _, ...metadata } = object.metadata;
    const before = this.#addOns.find((each) => each.metadata.namespace === metadata.namespace);
    const conditions = conditionsOf(object).map((condition) => {
      const same = conditionsOf(before).find(
        ({ type, status, reason }) =>
          type === condition.type && status === condition.status && reason === condition.reason,
      );
      return { ...condition, lastTransitionTime: same?.lastTransitionTime ?? formatTime(now) };
    });
    return { ...object, metadata, status: { ...(object.status as object), conditions } };
  }

  /** Answers the lists that `promote` reads. */
  answer(url: URL): Response {
    const isAsked = url.pathname.endsWith('/managedclusteraddons');
    return {
      status: 200,
      body: {
        kind: 'ManagedClusterAddOnList',
        metadata: { resourceVersion: '1' },
        items: isAsked ? this.#addOns : [],
      },
    };
  }

  /** The configurations that each cluster has, such as `a: c-1, hello-1`. */
  contents(): readonly string[] {
    return this.#addOns.map(({ metadata, status }) => {
      const { configReferences = [] } = status as {
        readonly configReferences?: readonly { readonly desiredConfig: { readonly name: string } }[];
      };
      const names = configReferences.map(({ desiredConfig }) => desiredConfig.name);
      return `${metadata.namespace ?? ''}: ${names.join(', ')}`;
    });
  }
}

function conditionsOf(object: KubernetesObject | undefined): readonly Condition[] {
  return (object?.status as { readonly conditions?: readonly Condition[] } | undefined)?.conditions ?? [];
}
