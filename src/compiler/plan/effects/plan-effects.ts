import { createHash } from 'node:crypto';
import { compareUtf8, goJson } from '../../../base/json/go-json.ts';
import type { ClusterAnswer, Effect, PermissionChange, RegistrationChange } from '../../compare/change.ts';
import type { ObjectReference } from '../../model/diagnostic.ts';
import type { EarlyCluster } from '../../rollout/stop.ts';
import type { AddOnOnCluster } from '../promoted-change.ts';

/**
 * What a change does, without its texts: an approval binds to this. Comments, the format of files, and the files in which objects are
 * written have no influence. Content is named by its SHA-256 hash.
 */
export interface PlanEffects {
  /** Sorted by hub, app, kind and name. */
  readonly addOns: readonly AddOnEffects[];
  /** Sorted by hub, app and name. */
  readonly placements: readonly PlacementEffect[];
  /** The objects of apps that differ. The objects of a fleet snapshot count through their effects. */
  readonly objects: readonly ObjectEffect[];
  readonly promotions: readonly PromotionEffect[];
  /** The guardrails that the change exceeds, approved or not. */
  readonly exceeded: readonly ExceededGuardrail[];
}

/** The app, and the hub if the plan is about several. */
export interface EffectOwner {
  readonly app: string;
  readonly hub?: string;
}

/** The effects on an add-on, on works or on something else that follows Placements. */
export interface AddOnEffects extends EffectOwner {
  /** Absent for add-ons. */
  readonly kind?: string;
  /** The name. */
  readonly addOn: string;
  /** Each cluster is in one of them. Sorted by the first cluster. */
  readonly clusters: readonly ClusterEffect[];
  readonly permissions: readonly Pick<PermissionChange, 'permission' | 'change' | 'before' | 'after'>[];
  readonly registrations: readonly Omit<RegistrationChange, 'side' | 'location'>[];
  /** In order. */
  readonly waves: readonly WaveEffect[];
  /** The clusters that the rollout never reaches. */
  readonly left: readonly string[];
  /** Those of `left` that change nevertheless if soaks end early. @default - there are none */
  readonly early?: readonly EarlyCluster[];
  /** Whether the hub configures no cluster. @default - it configures them */
  readonly stalled?: true;
}

/** What happens on clusters. */
export interface ClusterEffect {
  readonly effect: Effect;
  /** Sorted by name. */
  readonly clusters: readonly string[];
  /** The hash of the content before the change. Absent for what the change installs. */
  readonly before?: string;
  /** The hash of the content after the change. */
  readonly after?: string;
  readonly answers?: readonly Pick<ClusterAnswer, 'kind' | 'object'>[];
  readonly enforcement?: 'begins' | 'ends';
  /** The hash of what happens to the Applications of an ApplicationSet. */
  readonly applications?: string;
  /** When it happens, if a promotion decides. @default - with the merge */
  readonly fate?: 'waits' | 'rolled back';
}

/** Clusters that change at the same time. Times are in milliseconds after the merge. */
export interface WaveEffect {
  readonly after: number;
  readonly earliest: number;
  readonly clusters: readonly string[];
}

/** The clusters that a Placement gains and loses. */
export interface PlacementEffect extends EffectOwner {
  readonly placement: string;
  readonly change?: 'added' | 'removed';
  readonly gained: readonly string[];
  readonly lost: readonly string[];
}

/** An object that the change adds, removes or edits. */
export interface ObjectEffect extends EffectOwner {
  readonly object: ObjectReference;
  readonly change: 'added' | 'removed' | 'edited';
  /** The hash of the content. */
  readonly before?: string;
  readonly after?: string;
}

/** What a promotion makes of the change. */
export interface PromotionEffect extends EffectOwner {
  /** The hash of the release that the change begins. */
  readonly next?: string;
  /** What the merge itself releases. */
  readonly started: readonly AddOnOnCluster[];
}

/** A guardrail that the change exceeds. */
export interface ExceededGuardrail {
  /** The code of the finding. */
  readonly code: string;
  /** As in the settings, with the label or the cluster: `atMost env=prod`, `protect c5`. */
  readonly guardrail: string;
}

/** Returns the hash that approves a plan: SHA-256 of the canonical JSON of its effects. */
export function effectsHash(effects: PlanEffects): string {
  return contentHash(effects);
}

/** Returns the SHA-256 of canonical JSON, in hexadecimal digits. */
export function contentHash(content: unknown): string {
  return createHash('sha256').update(goJson(content)).digest('hex');
}

/** Sorts by hub, app and the other parts of the key. */
export function byOwner<T extends EffectOwner>(effects: readonly T[], keyOf: (effect: T) => string): T[] {
  const key = (effect: T): string => [effect.hub ?? '', effect.app, keyOf(effect)].join('\n');
  return effects.toSorted((a, b) => compareUtf8(key(a), key(b)));
}

/** Returns the key of an object in its app. */
export function objectEffectKey({ object, change }: Pick<ObjectEffect, 'object' | 'change'>): string {
  const { apiVersion, kind, namespace = '', name } = object;
  return [apiVersion.split('/').at(-2) ?? '', kind, namespace, name, change].join('\n');
}

/** Returns whether the change does nothing. */
export function hasNoEffects({ addOns, placements, objects, promotions }: PlanEffects): boolean {
  return addOns.length + placements.length + objects.length + promotions.length === 0;
}
