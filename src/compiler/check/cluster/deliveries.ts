import { getOrInsertComputed } from '../../../base/collections/get-or-insert.ts';
import { isJsonMap, type JsonMap } from '../../../base/json/json-map.ts';
import type { AddOnTemplateV1alpha1 } from '../../../../schemas/types.gen.ts';
import { joined, partsOf } from '../../../base/collections/joined-lists.ts';
import { Remembered } from '../../../base/collections/remembered.ts';
import { groupOf, guessResource } from '../../../base/names/resource-name.ts';
import type { KubernetesObject } from '../../../base/objects/object-meta.ts';
import type { ManifestOptions, ResourceIdentifier } from '../../../ocm/clusters/manifest-options.ts';
import { workGroup } from '../../../../schemas/groups.ts';
import { isOfKind } from '../../api/placement-references.ts';
import type { FieldPath } from '../../model/field-path.ts';
import { objectKey, type Admitted, type Inventory } from '../../model/inventory.ts';
import { templateOf } from '../../render/inputs.ts';
import { replicaSetReach } from '../../rollout/replica-set.ts';
import { hostedClusters } from '../../render/hosted-clusters.ts';
import type { RenderedObject } from '../../render/manifests.ts';
import type { RenderGroup } from '../../render/render-result.ts';
import { deleteOption } from '../../render/works/hooks.ts';
import { locateObjects, type LocatedObjects } from '../../render/works/manifest-location.ts';
import { sampleOf } from '../templates/rendered-sample.ts';
import type { RuleInput } from '../rule.ts';

/** What one template or work delivers to a class of clusters: they get the same objects but for their names. */
export interface Delivery {
  /** `add-on "a"`, `add-on "a" (hosting cluster)`, `ManifestWork "c1/w"`. */
  readonly words: string;
  /** In hosted mode, the managed cluster for which a hosting cluster gets the objects. Undefined for all others. */
  readonly hostedFor?: string;
  /** Whether an earlier delivery of the same class to the same hosting cluster differs only in the name of the managed cluster. */
  readonly isRepeated?: boolean;
  /** Whether it is only what others are compared with, so that nothing is reported about it. @default false */
  readonly isBeside?: true;
  /** The name of the add-on. Undefined for works. */
  readonly addOn?: string;
  /** The class whose template is rendered. Undefined for works. */
  readonly group?: RenderGroup;
  /** Whether hosting clusters get the other objects of the add-on, and run its agents. @default false */
  readonly isHosted?: true;
  /** The object with the manifests. */
  readonly holder: Admitted<Pick<KubernetesObject, 'apiVersion' | 'kind' | 'metadata'>>;
  readonly objects: readonly DeliveredManifest[];
  readonly clusters: readonly string[];
  readonly options: ManifestOptions & { readonly executor?: unknown };
  /** The path of `options` in the holder of a work. */
  readonly optionsPath?: FieldPath;
  readonly isTemplate: boolean;
}

/** One object of a delivery. */
export interface DeliveredManifest {
  readonly object: JsonMap;
  readonly kind: string;
  /** `group/Kind`. */
  readonly kindKey: string;
  readonly resource: Required<ResourceIdentifier>;
  /** `Deployment agents/agent`. */
  readonly words: string;
  /** The path of the manifest in the holder. */
  readonly path: FieldPath;
}

/** Whether findings about the manifests of a delivery are reported: the app has it, and it is no repetition. */
export function isReported(delivery: Delivery): boolean {
  return isAsked(delivery) && delivery.isRepeated !== true;
}

/** Whether anything is reported about a delivery, also if an earlier one differs only in the name of the managed cluster. */
export function isAsked({ holder, isBeside }: Delivery): boolean {
  return holder.source === 'app' && isBeside !== true;
}

const cache = new WeakMap<object, readonly Delivery[]>();
const rememberedDeliveries = new Remembered<Delivery>();

const rememberedParts = new Remembered<readonly Delivery[]>();

/** Returns all deliveries of one state of the inputs, those of add-ons first. Those of each add-on are a part of the list. */
export function deliveriesOf(input: RuleInput): readonly Delivery[] {
  if (input.deliveries !== undefined) return input.deliveries;
  return getOrInsertComputed(cache, input.rendering, () => {
    const hostings = hostingsOf(input);
    const parts = partsOf(input.rendering.groups).map((groups) => {
      const compute = (): readonly Delivery[] => [...ofTemplates(groups, input, hostings)];
      const addOn = groups[0]?.addOn ?? '';
      const isHosted = groups.some((group) => hostings(group.addOn).size > 0);
      return isHosted ? compute() : rememberedParts.of(groups, [input.configuration.get(addOn)], compute);
    });
    return joined([...parts, [...ofWorks(input)]]);
  });
}

