import { isJsonMap, type JsonMap } from '../../../base/json/json-map.ts';
import { groupOf, guessResource } from '../../../base/names/resource-name.ts';
import type { KubernetesObject } from '../../../base/objects/object-meta.ts';
import type { ManifestOptions, ResourceIdentifier } from '../../../ocm/clusters/manifest-options.ts';
import { workGroup } from '../../../../schemas/groups.ts';
import { isOfKind } from '../../api/placement-references.ts';
import type { FieldPath } from '../../model/field-path.ts';
import { objectKey, type Admitted } from '../../model/inventory.ts';
import { templateOf } from '../../render/inputs.ts';
import { replicaSetReach } from '../../rollout/replica-set.ts';
import { renderedSample } from '../templates/rendered-sample.ts';
import type { RuleInput } from '../rule.ts';

/** What one template or work delivers to a class of clusters: they get the same objects but for their names. */
export interface Delivery {
  /** `add-on "a"`, `ManifestWork "c1/w"`. */
  readonly words: string;
  /** The name of the add-on. Undefined for works. */
  readonly addOn?: string;
  /** The object with the manifests. */
  readonly holder: Admitted<Pick<KubernetesObject, 'apiVersion' | 'kind' | 'metadata'>>;
  readonly objects: readonly DeliveredManifest[];
  readonly clusters: readonly string[];
  readonly options: ManifestOptions & { readonly executor?: unknown };
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

const cache = new WeakMap<object, readonly Delivery[]>();

/** Returns all deliveries of one state of the inputs, those of add-ons first. */
export function deliveriesOf(input: RuleInput): readonly Delivery[] {
  const known = cache.get(input.rendering);
  if (known !== undefined) return known;
  const deliveries = [...ofTemplates(input), ...ofWorks(input)];
  cache.set(input.rendering, deliveries);
  return deliveries;
}

function* ofTemplates({ rendering, configuration, inventory }: RuleInput): Iterable<Delivery> {
  const list: FieldPath = ['spec', 'agentSpec', 'workload', 'manifests'];
  for (const group of rendering.groups) {
    const [cluster] = group.clusters;
    if (cluster === undefined) continue;
    const manifests = renderedSample(group).filter(({ isHook }) => !isHook);
    const installed = inventory.managedClusterAddOns.get(objectKey(cluster, group.addOn))?.object;
    // hosted mode divides the objects between two clusters
    if (installed?.metadata.annotations?.['addon.open-cluster-management.io/hosting-cluster-name']) continue;
    // as addon-framework: the manifestConfigs of every work are those of the default template
    const addOn = configuration.get(group.addOn);
    const template = addOn && templateOf(addOn, addOn.defaultReferences, inventory);
    const { manifestConfigs } = (
      template === undefined || 'error' in template ? {} : template.object.spec.agentSpec
    ) as ManifestOptions;
    yield {
      words: `add-on "${group.addOn}"`,
      addOn: group.addOn,
      holder: group.template,
      clusters: group.clusters,
      options: manifestConfigs === undefined ? {} : { manifestConfigs },
      isTemplate: true,
      objects: manifests.flatMap(({ object, manifest }) =>
        delivered(object, manifest === undefined ? list : [...list, manifest]),
      ),
    };
  }
}

interface WorkSpec extends ManifestOptions {
  readonly workload?: { readonly manifests?: readonly unknown[] };
  readonly executor?: unknown;
}

function* ofWorks({ inventory, decisions, hub }: RuleInput): Iterable<Delivery> {
  for (const work of inventory.others) {
    if (!isWork(work)) continue;
    const { kind, metadata, spec = {} } = work.object as KubernetesObject & { readonly spec?: WorkSpec };
    const { namespace = '', name = '' } = metadata;
    const isSet = kind === 'ManifestWorkReplicaSet';
    const options = isSet ? ((spec as { manifestWorkTemplate?: WorkSpec }).manifestWorkTemplate ?? {}) : spec;
    const list = ['spec', ...(isSet ? ['manifestWorkTemplate'] : []), 'workload', 'manifests'];
    const clusters = isSet
      ? [...replicaSetReach(work, decisions, inventory, hub).clusters.keys()]
      : decisions.clusters.has(namespace)
        ? [namespace]
        : [];
    yield {
      words: `${kind} "${objectKey(namespace, name)}"`,
      holder: work,
      clusters,
      options,
      isTemplate: false,
      objects: (options.workload?.manifests ?? []).flatMap((object, index) =>
        isJsonMap(object) ? delivered(object, [...list, index]) : [],
      ),
    };
  }
}

function isWork(work: Admitted): boolean {
  return (
    groupOf(work.object.apiVersion) === workGroup &&
    ['ManifestWork', 'ManifestWorkReplicaSet'].some((kind) => isOfKind(work, workGroup, kind))
  );
}

function delivered(object: JsonMap, path: FieldPath): readonly DeliveredManifest[] {
  const { apiVersion, kind, metadata } = object;
  if (typeof apiVersion !== 'string' || typeof kind !== 'string' || !isJsonMap(metadata)) return [];
  const [name, namespace] = [textOf(metadata['name']), textOf(metadata['namespace'])];
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
