import path from 'node:path';
import { diagnostic } from '../../compiler/model/diagnostic.ts';
import { fileName } from '../../compiler/emit/file-name.ts';
import { inStableForm } from '../../compiler/admit/conversion/stable-form.ts';
import {
  forHub,
  objectKey,
  type Diagnostic,
  type ResolvedAddOn,
  type HeldCluster,
} from '../../compiler/index.ts';
import { isPromoted } from '../../ocm/promoted-rollout.ts';
import { isOverridePlacement } from '../../compiler/cluster-overrides/override-mode.ts';
import type { ChangedCluster } from '../decide/new-release.ts';
import {
  placementContents,
  placementHash,
  unheldDefaults,
  unsupportedConfigs,
  withPlacementContents,
} from '../decide/placement-content.ts';
import { absent, clusterKey, rejectedContents, type Release } from '../decide/promotion.ts';
import { didYouMean } from '../../compiler/model/suggestion.ts';
import { counted } from '../../compiler/model/words.ts';
import type { KubernetesObject } from '../../base/objects/object-meta.ts';
import { deliveryAnnotation } from '../../ocm/fleetwright-annotations.ts';
import type { Referent } from '../../ocm/referent.ts';
import { objectIn, type EarlierOutput } from '../../workspace/output/earlier-output.ts';
import type { PromotedInput } from './promoted-output.ts';

/** The configurations that a placement names. */
interface PlacementUse {
  readonly configs: readonly Referent[];
  /** The number of clusters whose rollout the placement leads. */
  readonly clusters: number;
}

/** What a promotion makes of the add-ons that the hub delivers: it holds back the references of placements. */
export interface PromotedPlacements {
  /** The ClusterManagementAddOns with the content that each placement has now, by name. */
  readonly addOns: ReadonlyMap<string, KubernetesObject>;
  /** Whether an add-on is installed by placements. */
  readonly isHolding: boolean;
  /** As `PromotedOutput`. */
  readonly pending: readonly ChangedCluster[];
  readonly isChanged: boolean;
  readonly isRolledBack: boolean;
  /** The clusters that do not get the content of Git with this output. */
  readonly held: readonly HeldCluster[];
  readonly uses: readonly PlacementUse[];
  /** The configurations that placements name now, or will name in this release. */
  readonly references: readonly Referent[];
  readonly diagnostics: readonly Diagnostic[];
}

/** A placement of an add-on in three states; undefined if the install strategy does not have it there. */
interface PlacementState {
  readonly addOn: string;
  /** `namespace/name`. */
  readonly placement: string;
  /** The clusters whose rollout it leads. */
  readonly clusters: readonly string[];
  /** What Git's sources compile to. */
  readonly head: readonly Referent[];
  /** What the hub gets now. */
  readonly present: readonly Referent[] | undefined;
  /** What it has after the release in progress. */
  readonly next: readonly Referent[] | undefined;
  readonly isInRelease: boolean;
  readonly isReleased: boolean;
  /** Whether synth made it for clusters that another placement led until now. They get its content immediately. */
  readonly isRegrouped: boolean;
}

type PlacementsInput = Pick<PromotedInput, 'promotion' | 'file' | 'resolution' | 'target' | 'committed'>;

/**
 * Decides the content of every placement of add-ons that the hub delivers. Released placements get the content of the release, and all
 * others keep the committed one.
 */
export async function promotedPlacements(input: PlacementsInput): Promise<PromotedPlacements> {
  const { promotion } = input;
  const { release } = promotion.status;
  const rejected = rejectedContents(promotion.status);
  const addOns = new Map<string, KubernetesObject>();
  const pending: ChangedCluster[] = [];
  const held: HeldCluster[] = [];
  const uses: PlacementUse[] = [];
  const references: Referent[] = (release?.waves ?? []).flat().flatMap(({ configs = [] }) => configs);
  const diagnostics: Diagnostic[] = [];
  let isHolding = false;
  let isChanged = false;
  let isRolledBack = false;
  const parts = placementParts(release);
  for (const { addOn, object, before, wasCompiled } of await hubAddOns(input)) {
    const contents = new Map<string, readonly Referent[]>();
    const waves = waveFinder(addOn, [...placementContents(object).keys()], input);
    for (const state of placementStates({ addOn, object, before }, parts, input)) {
      const { placement, clusters, head, present, next } = state;
      isHolding = true;
      if (present !== undefined) {
        contents.set(placement, present);
        references.push(...present);
        uses.push({ configs: present, clusters: clusters.length });
      }
      if (state.isRegrouped) diagnostics.push(regrouped(state, input));
      const hash = placementHash(head);
      if (present !== undefined && !state.isReleased && placementHash(present) !== hash)
        diagnostics.push(...unheld(object, { ...state, present }, input));
      const nextHash = hashOf(next);
      const isRejected = clusters.some((cluster) => rejected.get(clusterKey(addOn.name, cluster)) === hash);
      const hold = (fate: HeldCluster['fate']): void => {
        const getsEarlier = present !== undefined;
        for (const cluster of clusters) held.push({ addOn: addOn.name, cluster, fate, getsEarlier });
      };
      if (isRejected && nextHash !== hash) {
        isRolledBack = true;
        hold('rolled back');
        continue;
      }
      // A placement that is added during a release waits for the next one, and is no change.
      const isNew = present === undefined && !state.isInRelease && release !== undefined;
      if (nextHash !== hash && !isNew) isChanged = true;
      if (hashOf(present) === hash) continue;
      hold('waits');
      const content = { placement, configs: head };
      const wave = waves(placement);
      for (const cluster of clusters) pending.push({ addOn: addOn.name, cluster, hash, content, wave });
    }
    addOns.set(addOn.name, withPlacementContents(object, contents));
    diagnostics.push(...ungated(addOn, object, wasCompiled, input));
  }
  diagnostics.push(...unknownPlacements(input));
  return { addOns, isHolding, pending, isChanged, isRolledBack, held, uses, references, diagnostics };
}