/** Returns what some clusters get, without the other clusters. */
export function deliveriesTo(clusters: ReadonlySet<string>, input: RuleInput): readonly Delivery[] {
  const hostings = hostingsOf(input);
  const groups = input.rendering.groups.flatMap((group) => {
    const hosted = hostings(group.addOn);
    const among = group.clusters.filter(
      (cluster) => clusters.has(cluster) || clusters.has(hosted.get(cluster) ?? ''),
    );
    return among.length === 0 ? [] : [{ ...group, clusters: among }];
  });
  return [...ofTemplates(groups, input, hostings), ...ofWorks(input)].flatMap((delivery) => {
    const among = delivery.clusters.filter((cluster) => clusters.has(cluster));
    return among.length === 0 ? [] : [{ ...delivery, clusters: among }];
  });
}

/** Returns the hosting clusters of an add-on, by managed cluster. */
type Hostings = (addOn: string) => ReadonlyMap<string, string>;

function hostingsOf(input: RuleInput): Hostings {
  const hostsByAddOn = new Map<string, ReadonlyMap<string, string>>();
  return (addOn) => getOrInsertComputed(hostsByAddOn, addOn, () => hostingClusters(addOn, input));
}

function* ofTemplates(
  groups: readonly RenderGroup[],
  input: RuleInput,
  hostings: Hostings,
): Iterable<Delivery> {
  for (const group of groups) {
    const hosted = hostings(group.addOn);
    if (hosted.size === 0) {
      // The configuration is another one if a template changes that the add-on refers to.
      yield rememberedDeliveries.of(group, [input.configuration.get(group.addOn)], () => {
        const objects = located(group, input, group.clusters[0] ?? '').managed;
        return deliveryOf(group, input, { clusters: group.clusters, objects });
      });
      continue;
    }
    const clusters = group.clusters.filter((cluster) => !hosted.has(cluster));
    const [first] = clusters;
    if (first !== undefined)
      yield deliveryOf(group, input, { clusters, objects: located(group, input, first).managed });
    if (clusters.length < group.clusters.length) yield* ofHosted(group, input, hosted);
  }
}

/** Returns the hosting clusters of an add-on, by managed cluster. As hostingClusterOn: only compiled delivery has hosted mode. */
export function hostingClusters(
  name: string,
  { configuration, inventory }: RuleInput,
): ReadonlyMap<string, string> {
  const addOn = configuration.get(name);
  if (addOn?.delivery !== 'compiled') return new Map();
  return new Map(Array.from(hostedClusters(addOn, inventory), ({ cluster, hosting }) => [cluster, hosting]));
}

/** Returns the deliveries of a class in hosted mode: one to the managed clusters, and for each of them one to its hosting cluster. */
function* ofHosted(
  group: RenderGroup,
  input: RuleInput,
  hosted: ReadonlyMap<string, string>,
): Iterable<Delivery> {
  const managed = group.clusters.filter((cluster) => hosted.has(cluster));
  const [first = ''] = managed;
  const { managed: objects } = located(group, input, first, true);
  yield { ...deliveryOf(group, input, { clusters: managed, objects }), isHosted: true };
  const earlier = new Set<string>();
  for (const cluster of managed) {
    const hosting = hosted.get(cluster) ?? '';
    // a cluster that is missing or leaves gets no works
    const isReady = input.decisions.clusters.get(hosting)?.metadata.deletionTimestamp === undefined;
    if (!input.decisions.clusters.has(hosting) || !isReady) continue;
    yield {
      ...deliveryOf(group, input, {
        clusters: [hosting],
        objects: located(group, input, cluster, true).hosting,
      }),
      words: `add-on "${group.addOn}" (hosting cluster)`,
      hostedFor: cluster,
      isRepeated: earlier.has(hosting),
    };
    earlier.add(hosting);
  }
}

/** Returns the objects that a managed cluster and its hosting cluster get. Empty if the hub cannot render or locate them. */
function located(
  group: RenderGroup,
  { configuration }: RuleInput,
  cluster: string,
  isHosted = false,
): LocatedObjects {
  const rendered = cluster === group.clusters[0] ? sampleOf(group) : group.manifests.render(cluster);
  if ('error' in rendered) return { managed: [], hosting: [] };
  const objects = rendered.objects.filter(({ isHook }) => !isHook);
  if (configuration.get(group.addOn)?.delivery !== 'compiled') return { managed: objects, hosting: [] };
  const divided = locateObjects(objects, isHosted);
  return 'error' in divided ? { managed: [], hosting: [] } : divided;
}

