import { goJson } from '../../../base/json/go-json.ts';
import { getOrInsertComputed } from '../../../base/collections/get-or-insert.ts';
import { placementFollowers, type PlacementFollower } from '../../api/placement-followers.ts';
import {
  boundPolicies,
  placedPolicy,
  type BoundPolicy,
  type PlacedPolicy,
} from '../../api/bound-policies.ts';
import type { AddOnPlan } from '../../compare/add-on-plan.ts';
import type { Effect, Side } from '../../compare/change.ts';
import { clusterAddOnFields } from '../../compare/compare-cluster-add-ons.ts';
import { referenceText } from '../../compare/effective-keys.ts';
import { distributedContent, nameOf } from '../../compare/placements/follower-edits.ts';
import type { Pair } from '../../compare/resolution-pair.ts';
import { workText } from '../../compare/works/compare-works.ts';
import { withNamedConfigs } from '../../compare/named-configs.ts';
import type { ClusterAddOn, EffectiveConfiguration } from '../../configure/resolved-add-on.ts';
import { imageRegistriesAnnotation } from '../../render/decoration/image-registries.ts';
import type { RenderClass } from '../../render/render-class.ts';
import { contentHash } from './plan-effects.ts';

type Subject = Pick<AddOnPlan, 'kind' | 'addOn'>;

/** Returns the hash of what a cluster gets with an effect; undefined if it does not have it. */
export type ContentOfCluster = (cluster: string, effect: Effect) => string | undefined;

/**
 * Hashes what clusters get in one state. For an add-on that is everything that its manifests are rendered from: the content of its
 * configurations and templates, the fields that its manager reads, and the class of the cluster. Rendering itself, for each of ten
 * thousand clusters, would take longer than the plan.
 */
export class ContentDigests {
  readonly #pair: Pair;
  readonly #side: Side;
  readonly #texts = new Map<EffectiveConfiguration, string>();
  readonly #hashes = new Map<string, string>();
  #policies: ReadonlyMap<string, BoundPolicy> | undefined;
  #followers: ReadonlyMap<string, PlacementFollower> | undefined;

  constructor(pair: Pair, side: Side) {
    this.#pair = pair;
    this.#side = side;
  }

  of({ kind, addOn }: Subject): ContentOfCluster {
    if (kind === undefined) return this.#ofAddOn(addOn);
    const { others, replicaSets } = this.#pair.works[this.#side];
    if (kind === 'ManifestWork') {
      const works = others.get(addOn);
      return (cluster) => this.#hash(works?.get(cluster), workText);
    }
    if (kind === 'ManifestWorkReplicaSet') {
      const set = replicaSets.get(addOn);
      const hash = this.#hash(set && [set], workText);
      return () => hash;
    }
    return kind === 'Policy' ? this.#ofPolicy(addOn) : this.#ofFollower(kind, addOn);
  }

  #ofAddOn(name: string): ContentOfCluster {
    const { resolution } = this.#pair[this.#side];
    const addOn = resolution.configuration.get(name);
    if (addOn === undefined) return () => undefined;
    const classOf = resolution.rendering.classesOf(name);
    const works = this.#pair.works[this.#side].addOns.get(name);
    const ofAll = this.#ofAllClusters(name);
    return (cluster, effect) => {
      const found = addOn.clusters.get(cluster);
      if (found === undefined) return undefined;
      const clusterAddOn = withNamedConfigs(found, addOn, resolution);
      const written = works?.get(cluster);
      return this.#hashOf([
        ofAll,
        this.#configurationText(clusterAddOn),
        classOf === undefined ? '' : stableKey(classOf(cluster)),
        addOn.template || classOf !== undefined ? this.#registriesOf(cluster) : '',
        clusterAddOnFields(clusterAddOn, resolution, this.#hub),
        written === undefined ? '' : workText(written),
        sourceText(clusterAddOn, effect),
      ]);
    };
  }

  /** What all clusters of an add-on share. */
  #ofAllClusters(name: string): string {
    const { configuration, inventory } = this.#pair[this.#side].resolution;
    const references = configuration.get(name)?.defaultReferences ?? [];
    const template = references.find(({ resource }) => resource === 'addontemplates')?.specHash ?? '';
    const profile = inventory.managerProfiles?.get(name)?.declaration.object ?? null;
    return contentHash([template, profile, this.#hub.name]);
  }

  get #hub(): Pair['hub'] {
    return this.#side === 'base' ? this.#pair.baseHub : this.#pair.hub;
  }

  #configurationText({ effective }: ClusterAddOn): string {
    return getOrInsertComputed(this.#texts, effective, () =>
      effective.references.map((reference) => referenceText(reference, this.#pair[this.#side])).join('\n'),
    );
  }

  #registriesOf(cluster: string): string {
    const { clusters } = this.#pair[this.#side].resolution.decisions;
    return clusters.get(cluster)?.metadata.annotations?.[imageRegistriesAnnotation] ?? '';
  }

  #ofPolicy(name: string): ContentOfCluster {
    const { inventory, decisions } = this.#pair[this.#side].resolution;
    this.#policies ??= new Map(boundPolicies(inventory).map((policy) => [policy.name, policy]));
    const bound = this.#policies.get(name);
    if (bound === undefined) return () => undefined;
    const placed: ReadonlyMap<string, PlacedPolicy> = placedPolicy(
      bound,
      (placement) => decisions.byPlacement.get(placement)?.selected ?? [],
    );
    const content = contentHash(bound.policy?.object['spec'] ?? null);
    return (cluster) => {
      const policy = placed.get(cluster);
      return policy && this.#hashOf([content, policy.remediationAction ?? '']);
    };
  }

  #ofFollower(kind: string, name: string): ContentOfCluster {
    const { inventory } = this.#pair[this.#side].resolution;
    this.#followers ??= new Map(
      placementFollowers(inventory).map((follower) => [`${follower.kind} ${follower.name}`, follower]),
    );
    const follower = this.#followers.get(`${kind} ${name}`);
    if (follower === undefined) return () => undefined;
    const hash = contentHash(
      follower.parts.map((part) => [part.holder.object.kind, nameOf(part.holder), distributedContent(part)]),
    );
    return () => hash;
  }

  #hash<T>(value: T | undefined, textOf: (value: T) => string): string | undefined {
    return value && this.#hashOf([textOf(value)]);
  }

  #hashOf(parts: readonly unknown[]): string {
    const text = JSON.stringify(parts);
    return getOrInsertComputed(this.#hashes, text, () => contentHash(parts));
  }
}

function stableKey({ key, hosting }: RenderClass): readonly string[] {
  return [key, hosting?.name ?? '', hosting?.state ?? ''];
}

/**
 * Returns where the configuration of a cluster is from, as far as it is a part of the effect. That is all a move changes. What is installed
 * has the spec of the override that someone wrote for the cluster, and another request can have written it after the approval.
 */
function sourceText({ placements, effective, managedClusterAddOn }: ClusterAddOn, effect: Effect): string {
  if (effect === 'installed') return goJson(managedClusterAddOn?.object.spec.configs ?? []);
  if (effect !== 'moved') return '';
  const winners = effective.kinds.flatMap((each) =>
    each.winners.map(({ level, placement = '' }) => `${level} ${placement}`),
  );
  return [...placements, ...winners].join('\n');
}