interface HubAddOnInGit {
  readonly addOn: ResolvedAddOn;
  /** The ClusterManagementAddOn as Git's sources have it, in the form that is written. */
  readonly object: KubernetesObject;
  /** The committed one. */
  readonly before: KubernetesObject | undefined;
  /** Whether Git delivered it until now. */
  readonly wasCompiled: boolean;
}

/** Returns the add-ons of the app that the hub delivers. */
async function hubAddOns({
  resolution,
  target,
  committed,
}: PlacementsInput): Promise<readonly HubAddOnInGit[]> {
  const { configuration, inventory } = resolution;
  const addOns = [...configuration.values()].flatMap((addOn) => {
    const admitted = inventory.clusterManagementAddOns.get(addOn.name);
    if (admitted?.source !== 'app' || addOn.delivery === 'compiled') return [];
    return [{ addOn, object: inStableForm(forHub({ ...admitted.object }, target)) }];
  });
  const before = await committedObjects(
    committed,
    addOns.map(({ object }) => fileName(object)),
  );
  return addOns.map(({ addOn, object }) => {
    const committedObject = before.get(fileName(object));
    const wasCompiled = committedObject?.metadata.annotations?.[deliveryAnnotation] === 'compiled';
    return { addOn, object, before: wasCompiled ? object : committedObject, wasCompiled };
  });
}

/** Returns the objects of an output that have these file names, by file name. Their folder depends on the engine. */
export async function committedObjects(
  { ownership, read }: EarlierOutput,
  names: readonly string[],
): Promise<ReadonlyMap<string, KubernetesObject>> {
  const basenames = new Set(names);
  const files = ownership.files.filter((file) => basenames.has(path.basename(file)));
  const texts = await read(files);
  return new Map(
    files.flatMap((file) => {
      const object = objectIn(texts.get(file), file);
      return object === undefined ? [] : [[path.basename(file), object] as const];
    }),
  );
}

/** What a release brings to a placement. */
interface PlacementPart {
  /** Undefined if the release rolls back an installation. */
  readonly configs: readonly Referent[] | undefined;
  readonly isReleased: boolean;
}

/** Returns what a release brings to placements, by add-on and placement. */
function placementParts(release: Release | undefined): ReadonlyMap<string, PlacementPart> {
  const parts = new Map<string, PlacementPart>();
  for (const [index, ofWave] of (release?.waves ?? []).entries())
    for (const { addOn, placement, configs } of ofWave)
      if (placement !== undefined)
        parts.set(`${addOn} ${placement}`, { configs, isReleased: index < (release?.released ?? 0) });
  return parts;
}

function* placementStates(
  { addOn: { name, clusters }, object, before }: Omit<HubAddOnInGit, 'wasCompiled'>,
  parts: ReadonlyMap<string, PlacementPart>,
  { resolution }: PlacementsInput,
): Generator<PlacementState> {
  const earlier = before === undefined ? undefined : placementContents(before);
  for (const [placement, head] of placementContents(object)) {
    const part = parts.get(`${name} ${placement}`);
    const isReleased = part?.isReleased === true;
    const led = [...clusters.ledBy(placement).keys()];
    const committed = earlier?.get(placement);
    // Without it, its clusters would get the content of the placement that synth made it to differ from.
    const isRegrouped =
      earlier !== undefined &&
      committed === undefined &&
      part === undefined &&
      led.length > 0 &&
      !isWritten(placement, resolution);
    // Nothing has to wait where there is no cluster.
    const unreleased = led.length === 0 || isRegrouped ? head : committed;
    const present = isReleased ? part.configs : unreleased;
    const next = part === undefined ? present : part.configs;
    yield {
      addOn: name,
      placement,
      clusters: led,
      head,
      present,
      next,
      isInRelease: part !== undefined,
      isReleased,
      isRegrouped,
    };
  }
}

/** Whether a person wrote a placement, and not synth: for an override, or for clusters with other values of parameters. */
function isWritten(
  placement: string,
  { inventory }: Pick<PlacementsInput['resolution'], 'inventory'>,
): boolean {
  const admitted = inventory.placements.get(placement);
  return admitted === undefined || !isOverridePlacement(admitted.object);
}

function hashOf(configs: readonly Referent[] | undefined): string {
  return configs === undefined ? absent : placementHash(configs);
}

