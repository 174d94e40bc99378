import {
  type Diagnostic,
  diagnosticsAsText,
  hasErrors,
  type LoadedObject,
  type Resolution,
  resolve,
  type Rollouts,
  type Surroundings,
} from '../compiler/index.ts';
import { isEnforce } from '../compiler/api/bound-policies.ts';
import type { ApplicationOnCluster, PolicyOnCluster } from '../compiler/application-sets/on-cluster.ts';
import { placedByCluster } from '../compiler/application-sets/placed-by-cluster.ts';
import { closest } from '../compiler/model/suggestion.ts';
import type { HubVersion } from '../ocm/hub-version.ts';
import { isWrittenKind } from '../compiler/model/hub-owned.ts';
import { rollout } from '../compiler/rollout/rollout.ts';
import { updatedObjects } from '../compiler/model/updated-objects.ts';
import type { KubernetesObject } from '../base/objects/object-meta.ts';

/** The fleet cannot be resolved, or a test names an object that it does not have. */
export class FleetError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'FleetError';
  }
}

/** The hub and the time of the prediction. */
export interface FleetSetting {
  readonly hub: HubVersion;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Objects that the hub may have besides the input objects. @default - nothing */
  readonly surroundings?: Surroundings;
}

/** A fleet with its add-ons, resolved as the hub would. */
export class Fleet {
  /** The findings of the compiler, including warnings. */
  readonly diagnostics: readonly Diagnostic[];
  /** The resolution, which matchers and the classes here use. */
  readonly resolution: Resolution;
  readonly setting: FleetSetting;
  readonly #objects: readonly LoadedObject[];
  #rollouts: Rollouts | undefined;

  /**
   * @param earlier - the fleet before, whose decisions the hub remembers
   * @throws FleetError if the API server would reject an object
   */
  constructor(
    objects: readonly LoadedObject[],
    diagnostics: readonly Diagnostic[],
    setting: FleetSetting,
    earlier?: Fleet,
  ) {
    if (hasErrors(diagnostics)) throw new FleetError(refusal(diagnostics));
    const resolved = resolve(objects, {
      ...setting,
      ...(earlier && { earlier: earlier.resolution.decisions }),
    });
    if (resolved.value === undefined) throw new FleetError(refusal(resolved.diagnostics));
    this.diagnostics = [...diagnostics, ...resolved.diagnostics];
    this.resolution = resolved.value;
    this.setting = setting;
    this.#objects = objects;
  }

  /** Returns one cluster. @throws FleetError if the fleet does not have it */
  cluster(name: string): FleetCluster {
    const { clusters } = this.resolution.decisions;
    if (!clusters.has(name))
      throw new FleetError(`the fleet has no cluster "${name}"${meant(name, [...clusters.keys()])}`);
    return new FleetCluster(this, name);
  }

  /** Returns the clusters with these labels; all clusters without labels. Matchers check every one. */
  clusters(labels: Readonly<Record<string, string>> = {}): FleetClusters {
    const wanted = Object.entries(labels);
    const names = Array.from(this.resolution.decisions.clusters)
      .filter(([, { metadata }]) => wanted.every(([label, value]) => metadata.labels?.[label] === value))
      .map(([name]) => name)
      .sort();
    const what = wanted.map(([label, value]) => `${label}=${value}`).join(' and ');
    return new FleetClusters(this, names, what === '' ? '' : ` with ${what}`);
  }

  /** Returns one add-on on the whole fleet. @throws FleetError if there is no add-on of that name */
  addon(name: string): FleetAddOn {
    const { configuration } = this.resolution;
    if (!configuration.has(name))
      throw new FleetError(`there is no add-on "${name}"${meant(name, [...configuration.keys()])}`);
    return new FleetAddOn(this, name);
  }

  /**
   * Returns one Policy on the whole fleet.
   *
   * @param name - `namespace/name`
   * @throws FleetError if no PlacementBinding binds a Policy of that name
   */
  policy(name: string): FleetPolicy {
    const { policies } = placedByCluster(this.resolution);
    const found = policies.find(({ policy }) => policy.name === name);
    if (found === undefined)
      throw new FleetError(
        `no PlacementBinding binds a Policy "${name}"${meant(
          name,
          policies.map(({ policy }) => policy.name),
        )}`,
      );
    const clusters = [...found.placed.keys()].sort();
    const enforcedOn = clusters.filter((cluster) => isEnforce(found.placed.get(cluster)?.remediationAction));
    return { name, clusters, enforcedOn };
  }

