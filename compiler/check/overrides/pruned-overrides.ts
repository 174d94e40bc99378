import type { ManagedClusterAddOnV1beta1 } from '../../../schemas/types.gen.ts';
import type { ResolvedAddOn } from '../../configure/configuration.ts';
import type { Diagnostic } from '../../diagnostic.ts';
import { isInstalledByPlacements } from '../../api/install-strategy.ts';
import { objectKey, type Admitted } from '../../inventory.ts';
import { overrideMode } from '../../override/override-mode.ts';
import { pointAt } from '../../point-at.ts';
import { clusterCount } from '../../words.ts';
import type { CheckInput } from '../rule.ts';

/** What applies the objects, and so decides what becomes of one that Git no longer has. */
type Engine = 'argocd' | 'flux' | 'none';

type ClusterObject = Admitted<ManagedClusterAddOnV1beta1>;

/**
 * ManagedClusterAddOns that do not go as they came when Git no longer has them, all in one finding. OCM makes the
 * ClusterManagementAddOn their owner. Argo CD prunes nothing that has an owner. Flux deletes it: then the hub takes the
 * add-on from the cluster, and installs it again since a placement selects the cluster.
 */
export function prunedOverrides(input: CheckInput, engine: Engine): Diagnostic[] {
  const found = [...input.inventory.managedClusterAddOns.values()].filter(
    (own) => own.source === 'app' && isMispruned(own, engine, input),
  );
  const [first] = found;
  if (first === undefined) return [];
  const one = found.length === 1;
  const names = [...new Set(found.map(({ object }) => object.metadata.name ?? ''))].sort();
  const shown = names.slice(0, 3).map((name) => `"${name}"`);
  const what = `${one ? 'the ManagedClusterAddOn' : `${found.length} ManagedClusterAddOns`} of ${shown.join(', ')}${names.length > shown.length ? ', …' : ''}`;
  return [
    {
      code: 'FW8009',
      severity: 'info',
      message:
        engine === 'argocd'
          ? `${what} ${one ? 'stays as it is' : 'stay as they are'} on the hub when Git no longer has ${one ? 'it' : 'them'}: the add-on owns ${one ? 'it' : 'them'}, and Argo CD prunes nothing that has an owner`
          : `Flux deletes ${what} when Git no longer has ${one ? 'it' : 'them'}, which uninstalls the add-on before the hub installs it again`,
      ...pointAt(first, ['metadata']),
      hint: 'with override: placement or override: inventory on the ClusterManagementAddOn an override goes as it came',
    },
  ];
}

/**
 * Overrides that a change takes out of Git, and that do not go with it. Unlike the rules this looks at two states, before
 * the change and after it.
 */
export function removedOverrides(before: CheckInput, after: CheckInput, engine: Engine): Diagnostic[] {
  const kept = new Set(
    [...after.inventory.managedClusterAddOns].flatMap(([key, { source }]) => (source === 'app' ? [key] : [])),
  );
  const diagnostics: Diagnostic[] = [];
  for (const [name, clusters] of removedFrom(before, kept, engine)) {
    const addOn = after.inventory.clusterManagementAddOns.get(name);
    const resolved = after.configuration.get(name);
    const reached = clusters.filter((cluster) => resolved !== undefined && isThere(cluster, resolved, after));
    const [first] = reached;
    if (addOn === undefined || first === undefined) continue;
    const where =
      reached.length === 1 ? `"${first}"` : `${clusterCount(reached.length)}, "${first}" among them`;
    const it = reached.length === 1 ? 'it' : 'each';
    diagnostics.push({
      code: 'FW8010',
      severity: 'warning',
      message:
        engine === 'argocd'
          ? `Argo CD leaves the ManagedClusterAddOn of "${name}" on ${where}: the add-on owns ${it}, so what Git no longer says stays in force`
          : `Flux deletes the ManagedClusterAddOn of "${name}" on ${where}, which uninstalls the add-on there before the hub installs it again`,
      ...pointAt(addOn, ['spec', 'installStrategy']),
      hint:
        engine === 'argocd'
          ? isInstalledByPlacements(addOn.object)
            ? `kubectl -n ${first} patch managedclusteraddon ${name} --type=merge -p '{"spec":{"configs":null}}'`
            : `kubectl -n ${first} delete managedclusteraddon ${name}`
          : `annotate ${reached.length === 1 ? 'it' : 'them'} on the hub first: kubectl -n ${first} annotate managedclusteraddon ${name} kustomize.toolkit.fluxcd.io/prune=disabled`,
    });
  }
  return diagnostics;
}

/** The clusters of removed ManagedClusterAddOns by add-on. */
function removedFrom(
  before: CheckInput,
  kept: ReadonlySet<string>,
  engine: Engine,
): ReadonlyMap<string, readonly string[]> {
  const removed = new Map<string, string[]>();
  for (const [key, own] of before.inventory.managedClusterAddOns) {
    if (own.source !== 'app' || kept.has(key) || !isMispruned(own, engine, before)) continue;
    const { name = '', namespace = '' } = own.object.metadata;
    const clusters = removed.get(name);
    if (clusters === undefined) removed.set(name, [namespace]);
    else clusters.push(namespace);
  }
  return removed;
}

/** Whether the hub still has the add-on on the cluster. What is installed by hand stays until somebody deletes it. */
function isThere(
  cluster: string,
  { name, clusters }: ResolvedAddOn,
  { inventory, decisions }: CheckInput,
): boolean {
  const addOn = inventory.clusterManagementAddOns.get(name);
  if (addOn === undefined || !decisions.clusters.has(cluster)) return false;
  return !isInstalledByPlacements(addOn.object) || clusters.has(cluster);
}

function isMispruned(
  { object }: ClusterObject,
  engine: Engine,
  { inventory, configuration }: CheckInput,
): boolean {
  const { name = '' } = object.metadata;
  const addOn = inventory.clusterManagementAddOns.get(objectKey(undefined, name));
  const { managed, delivery } = configuration.get(name) ?? {};
  // With compiled delivery the companion takes away what Git no longer has.
  if (addOn === undefined || managed !== true || delivery === 'compiled') return false;
  if (engine === 'none' || overrideMode(object) === 'inventory') return false;
  // What is installed by hand goes with its ManagedClusterAddOn, as it should.
  return engine === 'argocd' || isInstalledByPlacements(addOn.object);
}
