import { conditionOf } from '../../kubernetes/condition.ts';
import { objectWords, renderedSample } from '../check/templates/rendered-sample.ts';
import { AddOnClusters } from '../configure/add-on-clusters.ts';
import { jointClasses } from '../configure/joint-classes.ts';
import { diagnostic, type Diagnostic } from '../diagnostic.ts';
import { objectKey, type Inventory } from '../inventory.ts';
import { pointAt } from '../point-at.ts';
import type { RenderedObject } from '../render/manifests.ts';
import type { RenderGroup } from '../render/render-result.ts';
import type { Resolution } from '../resolve.ts';
import { clusterCount, counted } from '../words.ts';
import type { Pair } from './resolution-pair.ts';
import { isInstalled, listedPlacements } from './strategy-causes.ts';

/**
 * Returns findings for add-ons that a change uninstalls and that have pre-delete hooks. As addon-framework defaultHookSyncer: a
 * finalizer keeps the ManagedClusterAddOn until all hooks are complete, and the manager renders the hooks again for that. Without
 * the cluster, the template or the configuration it cannot, and retries indefinitely.
 */
export function hookWaits(pair: Pair): Diagnostic[] {
  const { base, head } = pair;
  return [...base.rendered].flatMap(([addOn, groups]): Diagnostic[] => {
    const { delivery, runsHooks = false } = base.resolution.configuration.get(addOn) ?? {};
    const isCompiled = delivery === 'compiled';
    // Nothing runs these hooks: see FW7128.
    if (isCompiled && !runsHooks) return [];
    const lost = lostClusters(addOn, pair);
    if (lost.size === 0) return [];
    // Where the add-on is hosted, nothing runs hooks.
    const classOf = isCompiled ? base.resolution.rendering.classesOf(addOn) : undefined;
    const isHosted = (cluster: string): boolean => classOf?.(cluster).hosting !== undefined;
    return groups.flatMap((group): Diagnostic[] => {
      const hooks = renderedSample(group).filter(({ isHook }) => isHook);
      const clusters = group.clusters.filter((cluster) => lost.has(cluster) && !isHosted(cluster));
      const [first] = hooks;
      return first === undefined || clusters.length === 0
        ? []
        : [waiting(group, { hooks: [first, ...hooks.slice(1)], clusters, isCompiled }, head.resolution)];
    });
  });
}

/** Returns the clusters of both fleets from which the hub uninstalls an add-on. */
function lostClusters(addOn: string, { base, head }: Pair): ReadonlySet<string> {
  const before = base.resolution.configuration.get(addOn);
  const after = head.resolution.configuration.get(addOn);
  // As OCM's addonmanagement: with type Manual the hub deletes nothing.
  const isKept =
    after !== undefined &&
    listedPlacements(addOn, base.resolution).size > 0 &&
    !isInstalled(addOn, head.resolution);
  if (before === undefined || isKept) return new Set();
  const lost = jointClasses(before.clusters, after?.clusters ?? nowhere).flatMap(
    ({ after: later, clusters }) => (later === undefined ? clusters : []),
  );
  return new Set(lost.filter((cluster) => head.resolution.decisions.clusters.has(cluster)));
}

const nowhere = new AddOnClusters({ individual: new Map() });

/** Hooks that run on clusters before an add-on is uninstalled. */
interface HookRuns {
  readonly hooks: readonly [RenderedObject, ...RenderedObject[]];
  readonly clusters: readonly string[];
  /** Whether the companion runs them. Their content is then in the ManagedClusterAddOns, and depends on nothing in Git. */
  readonly isCompiled: boolean;
}

function waiting(
  group: RenderGroup,
  { hooks, clusters, isCompiled }: HookRuns,
  { decisions, inventory }: Resolution,
): Diagnostic {
  const [{ object, manifest }] = hooks;
  const hook =
    hooks.length === 1 ? `pre-delete hook ${objectWords(object)}` : counted(hooks.length, 'pre-delete hook');
  const unavailable = clusters.filter((cluster) => !isAvailable(decisions, cluster));
  const [silent] = unavailable;
  const stuck =
    silent === undefined
      ? ''
      : `, and hangs on ${clusterCount(unavailable.length)} that ${unavailable.length === 1 ? 'is' : 'are'} not available, such as "${silent}"`;
  const removed = isCompiled ? [] : removedInputs(group, inventory);
  const inputs = removed.join(' and the ');
  const [theyAre, them] = removed.length === 1 ? ['it is', 'it'] : ['they are', 'them'];
  const hangs =
    removed.length === 0
      ? ''
      : `. The change also removes the ${inputs}: if ${theyAre} deleted before the hooks are complete, the hub cannot render the hooks, and never deletes the ManagedClusterAddOns`;
  const path = ['spec', 'agentSpec', 'workload', 'manifests', ...(manifest === undefined ? [] : [manifest])];
  return diagnostic('FW6046', {
    message: `uninstalling add-on "${group.addOn}" from ${clusterCount(clusters.length)} waits for ${hook}${stuck}${hangs}`,
    ...pointAt(group.template, path),
    hint:
      removed.length === 0
        ? 'watch `fleetwright status`, which names the hooks that are still running'
        : `keep the ${inputs} in Git until the ManagedClusterAddOns are gone, and remove ${them} with a later change`,
  });
}

/** Returns the kinds of the objects from which the hooks are rendered and that the later state does not have. */
function removedInputs({ template, config }: RenderGroup, inventory: Inventory): readonly string[] {
  const removed: string[] = [];
  if (!inventory.addOnTemplates.has(template.object.metadata.name ?? '')) removed.push('AddOnTemplate');
  const { namespace, name = '' } = config?.object.metadata ?? {};
  if (config !== undefined && !inventory.addOnDeploymentConfigs.has(objectKey(namespace, name)))
    removed.push('AddOnDeploymentConfig');
  return removed;
}

/** Whether the hub reaches a cluster. Without the condition that is unknown, and the cluster counts as available. */
function isAvailable({ clusters }: Resolution['decisions'], cluster: string): boolean {
  const { conditions } = clusters.get(cluster)?.status ?? {};
  const condition = conditionOf(conditions, 'ManagedClusterConditionAvailable');
  return condition === undefined || condition.status === 'True';
}
