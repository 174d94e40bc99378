import { ApiObject, App, Chart } from 'cdk8s';
import type { IConstruct } from 'constructs';
import type { KubernetesObject } from '../src/base/objects/object-meta.ts';
import type { ManifestConfig } from './manifest-config.ts';
import { renderObject } from './render-object.ts';

/** Creates the objects of a workload in the given scope. */
export type WorkloadBuilder = (scope: Workload) => void;

/**
 * A scope for objects that are delivered to managed clusters inside another object. It is a separate tree, so code
 * that walks the tree of the app, such as cdk8s's own synth, does not treat them as objects of the hub.
 *
 * @example
 * const build = (workload: Workload): void => {
 *   new ApiObject(workload, 'namespace', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'hello' } });
 * };
 * new ManifestWork(chart, 'namespace', { cluster: 'cluster1', workload: build });
 */
export class Workload extends Chart {
  private readonly configs: ManifestConfig[] = [];

  /**
   * `id` is part of the selectors that cdk8s-plus generates. Deployments reject changed selectors, so it must stay
   * the same when a new object replaces the one around the workload.
   */
  constructor(owner: IConstruct, id: string, namespace: string | undefined) {
    super(new App({ resolvers: App.of(owner).resolvers }), id, namespace === undefined ? {} : { namespace });
  }

  /** Defines how one of the objects is applied, and what is reported about it. */
  addManifestConfig(config: ManifestConfig): void {
    this.configs.push(config);
  }

  /** The arguments of `addManifestConfig`. */
  get manifestConfigs(): readonly ManifestConfig[] {
    return [...this.configs];
  }

  /** Names objects after their ids within the workload, without a hash: a cluster has one such workload. */
  override generateObjectName(object: ApiObject): string {
    const ids = object.node.scopes.slice(this.node.scopes.length).map(({ node }) => node.id);
    const shown = ids.filter((id) => id !== 'Resource' && id !== 'Default');
    return (shown.length === 0 ? ids : shown).join('-').toLowerCase();
  }

  /** Returns the manifests, each after those that it depends on, otherwise in the order of their creation. */
  manifests(): KubernetesObject[] {
    return inDependencyOrder(this).map((object) => {
      try {
        return renderObject(object);
      } catch (error) {
        throw new Error(this.at(object, error instanceof Error ? error.message : String(error)), {
          cause: error,
        });
      }
    });
  }

  /** Whether the workload is empty. */
  get isEmpty(): boolean {
    return objectsIn(this).length === 0;
  }

  /** Returns the errors within the workload. */
  faults(): string[] {
    return this.node
      .findAll()
      .flatMap((construct) => construct.node.validate().map((fault) => this.at(construct, fault)));
  }

  private at(construct: IConstruct, message: string): string {
    const path = construct.node.path.slice(this.node.path.length + 1);
    return `in the workload${path && `, at ${path}`}: ${message}`;
  }
}

function inDependencyOrder(workload: Workload): ApiObject[] {
  const objects = objectsIn(workload);
  const ordered: ApiObject[] = [];
  // Only these: a dependency on an object of the hub does not add that object to the workload.
  const state = new Map<ApiObject, 'unseen' | 'open' | 'done'>(objects.map((object) => [object, 'unseen']));
  for (const object of objects) visit(object);
  return ordered;

  function visit(object: ApiObject): void {
    const seen = state.get(object);
    if (seen === undefined || seen === 'done') return;
    if (seen === 'open')
      throw new Error(`in the workload: ${object.kind} '${object.name}' depends on itself`);
    state.set(object, 'open');
    for (const scope of object.node.scopes) {
      for (const dependency of scope.node.dependencies) {
        // Objects in the scope itself cannot wait for it.
        for (const before of objectsIn(dependency)) if (!before.node.scopes.includes(scope)) visit(before);
      }
    }
    state.set(object, 'done');
    ordered.push(object);
  }
}

function objectsIn(construct: IConstruct): ApiObject[] {
  return construct.node.findAll().filter((child): child is ApiObject => ApiObject.isApiObject(child));
}
