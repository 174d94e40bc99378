import { addToGroup } from '../../../base/collections/groups.ts';
import type { ManagedClusterAddOnV1beta1 } from '../../../../schemas/types.gen.ts';
import type { ResolvedAddOn } from '../../configure/resolved-add-on.ts';
import { diagnostic, type Diagnostic } from '../../model/diagnostic.ts';
import { isInstalledByPlacements } from '../../../ocm/install-strategy.ts';
import { objectKey, type Admitted } from '../../model/inventory.ts';
import { overrideMode } from '../../cluster-overrides/override-mode.ts';
import { pointAt } from '../../model/point-at.ts';
import { clusterCount } from '../../model/words.ts';
import type { CheckInput } from '../rule.ts';

/** The tool that applies the objects. It decides whether an object that is removed from Git is deleted. */
export type GitOpsEngine = 'argocd' | 'flux' | 'none';

type ClusterObject = Admitted<ManagedClusterAddOnV1beta1>;

/**
 * Reports, in one finding, the ManagedClusterAddOns that stay on the hub unchanged after they are removed from Git. OCM makes the
 * ClusterManagementAddOn their owner, and Argo CD does not prune objects that have an owner. synth first removes the
 * configurations of an override, which requires its earlier output. `hasEarlierOutput` is false if synth only prints objects.
 */
export function prunedOverrides(
  input: CheckInput,
  engine: GitOpsEngine,
  hasEarlierOutput: boolean,
): Diagnostic[] {
  const overrides = [...input.inventory.managedClusterAddOns.values()].filter(
    (override) => override.source === 'app' && staysOnHub(override, engine, input, hasEarlierOutput),
  );
  const [first] = overrides;
  if (first === undefined) return [];
  const one = overrides.length === 1;
  const names = [...new Set(overrides.map(({ object }) => object.metadata.name ?? ''))].sort();
  const shown = names.slice(0, 3).map((name) => `"${name}"`);
  const what = `${one ? 'the ManagedClusterAddOn' : `${overrides.length} ManagedClusterAddOns`} of ${shown.join(', ')}${names.length > shown.length ? ', …' : ''}`;
  return [
    diagnostic('FW8009', {
      message: `${what} ${one ? 'remains' : 'remain'} on the hub when Git no longer has ${one ? 'it' : 'them'}: the add-on owns ${one ? 'it' : 'them'}, and Argo CD does not prune objects that have an owner`,
      ...pointAt(first, ['metadata']),
      hint: 'set override: placement or override: inventory on the ClusterManagementAddOn, so that an override can be removed',
    }),
  ];
}

/**
 * Reports ManagedClusterAddOns that a change removes from Git and that stay on the hub. Unlike the rules, this function compares
 * two states: before and after the change.
 */
export function removedOverrides(before: CheckInput, after: CheckInput, engine: GitOpsEngine): Diagnostic[] {
  // Most changes leave all of them alone.
  if (before.inventory.managedClusterAddOns === after.inventory.managedClusterAddOns) return [];
  const remaining = new Set(
    [...after.inventory.managedClusterAddOns].flatMap(([key, { source }]) => (source === 'app' ? [key] : [])),
  );
  const diagnostics: Diagnostic[] = [];
  for (const [name, clusters] of removedFrom(before, remaining, engine)) {
    const addOn = after.inventory.clusterManagementAddOns.get(name);
    const resolved = after.configuration.get(name);
    const reached = clusters.filter((cluster) => resolved !== undefined && isThere(cluster, resolved, after));
    const [first] = reached;
    if (addOn === undefined || first === undefined) continue;
    const where =
      reached.length === 1 ? `"${first}"` : `${clusterCount(reached.length)}, including "${first}"`;
    const it = reached.length === 1 ? 'it' : 'each';
    diagnostics.push(
      diagnostic('FW8010', {
        message: `Argo CD leaves the ManagedClusterAddOn of "${name}" on ${where}: the add-on owns ${it}, so the add-on stays installed`,
        ...pointAt(addOn, ['spec', 'installStrategy']),
        hint: `\`kubectl -n ${first} delete managedclusteraddon ${name}\``,
      }),
    );
  }
  return diagnostics;
}

/** Returns the clusters of removed ManagedClusterAddOns, per add-on. */
function removedFrom(
  before: CheckInput,
  remaining: ReadonlySet<string>,
  engine: GitOpsEngine,
): ReadonlyMap<string, readonly string[]> {
  const removed = new Map<string, string[]>();
  for (const [key, clusterAddOn] of before.inventory.managedClusterAddOns) {
    if (
      clusterAddOn.source !== 'app' ||
      remaining.has(key) ||
      !staysOnHub(clusterAddOn, engine, before, true)
    )
      continue;
    const { name = '', namespace = '' } = clusterAddOn.object.metadata;
    addToGroup(removed, name, namespace);
  }
  return removed;
}

/** Whether the hub still has the add-on on the cluster. An add-on that was installed manually stays until a user deletes it. */
function isThere(
  cluster: string,
  { name, clusters }: ResolvedAddOn,
  { inventory, decisions }: CheckInput,
): boolean {
  const addOn = inventory.clusterManagementAddOns.get(name);
  if (addOn === undefined || !decisions.clusters.has(cluster)) return false;
  return !isInstalledByPlacements(addOn.object) || clusters.has(cluster);
}

/** Whether a ManagedClusterAddOn stays on the hub after it is removed from Git. */
export function staysOnHub(
  { object }: ClusterObject,
  engine: GitOpsEngine,
  { inventory, configuration }: CheckInput,
  hasEarlierOutput: boolean,
): boolean {
  const { name = '' } = object.metadata;
  const addOn = inventory.clusterManagementAddOns.get(objectKey(undefined, name));
  const { managed, delivery } = configuration.get(name) ?? {};
  // With compiled delivery, and for listed objects, the companion deletes the objects that are removed from Git.
  if (addOn === undefined || managed !== true || delivery === 'compiled') return false;
  if (engine !== 'argocd' || overrideMode(object) === 'inventory') return false;
  return !hasEarlierOutput || !isInstalledByPlacements(addOn.object);
}
