import type {
  ClusterManagementAddOnV1beta1,
  ManagedClusterAddOnV1beta1,
} from '../../../schemas/types.gen.ts';
import { diagnostic, type Diagnostic } from '../model/diagnostic.ts';
import { formatFieldPath } from '../model/field-path.ts';
import { objectKey, referenceTo, type Admitted } from '../model/inventory.ts';
import { pointAt } from '../model/point-at.ts';
import {
  configRead,
  isDeploymentConfig,
  isTemplate,
  referentKey,
  type ReadPosition,
} from '../../ocm/referent.ts';
import type { ManagerProfile } from '../model/manager-profile.ts';
import type { HubVersion } from '../../ocm/hub-version.ts';
import { groupResource } from '../../base/names/resource-name.ts';
import { closest } from '../model/suggestion.ts';
import { clusterCount, quote } from '../model/words.ts';
import type { Candidate, ConfigReference, EffectiveConfiguration, ResolvedAddOn } from './resolved-add-on.ts';
import { desiredReference } from './desired-reference.ts';
import { defaultPath } from './default-path.ts';
import { missingConfig, type ConfigLookup, type ReferenceFault } from './missing-config.ts';
import { isReadForTemplates, isSecret, isTakenByCompanion, lists } from './supported-kinds.ts';

type AddOn = Admitted<ClusterManagementAddOnV1beta1>;
type ClusterObject = Admitted<ManagedClusterAddOnV1beta1>;

/** Returns the findings about the configurations that an add-on refers to: one per location that has to change. */
export function checkReferences(
  addOn: AddOn,
  resolved: ResolvedAddOn,
  clusterAddOns: ReadonlyMap<string, ClusterObject>,
  uses: Uses,
  lookup: ConfigLookup,
  rendering: ReferenceReader,
): Diagnostic[] {
  return [
    ...wrongCandidates(addOn, resolved, clusterAddOns, uses, lookup, rendering),
    ...clustersWithoutTemplate(addOn, resolved, uses),
  ];
}

/** What determines which of several configurations count. */
export interface ReferenceReader {
  readonly hub: Pick<HubVersion, 'keepsConfigOrder'>;
  /** The manager that renders the add-on, if it is declared. */
  readonly profile?: Pick<ManagerProfile, 'reads'>;
}

/** The clusters that use each configuration. */
export type Uses = ReadonlyMap<EffectiveConfiguration, readonly string[]>;

/**
 * Returns findings for winners that name a missing object, a kind that the add-on does not read, or one of several
 * configurations.
 */
function wrongCandidates(
  addOn: AddOn,
  resolved: ResolvedAddOn,
  clusterAddOns: ReadonlyMap<string, ClusterObject>,
  uses: Uses,
  lookup: ConfigLookup,
  rendering: ReferenceReader,
): Diagnostic[] {
  const wrong = new Map<
    string,
    { candidate: Candidate; clusters: number; faults: ReferenceFault[]; holder: AddOn | ClusterObject }
  >();
  for (const [effective, clusters] of uses) {
    for (const { winners } of effective.kinds) {
      const { inOrder, rival } = asInStatus(
        winners,
        clusterAddOns.get(clusters[0] ?? ''),
        resolved.defaultReferences,
      );
      for (const [index, candidate] of inOrder.entries()) {
        const faults = [
          ...faultsOf(candidate, addOn, resolved, lookup),
          ...faultsOfSeveral({ inOrder, index, rival }, resolved, rendering),
        ];
        if (faults.length === 0) continue;
        const key = `${candidate.level} ${candidate.level === 'cluster' ? clusters.join() : ''} ${formatFieldPath(candidate.path)}`;
        const finding = wrong.get(key);
        // No other cluster shares a cluster's own configurations.
        const clusterAddOn = candidate.level === 'cluster' ? clusterAddOns.get(clusters[0] ?? '') : undefined;
        if (finding) finding.clusters += clusters.length;
        else wrong.set(key, { candidate, clusters: clusters.length, faults, holder: clusterAddOn ?? addOn });
      }
    }
  }
  return [...wrong.values()].flatMap(({ candidate, clusters, faults, holder }) =>
    faults.map((fault) =>
      diagnostic(fault.code, {
        message: clusters === 0 ? fault.message : `${fault.message} (used by ${clusterCount(clusters)})`,
        object: referenceTo(holder.object),
        path: formatFieldPath(candidate.path),
        location: candidate.origin.locate(candidate.path),
        hint: fault.hint,
      }),
    ),
  );
}

/**
 * Returns the winners of a kind in the order in which the hub has, or will have, them in the status. As OCM's mergeAddonConfig: what is in the
 * status remains first. A ManagedClusterAddOn without a status may have had the default before the hub read its own configurations, so the
 * default can be first: then it is returned as `rival` too.
 */
function asInStatus(
  winners: readonly Candidate[],
  clusterAddOn: ClusterObject | undefined,
  defaults: readonly ConfigReference[],
): { readonly inOrder: readonly Candidate[]; readonly rival?: Candidate } {
  if (winners.length < 2 || winners[0]?.level !== 'cluster') return { inOrder: winners };
  const status = (clusterAddOn?.object.status?.configReferences ?? []).flatMap(
    (entry) => desiredReference(entry) ?? [],
  );
  const held = new Map(status.map((reference, position) => [referentKey(reference), position]));
  const positionOf = ({ reference }: Candidate): number => held.get(referentKey(reference)) ?? Infinity;
  const inOrder = [...winners].sort((a, b) =>
    positionOf(a) < positionOf(b) ? -1 : positionOf(a) > positionOf(b) ? 1 : 0,
  );
  if (held.size > 0) return { inOrder };
  const isDefault = new Set(defaults.map(referentKey));
  const rival = inOrder.slice(1).find(({ reference }) => isDefault.has(referentKey(reference)));
  return { inOrder, ...(rival && { rival }) };
}

