import { isJsonMap, type JsonMap } from '../../../base/json/json-map.ts';
import { groupOf, guessResource } from '../../../base/names/resource-name.ts';
import type { KubernetesObject } from '../../../base/objects/object-meta.ts';
import type { ManifestOptions, ResourceIdentifier } from '../../../ocm/clusters/manifest-options.ts';
import { workGroup } from '../../../../schemas/groups.ts';
import { isOfKind } from '../../api/placement-references.ts';
import type { FieldPath } from '../../model/field-path.ts';
import { objectKey, type Admitted, type Inventory } from '../../model/inventory.ts';
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