function deliveryOf(
  group: RenderGroup,
  input: RuleInput,
  {
    clusters,
    objects,
  }: { readonly clusters: readonly string[]; readonly objects: readonly RenderedObject[] },
): Delivery {
  const list: FieldPath = ['spec', 'agentSpec', 'workload', 'manifests'];
  // as addon-framework: the manifestConfigs of every work are those of the default template
  const template = defaultTemplateOf(group, input);
  const orphans = deleteOption(objects.map(({ object }) => object));
  const { manifestConfigs } = (template?.object.spec.agentSpec ?? {}) as ManifestOptions;
  return {
    words: `add-on "${group.addOn}"`,
    addOn: group.addOn,
    group,
    holder: group.template,
    clusters,
    options: {
      ...(manifestConfigs !== undefined && { manifestConfigs }),
      ...(orphans !== undefined && { deleteOption: orphans }),
    },
    isTemplate: true,
    objects: objects.flatMap(({ object, manifest }) =>
      delivered(object, manifest === undefined ? list : [...list, manifest]),
    ),
  };
}

/** Returns the template among the defaults of the add-on of a class. */
function defaultTemplateOf(
  group: RenderGroup,
  { configuration, inventory }: RuleInput,
): Admitted<AddOnTemplateV1alpha1> | undefined {
  const addOn = configuration.get(group.addOn);
  const template = addOn && templateOf(addOn, addOn.defaultReferences, inventory);
  return template === undefined || 'error' in template ? undefined : template;
}

/** The part of a work that its agent reads. */
export interface WorkSpec extends ManifestOptions {
  readonly workload?: { readonly manifests?: readonly unknown[] };
  readonly executor?: unknown;
}

/** A ManifestWork or ManifestWorkReplicaSet of the inputs. */
export interface WrittenWork {
  readonly work: Admitted;
  readonly spec: WorkSpec;
  /** The path of `spec` in the object. */
  readonly path: FieldPath;
}

/** Returns the works of the inputs. */
export function* writtenWorks({ others }: Pick<Inventory, 'others'>): Iterable<WrittenWork> {
  for (const work of others) {
    if (groupOf(work.object.apiVersion) !== workGroup) continue;
    const { spec = {} } = work.object as KubernetesObject & { readonly spec?: WorkSpec };
    if (isOfKind(work, workGroup, 'ManifestWork')) yield { work, spec, path: ['spec'] };
    if (!isOfKind(work, workGroup, 'ManifestWorkReplicaSet')) continue;
    const { manifestWorkTemplate = {} } = spec as { readonly manifestWorkTemplate?: WorkSpec };
    yield { work, spec: manifestWorkTemplate, path: ['spec', 'manifestWorkTemplate'] };
  }
}

function* ofWorks({ inventory, decisions, hub }: RuleInput): Iterable<Delivery> {
  for (const { work, spec, path } of writtenWorks(inventory)) {
    const { kind, metadata } = work.object;
    const { namespace = '', name = '' } = metadata;
    const clusters =
      kind === 'ManifestWorkReplicaSet'
        ? [...replicaSetReach(work, decisions, inventory, hub).clusters.keys()]
        : decisions.clusters.has(namespace)
          ? [namespace]
          : [];
    yield {
      words: `${kind} "${objectKey(namespace, name)}"`,
      holder: work,
      clusters,
      options: spec,
      optionsPath: path,
      isTemplate: false,
      objects: (spec.workload?.manifests ?? []).flatMap((object, index) =>
        isJsonMap(object) ? delivered(object, [...path, 'workload', 'manifests', index]) : [],
      ),
    };
  }
}

function delivered(object: JsonMap, path: FieldPath): readonly DeliveredManifest[] {
  const { apiVersion, kind, metadata } = object;
  if (typeof apiVersion !== 'string' || typeof kind !== 'string' || !isJsonMap(metadata)) return [];
  const [name, namespace] = [textOf(metadata['name']), textOf(metadata['namespace'])];
  // no cluster gets it: the hub's webhook rejects the work, as FW8301 and FW7122 say
  if (name === '') return [];
  const group = groupOf(apiVersion);
  return [
    {
      object,
      kind,
      kindKey: `${group}/${kind}`,
      resource: { group, resource: guessResource(kind), namespace, name },
      words: `${kind} ${objectKey(namespace, name)}`,
      path,
    },
  ];
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
