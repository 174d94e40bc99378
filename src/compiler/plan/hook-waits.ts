import { groupBy } from '../../base/collections/groups.ts';
import { conditionOf } from '../../base/objects/condition.ts';
import { objectWords, renderedSample } from '../check/templates/rendered-sample.ts';
import { AddOnClusters } from '../configure/add-on-clusters.ts';
import { jointClasses } from '../configure/joint-classes.ts';
import { diagnostic, type Diagnostic } from '../model/diagnostic.ts';
import { objectKey, type Inventory } from '../model/inventory.ts';
import { pointAt } from '../model/point-at.ts';
import type { HostingCluster } from '../render/hosting-cluster.ts';
import { locateObjects } from '../render/works/manifest-location.ts';
import type { RenderedObject } from '../render/manifests.ts';
import type { RenderGroup } from '../render/render-result.ts';
import type { Resolution } from '../resolve.ts';
import { clusterCount, counted } from '../model/words.ts';
import type { Pair } from '../compare/resolution-pair.ts';
import { isInstalled, listedPlacements } from '../compare/causes/strategy-causes.ts';

/**
 * Returns findings for add-ons that a change uninstalls and that have pre-delete hooks. As addon-framework defaultHookSyncer and
 * hostedHookSyncer: a finalizer keeps the ManagedClusterAddOn until all hooks are complete, and the manager renders the hooks again for
 * that. Without the cluster, the template or the configuration it cannot, and retries indefinitely. Hooks on a hosting cluster that is
 * gone are not run.
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
    const classOf = isCompiled ? base.resolution.rendering.classesOf(addOn) : undefined;
    return groups.flatMap((group): Diagnostic[] => {
      const objects = renderedSample(group);
      const clusters = group.clusters.filter((cluster) => lost.has(cluster));
      const hostingOf = (cluster = ''): HostingCluster | undefined => classOf?.(cluster).hosting;
      const byHost = groupBy(clusters, (cluster) => hostingOf(cluster)?.name);
      const runs = [...byHost.values()].flatMap((hosted) => hookRuns(objects, hosted, hostingOf(hosted[0])));
      const [first, ...more] = runs;
      return first === undefined
        ? []
        : [waiting(group, { runs: [first, ...more], isCompiled }, head.resolution)];
    });
  });
}

/** Returns the hooks on clusters, and on the cluster that hosts the add-on for them. */
function hookRuns(
  objects: readonly RenderedObject[],
  clusters: readonly string[],
  hosting: HostingCluster | undefined,
): readonly HookRun[] {
  const located = hosting === undefined ? { managed: objects, hosting: [] } : locateObjects(objects, true);
  if ('error' in located) return [];
  // Only a work for the hosting cluster can contain hooks for it: see FW7128.
  const isRun = hosting?.state === 'ready' && located.hosting.some(({ isHook }) => !isHook);
  return [
    { hooks: located.managed, runners: clusters, clusters },
    ...(isRun ? [{ hooks: located.hosting, runners: [hosting.name], clusters, host: hosting.name }] : []),
  ].flatMap((run) => {
    const [first, ...more] = run.hooks.filter(({ isHook }) => isHook);
    return first === undefined ? [] : [{ ...run, hooks: [first, ...more] as const }];
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

/** Hooks that run before an add-on is uninstalled from clusters. */
interface HookRun {
  readonly hooks: readonly [RenderedObject, ...RenderedObject[]];
  /** The clusters from which it is uninstalled. */
  readonly clusters: readonly string[];
  /** The clusters on which they run: the same ones, or the one that hosts the add-on. */
  readonly runners: readonly string[];
  readonly host?: string;
}

interface HookRuns {
  readonly runs: readonly [HookRun, ...HookRun[]];
  /** Whether the companion runs them. Their content is then on the hub, and depends on nothing in Git. */
  readonly isCompiled: boolean;
}

function waiting(
  group: RenderGroup,
  { runs, isCompiled }: HookRuns,
  { decisions, inventory }: Resolution,
): Diagnostic {
  const [
    {
      hooks: [{ object, manifest }],
    },
  ] = runs;
  const isLeft = ({ host }: HookRun): boolean => host !== undefined && isGone(decisions, host);
  const awaited = runs.filter((run) => !isLeft(run));
  const hooks = new Set((awaited.length === 0 ? runs : awaited).flatMap((run) => run.hooks));
  const hook =
    hooks.size === 1 ? `pre-delete hook ${objectWords(object)}` : counted(hooks.size, 'pre-delete hook');
  const clusters = new Set(runs.flatMap((run) => run.clusters));
  const uninstalling = `uninstalling add-on "${group.addOn}" from ${clusterCount(clusters.size)}`;
  const removed = isCompiled ? [] : removedInputs(group, inventory);
  const inputs = removed.join(' and the ');
  const [theyAre, them] = removed.length === 1 ? ['it is', 'it'] : ['they are', 'them'];
  const hangs =
    removed.length === 0
      ? ''
      : `. The change also removes the ${inputs}: if ${theyAre} deleted before the hooks are complete, the hub cannot render the hooks, and never deletes the ManagedClusterAddOns`;
  const gone = new Set(runs.filter(isLeft).map(({ host = '' }) => host));
  const [firstGone] = gone;
  const unrun =
    firstGone === undefined
      ? ''
      : `. Hooks on ${gone.size === 1 ? 'hosting cluster' : `${gone.size} hosting clusters, such as`} "${firstGone}" are not run: the fleet no longer has ${gone.size === 1 ? 'it' : 'them'}, or ${gone.size === 1 ? 'it is' : 'they are'} being deleted`;
  const path = ['spec', 'agentSpec', 'workload', 'manifests', ...(manifest === undefined ? [] : [manifest])];
  return diagnostic('FW6046', {
    message: `${uninstalling} ${awaited.length === 0 ? 'does not run' : 'waits for'} ${hook}${stuckWords(awaited, decisions)}${hangs}${unrun}`,
    ...pointAt(group.template, path),
    hint:
      awaited.length === 0
        ? 'uninstall the add-on before its hosting cluster leaves, or clean up by hand what the hooks would'
        : removed.length === 0
          ? 'watch `fleetwright status`, which names the hooks that are still running'
          : `keep the ${inputs} in Git until the ManagedClusterAddOns are gone, and remove ${them} with a later change`,
  });
}

/** Returns where hooks hang, as the end of a clause. */
function stuckWords(runs: readonly HookRun[], decisions: Resolution['decisions']): string {
  const silent = (of: readonly HookRun[]): readonly string[] => [
    ...new Set(of.flatMap(({ runners }) => runners.filter((runner) => !isAvailable(decisions, runner)))),
  ];
  const words = (clusters: readonly string[], what: string): readonly string[] =>
    clusters.length === 0
      ? []
      : [
          `${counted(clusters.length, what)} that ${clusters.length === 1 ? 'is' : 'are'} not available, such as "${clusters[0]}"`,
        ];
  const places = [
    ...words(silent(runs.filter(({ host }) => host === undefined)), 'cluster'),
    ...words(silent(runs.filter(({ host }) => host !== undefined)), 'hosting cluster'),
  ];
  return places.length === 0 ? '' : `, and hangs on ${places.join(' and ')}`;
}

/** Whether a hosting cluster runs no hooks any more: as addon-framework hostedHookSyncer. */
function isGone({ clusters }: Resolution['decisions'], cluster: string): boolean {
  const hosting = clusters.get(cluster);
  return hosting === undefined || hosting.metadata.deletionTimestamp !== undefined;
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