  /**
   * What-if: returns the same fleet with some objects added, or replaced if it has them. Placements start from the
   * decisions of the original, which does not change.
   *
   * @throws FleetError if the API server would reject one of them
   */
  with(...objects: readonly KubernetesObject[]): Fleet {
    const added = objects.map((object): LoadedObject => {
      const location = { construct: `${object.kind} ${object.metadata.name ?? ''} of the test` };
      const source = isWrittenKind(object.kind) ? 'app' : 'fleet';
      return { object, source, origin: { location, locate: () => location } };
    });
    return new Fleet(updatedObjects(this.#objects, added), [], this.setting, this);
  }

  /** Returns the rollouts of a first installation of all add-ons. */
  rollouts(): Rollouts {
    this.#rollouts ??= rollout(this.resolution, { ...this.setting, from: new Map() }).value;
    return this.#rollouts;
  }
}

/** One Policy on the whole fleet. */
export interface FleetPolicy {
  /** `namespace/name`. */
  readonly name: string;
  /** The clusters that have it, sorted. */
  readonly clusters: readonly string[];
  /** The clusters that enforce it after the overrides of PlacementBindings, sorted. */
  readonly enforcedOn: readonly string[];
}

/** One cluster of a fleet. */
export class FleetCluster {
  readonly fleet: Fleet;
  readonly name: string;

  constructor(fleet: Fleet, name: string) {
    this.fleet = fleet;
    this.name = name;
  }

  /** The names of the add-ons that the hub installs here, sorted. */
  get addons(): readonly string[] {
    const all = [...this.fleet.resolution.configuration.values()];
    return all.filter(({ clusters }) => clusters.has(this.name)).map(({ name }) => name);
  }

  /** The policies that PlacementBindings place here, by `namespace/name`. */
  get policies(): readonly PolicyOnCluster[] {
    return placedByCluster(this.fleet.resolution).policiesOn(this.name);
  }

  /** The Applications of ApplicationSets that deploy to the cluster, by `namespace/name`. */
  get applications(): readonly ApplicationOnCluster[] {
    return placedByCluster(this.fleet.resolution).applicationsOn(this.name);
  }

  /** Returns an add-on here, installed or not. @throws FleetError if there is no add-on of that name */
  addon(name: string): ClusterAddOns {
    return new ClusterAddOns(this.fleet.addon(name), [this.name], undefined);
  }
}

/** Some clusters of a fleet. */
export class FleetClusters {
  readonly fleet: Fleet;
  /** Sorted. */
  readonly names: readonly string[];
  readonly #words: string;

  constructor(fleet: Fleet, names: readonly string[], words: string) {
    this.fleet = fleet;
    this.names = names;
    this.#words = words;
  }

  /**
   * Returns an add-on on all of them, installed or not. @throws FleetError if there is no add-on of that name, or no such
   * cluster
   */
  addon(name: string): ClusterAddOns {
    // For an empty set of clusters, every check would pass.
    if (this.names.length === 0) throw new FleetError(`the fleet has no clusters${this.#words}`);
    return new ClusterAddOns(this.fleet.addon(name), this.names, this.#words);
  }
}

/** An add-on on one cluster or several: the subject of matchers. */
export class ClusterAddOns {
  readonly fleet: Fleet;
  /** The add-on's name. */
  readonly name: string;
  /** Sorted; at least one. */
  readonly clusters: readonly string[];
  /** How the clusters were selected: ` with env=prod`; undefined for a single one by name. */
  readonly words: string | undefined;

  constructor({ fleet, name }: FleetAddOn, clusters: readonly string[], words: string | undefined) {
    this.fleet = fleet;
    this.name = name;
    this.clusters = clusters;
    this.words = words;
  }
}

/** One add-on on the whole fleet. */
export class FleetAddOn {
  readonly fleet: Fleet;
  readonly name: string;

  constructor(fleet: Fleet, name: string) {
    this.fleet = fleet;
    this.name = name;
  }

  /** The clusters that have it, sorted. */
  get clusters(): readonly string[] {
    return [...(this.fleet.resolution.configuration.get(this.name)?.clusters.keys() ?? [])];
  }

  /** The clusters of each wave of a first installation. */
  get waves(): readonly (readonly string[])[] {
    return (this.fleet.rollouts().get(this.name)?.waves ?? []).map(({ clusters }) => clusters);
  }
}

function refusal(diagnostics: readonly Diagnostic[]): string {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  return `the fleet does not resolve\n\n${diagnosticsAsText(errors, { textOf: () => undefined }).trimEnd()}`;
}

function meant(name: string, names: readonly string[]): string {
  const similar = closest(name, names);
  return similar === undefined ? '' : `; did you mean "${similar}"?`;
}
