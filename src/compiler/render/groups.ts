import { referenceRead } from '../configure/effective.ts';
import { addToGroup } from '../../base/collections/groups.ts';
import { getOrInsertComputed } from '../../base/collections/get-or-insert.ts';
import { Remembered } from '../../base/collections/remembered.ts';
import { byFirstCluster, type AddOnClusters, type ClusterClass } from '../configure/add-on-clusters.ts';
import type { Configuration, EffectiveConfiguration, ResolvedAddOn } from '../configure/resolved-add-on.ts';
import type { HubVersion } from '../../ocm/hub-version.ts';
import type { Inventory } from '../model/inventory.ts';
import type { Decisions } from '../place/decision.ts';
import { isDeploymentConfig } from '../../ocm/referent.ts';
import { imageRegistriesAnnotation } from './decoration/image-registries.ts';
import { readInputs } from './inputs.ts';
import { manifestRenderer } from './manifests.ts';
import type { RenderGroup } from './render-result.ts';
import { addOnFacts } from './sources/source-values.ts';

/** The part of decisions that rendering reads: which placements select a cluster is in the configuration. */
type ClustersOfHub = Pick<Decisions, 'clusters'>;

/** The clusters that no configuration and no annotation distinguishes. */
type Alike = Pick<ClusterClass, 'effective' | 'clusters'>;

const rememberedGroups = new Remembered<GroupsOfAddOn>();

/**
 * Returns everything that is rendered from templates, by add-on and by the key of its inputs. Clusters without a template or
 * configuration are in no group.
 */
export function renderGroups(
  inventory: Inventory,
  { clusters }: ClustersOfHub,
  configuration: Configuration,
  hub: HubVersion,
): ReadonlyMap<string, GroupsOfAddOn> {
  const groups = new Map<string, GroupsOfAddOn>();
  const decisions = { clusters };
  for (const resolved of configuration.values()) {
    if (!resolved.managed || !resolved.template) continue;
    // The configuration is another one if an object changes that the add-on refers to. A stalled add-on has the references of a status.
    const { addOnTemplates, addOnDeploymentConfigs } = inventory;
    const objects = resolved.stalled === undefined ? [] : [addOnTemplates, addOnDeploymentConfigs];
    const ofAddOn = rememberedGroups.of(resolved, [clusters, hub, ...objects], () => {
      const alike = rendersAlike(resolved.clusters, annotatedClusters(decisions), decisions);
      return groupsOf(resolved, alike, { inventory, decisions, hub });
    });
    groups.set(resolved.name, ofAddOn);
  }
  return groups;
}

/** The groups of one add-on, by the key of their inputs: one map for all states in which they are the same. */
export type GroupsOfAddOn = ReadonlyMap<string, RenderGroup>;

const annotatedIn = new WeakMap<Decisions['clusters'], ReadonlySet<string>>();

/** Returns the clusters with separate image registries. */
function annotatedClusters(decisions: ClustersOfHub): ReadonlySet<string> {
  return getOrInsertComputed(annotatedIn, decisions.clusters, (clusters) => {
    const annotated = new Set<string>();
    for (const [name, { metadata }] of clusters)
      if (metadata.annotations?.[imageRegistriesAnnotation] !== undefined) annotated.add(name);
    return annotated;
  });
}

/** What add-ons are rendered from. */
interface RenderedState {
  readonly inventory: Inventory;
  readonly decisions: ClustersOfHub;
  readonly hub: HubVersion;
}

/** Returns the groups of one add-on. */
function groupsOf(
  resolved: ResolvedAddOn,
  alike: readonly Alike[],
  { inventory, decisions, hub }: RenderedState,
): GroupsOfAddOn {
  const groups = new Map<string, RenderGroup & { clusters: readonly string[] }>();
  const lists = new Map<string, (readonly string[])[]>();
  for (const { effective, clusters } of alike) {
    const cluster = decisions.clusters.get(clusters[0] ?? '');
    const { template, config, annotation, key } = readInputs(
      resolved,
      effective.references,
      cluster,
      inventory,
    );
    const group = groups.get(key);
    if (group !== undefined) addToGroup(lists, key, clusters);
    if (group !== undefined || 'error' in template || (config !== undefined && 'error' in config)) continue;
    groups.set(key, {
      addOn: resolved.name,
      template,
      ...(config === undefined ? {} : { config }),
      ...(annotation === undefined ? {} : { annotation }),
      configHash: referenceRead(effective, isDeploymentConfig)?.specHash ?? '',
      clusters,
      manifests: manifestRenderer({
        addOn: resolved.name,
        template: template.object,
        config: config?.object,
        annotation,
        hub,
        delivery: resolved.delivery,
        factsOf: (name) => {
          const clusterAddOn = resolved.clusters.get(name) ?? { cluster: name };
          return addOnFacts(resolved, clusterAddOn, decisions.clusters.get(name), hub);
        },
      }),
    });
  }
  for (const [key, others] of lists) {
    const group = groups.get(key);
    if (group !== undefined) group.clusters = [group.clusters, ...others].flat().sort();
  }
  return groups;
}

/** Returns the clusters of the fleet in groups that no configuration and no annotation distinguishes. */
function rendersAlike(
  { classes, individual }: AddOnClusters,
  annotated: ReadonlySet<string>,
  decisions: ClustersOfHub,
): readonly Alike[] {
  const alike: Alike[] = [];
  const addAlone = (cluster: string, effective: EffectiveConfiguration): void => {
    if (decisions.clusters.has(cluster)) alike.push({ effective, clusters: [cluster] });
  };
  for (const { effective, clusters } of classes) {
    const special = annotated.size === 0 ? [] : clusters.filter((cluster) => annotated.has(cluster));
    for (const cluster of special) addAlone(cluster, effective);
    const plain = special.length === 0 ? clusters : clusters.filter((cluster) => !annotated.has(cluster));
    if (plain.length > 0) alike.push({ effective, clusters: plain });
  }
  for (const { cluster, effective } of individual.values()) addAlone(cluster, effective);
  return alike.sort(byFirstCluster);
}
