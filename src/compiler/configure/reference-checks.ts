import type {
  ClusterManagementAddOnV1beta1,
  ManagedClusterAddOnV1beta1,
} from '../../../schemas/types.gen.ts';
import { diagnostic, type Diagnostic } from '../model/diagnostic.ts';
import { formatFieldPath } from '../model/field-path.ts';
import { objectKey, referenceTo, type Admitted } from '../model/inventory.ts';
import { pointAt } from '../model/point-at.ts';
import { isTemplate, referentKey } from '../../ocm/referent.ts';
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
  hub: Pick<HubVersion, 'keepsConfigOrder'>,
): Diagnostic[] {
  return [
    ...wrongCandidates(addOn, resolved, clusterAddOns, uses, lookup, hub),
    ...clustersWithoutTemplate(addOn, resolved, uses),
  ];
}

/** The clusters that use each configuration. */
export type Uses = ReadonlyMap<EffectiveConfiguration, readonly string[]>;

/**
 * Returns findings for winners that name a missing object, a kind that the add-on does not read, or one of several
 * configurations.
 */
function wrongCandidates(
  addOn: AddOn,
  { template, delivery, defaultReferences }: ResolvedAddOn,
  clusterAddOns: ReadonlyMap<string, ClusterObject>,
  uses: Uses,
  lookup: ConfigLookup,
  { keepsConfigOrder }: Pick<HubVersion, 'keepsConfigOrder'>,
): Diagnostic[] {
  const wrong = new Map<
    string,
    { candidate: Candidate; clusters: number; faults: ReferenceFault[]; holder: AddOn | ClusterObject }
  >();
  for (const [effective, clusters] of uses) {
    for (const { winners } of effective.kinds) {
      const { inOrder, rival } = asInStatus(winners, clusterAddOns.get(clusters[0] ?? ''), defaultReferences);
      for (const [index, candidate] of inOrder.entries()) {
        const faults = faultsOf(
          candidate,
          index,
          addOn,
          { template, delivery, keepsConfigOrder, rival },
          lookup,
        );
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
  { reference, level }: Candidate,
  index: number,
  addOn: AddOn,
  {
    template,
    delivery,
    keepsConfigOrder,
    rival,
  }: Pick<ResolvedAddOn, 'template' | 'delivery'> &
    Pick<HubVersion, 'keepsConfigOrder'> & { readonly rival: Candidate | undefined },
  { objects, elsewhere }: ConfigLookup,
): ReferenceFault[] {
  const faults: ReferenceFault[] = [];
  const { group, resource, namespace, name } = reference;
  const what = (): string => `${groupResource(group, resource)} ${quote(objectKey(namespace, name))}`;
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
      message: `${what()} is of a kind that the add-on does not support, so it has no effect`,
      hint: unsupportedHint(reference, addOn, template && delivery === 'hub'),
    });
  } else if (objects.find(reference) === undefined && !(delivery === 'compiled' && isSecret(reference))) {
    faults.push(...missingConfig(reference, { objects, elsewhere }));
  }
  if (level === 'placement' && index === 1 && !keepsConfigOrder) {
    faults.push({
      code: 'FW4004',
      message: `the placement names several ${resource}, which hubs up to OCM 1.3 apply in random order: ${what()}`,
      hint: 'use one configuration per kind in each placement',
    });
  }
  const isOrdered = level === 'cluster' || (level === 'placement' && keepsConfigOrder);
  if (isOrdered && index > 0 && template && hashedByHub) {
    faults.push({
      code: level === 'cluster' ? 'FW4009' : 'FW4004',
      message:
        rival?.reference === reference
          ? `${what()} can replace the first of ${resource}, or have no effect: template add-ons read only one, and the default comes first if the hub configured the add-on before it read this list`
          : `${what()} has no effect: template add-ons read only the first of ${resource}`,
      hint: `use one configuration per kind, with all settings that the ${level} needs`,
    });
  }
  return faults;
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