function faultsOf(
  { reference }: Candidate,
  addOn: AddOn,
  { template, delivery }: Pick<ResolvedAddOn, 'template' | 'delivery'>,
  { objects, elsewhere }: ConfigLookup,
): ReferenceFault[] {
  const faults: ReferenceFault[] = [];
  const hashedByHub = isReadForTemplates(reference);
  const isTaken =
    delivery === 'compiled'
      ? isTakenByCompanion(reference, addOn.object)
      : template
        ? hashedByHub
        : lists(addOn.object, reference);
  if (!isTaken) {
    faults.push({
      code: 'FW4002',
      message: `${configWords(reference)} is of a kind that the add-on does not support, so it has no effect`,
      hint: unsupportedHint(reference, addOn, template && delivery === 'hub'),
    });
  } else if (objects.find(reference) === undefined && !(delivery === 'compiled' && isSecret(reference))) {
    faults.push(...missingConfig(reference, { objects, elsewhere }));
  }
  return faults;
}

/** Returns what is wrong with one of several configurations of a kind: only one of them is read. */
function faultsOfSeveral(
  {
    inOrder,
    index,
    rival,
  }: {
    readonly inOrder: readonly Candidate[];
    readonly index: number;
    readonly rival: Candidate | undefined;
  },
  { template, reads }: Pick<ResolvedAddOn, 'template' | 'reads'>,
  { hub: { keepsConfigOrder }, profile }: ReferenceReader,
): ReferenceFault[] {
  const candidate = inOrder[index];
  if (candidate === undefined || inOrder.length < 2) return [];
  const { reference, level } = candidate;
  const faults: ReferenceFault[] = [];
  if (level === 'placement' && index === 1 && !keepsConfigOrder) {
    faults.push({
      code: 'FW4004',
      message: `the placement names several ${reference.resource}, which hubs up to OCM 1.3 apply in random order: ${configWords(reference)}`,
      hint: 'use one configuration per kind in each placement',
    });
  }
  const isOrdered = level === 'cluster' || (level === 'placement' && keepsConfigOrder);
  const isRead = candidate === configRead(inOrder, reads);
  const isRival = candidate.reference === rival?.reference;
  if (isOrdered && (!isRead || isRival) && template && isReadForTemplates(reference)) {
    faults.push({
      code: level === 'cluster' ? 'FW4009' : 'FW4004',
      message: `${configWords(reference)} ${isRival ? rivalEffect(reads, reference) : `has no effect: template add-ons read only the ${reads} of ${reference.resource}`}`,
      hint: `use one configuration per kind, with all settings that the ${level} needs`,
    });
  }
  if (profile !== undefined && profile.reads === undefined && index === 1 && isDeploymentConfig(reference)) {
    faults.push({
      code: 'FW4020',
      message: `${configWords(reference)} is not the only ${reference.resource}, and the release of the manager's addon-framework decides which one it reads: the first up to 1.3, the last since 1.4. Predicted is the first`,
      hint: "name the release in the ManagerProfile, such as framework: '1.4', or use one configuration",
    });
  }
  return faults;
}

/** Returns what becomes of a default that is also in the list of a cluster, whose place depends on what the hub read first. */
function rivalEffect(reads: ReadPosition, { resource }: Candidate['reference']): string {
  const reason = 'the default comes first if the hub configured the add-on before it read this list';
  return reads === 'first'
    ? `can replace the first of ${resource}, or have no effect: template add-ons read only one, and ${reason}`
    : `has an effect only if it is the last of ${resource}: template add-ons read only that one, and ${reason}`;
}

function configWords({ group, resource, namespace, name }: Candidate['reference']): string {
  return `${groupResource(group, resource)} ${quote(objectKey(namespace, name))}`;
}

/** Returns the hint for a kind that the add-on does not read. */
function unsupportedHint(
  { group, resource }: Candidate['reference'],
  addOn: AddOn,
  template: boolean,
): string {
  const supported = template
    ? ['addontemplates', 'addondeploymentconfigs']
    : (addOn.object.spec.defaultConfigs ?? []).map((config) => config.resource);
  const meant = closest(resource, supported);
  if (meant !== undefined && meant !== resource)
    return `did you mean ${quote(meant)}? The resource is the plural of the kind`;
  return template
    ? 'template add-ons read only addontemplates and addondeploymentconfigs'
    : `list ${groupResource(group, resource)} in the ClusterManagementAddOn's supportedConfigs`;
}

function clustersWithoutTemplate(
  addOn: AddOn,
  { template, managed, stalled }: ResolvedAddOn,
  uses: Uses,
): Diagnostic[] {
  if (!template || !managed || stalled !== undefined) return [];
  const bare = [...uses].flatMap(([effective, clusters]) =>
    effective.references.some(isTemplate) ? [] : clusters,
  );
  const [first] = bare.sort();
  if (first === undefined) return [];
  const where = bare.length === 1 ? quote(first) : `${bare.length} clusters, including ${quote(first)}`;
  return [
    diagnostic('FW4006', {
      message: `the add-on has no AddOnTemplate on ${where}: neither by default nor from a placement or the cluster`,
      ...pointAt(addOn, defaultPath(addOn)),
      hint: 'add a default configuration for addontemplates',
    }),
  ];
}