/**
 * Returns a function that returns the wave of a placement: its place in the order of the promotion, or of the install strategy, which is
 * reversed for a rollout that is promoted.
 * A placement that no person wrote, such as that of an override, is in the wave of those that its clusters would have otherwise.
 */
function waveFinder(
  { name, clusters }: ResolvedAddOn,
  placements: readonly string[],
  { promotion, resolution }: PlacementsInput,
): (placement: string) => number {
  const { placements: first = [] } = promotion.spec;
  const isOfPerson = (placement: string): boolean => isWritten(placement, resolution);
  const admitted = resolution.inventory.clusterManagementAddOns.get(name);
  // The last placement leads a cluster of several, so it is the most special one.
  const isReversed = admitted !== undefined && isPromoted(admitted.object);
  const others = placements.filter(isOfPerson);
  const order = new Set([...first, ...(isReversed ? others.toReversed() : others)]);
  const waves = new Map(Array.from(order, (placement, index) => [placement, index + 1]));
  const waveOf = (placement: string | undefined): number => waves.get(placement ?? '') ?? 1;
  return (placement) => {
    if (isOfPerson(placement)) return waveOf(placement);
    const followed = clusters
      .ledBy(placement)
      .parts()
      .map((part) => waveOf(part.placements.findLast(isOfPerson)));
    return followed.reduce((last, wave) => Math.max(last, wave), 1);
  };
}

/** Reports what reaches the clusters of a placement before its wave. */
function unheld(
  object: KubernetesObject,
  { addOn, placement, present, clusters }: PlacementState & { readonly present: readonly Referent[] },
  { file }: PlacementsInput,
): readonly Diagnostic[] {
  const location = { file, line: 1, column: 1 };
  const where = `${counted(clusters.length, 'cluster')} of placement "${placement}"`;
  const words = ({ resource, namespace, name }: Referent): string =>
    `${resource} "${objectKey(namespace, name)}"`;
  return [
    ...unheldDefaults(object, present).map((config) =>
      diagnostic('FW8045', {
        message: `the default ${words(config)} of add-on "${addOn}" reaches ${where} before its wave`,
        location,
        hint: 'name it in the placements of the install strategy, not as a default: a placement cannot hold back a kind that it did not have',
      }),
    ),
    ...unsupportedConfigs(object, present).map((config) =>
      diagnostic('FW8045', {
        message: `add-on "${addOn}" no longer supports ${words(config)}, which placement "${placement}" names for ${counted(clusters.length, 'cluster')} until its wave`,
        location,
        hint: 'remove the kind from the add-on after the release that no longer names it is completed',
      }),
    ),
  ];
}

/** Reports an add-on whose changes the promotion does not hold back. */
function ungated(
  { name }: ResolvedAddOn,
  object: KubernetesObject,
  wasCompiled: boolean,
  { promotion, file }: PlacementsInput,
): readonly Diagnostic[] {
  const location = { file, line: 1, column: 1 };
  if (wasCompiled)
    return [
      diagnostic('FW8044', {
        message: `add-on "${name}" changes from compiled delivery to that of the hub on all clusters at once: the promotion of app "${promotion.app}" does not hold this back`,
        location,
        hint: 'change the content in another commit, so that it is a release',
      }),
    ];
  if (placementContents(object).size > 0) return [];
  return [
    diagnostic('FW8044', {
      message: `no placement installs add-on "${name}", which the hub delivers, so the promotion of app "${promotion.app}" does not hold its changes back`,
      location,
      hint: "install it by placements, set `delivery: 'compiled'`, or move the add-on to another app",
    }),
  ];
}

/** Reports clusters that get the content of a new placement immediately. */
function regrouped(
  { addOn, placement, clusters }: PlacementState,
  { promotion, file }: PlacementsInput,
): Diagnostic {
  return diagnostic('FW8044', {
    message: `${counted(clusters.length, 'cluster')} of add-on "${addOn}" ${clusters.length === 1 ? 'is' : 'are'} in the new placement "${placement}", which synth makes, so the promotion of app "${promotion.app}" does not hold ${clusters.length === 1 ? 'its' : 'their'} content back`,
    location: { file, line: 1, column: 1 },
    hint: 'an override or a layer of parameters now sets these clusters apart: merge that without other changes of the values',
  });
}

/** Reports placements of `spec.placements` that no install strategy of the app has. */
function unknownPlacements({ promotion, file, resolution }: PlacementsInput): readonly Diagnostic[] {
  const { placements = [] } = promotion.spec;
  const existing = new Set(
    Array.from(resolution.inventory.clusterManagementAddOns.values(), ({ object }) => [
      ...placementContents({ ...object }).keys(),
    ]).flat(),
  );
  return placements
    .filter((placement) => !existing.has(placement))
    .map((placement) =>
      diagnostic('FW8046', {
        message: `spec.placements names "${placement}", which no add-on of app "${promotion.app}" is installed by`,
        location: { file, line: 1, column: 1 },
        hint: didYouMean(placement, [...existing], 'the placements are') ?? 'remove it from spec.placements',
      }),
    );
}
