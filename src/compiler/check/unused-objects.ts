import type { KubernetesObject } from '../../base/objects/object-meta.ts';
import { revisionOfAnnotation } from '../../ocm/fleetwright-annotations.ts';
import { getOrInsertComputed } from '../../base/collections/get-or-insert.ts';
import { oncePer } from '../../base/collections/once-per.ts';
import { Remembered } from '../../base/collections/remembered.ts';
import type {
  AddOnDeploymentConfigV1alpha1,
  AddOnTemplateV1alpha1,
  ClusterManagementAddOnV1beta1,
  ManagedClusterAddOnV1beta1,
} from '../../../schemas/types.gen.ts';
import { meantResource } from '../../ocm/meant-resource.ts';
import { kinds } from '../../../schemas/index.ts';
import { referentKey, type ConfigKind } from '../../ocm/referent.ts';
import { defaultPath } from '../configure/default-path.ts';
import { diagnostic, type Diagnostic } from '../model/diagnostic.ts';
import { objectKey, type Admitted, type Inventory } from '../model/inventory.ts';
import { pointAt } from '../model/point-at.ts';
import { closest, didYouMean } from '../model/suggestion.ts';
import { quote } from '../model/words.ts';
import { addOnGroup } from '../../../schemas/groups.ts';

/**
 * Reports templates and deployment configs of some apps that nothing in any of these apps or their fleets names. If the apps have
 * no ClusterManagementAddOns and ManagedClusterAddOns, the uses are unknown and nothing is reported.
 *
 * Unlike the rules, this function reads several apps, because they can share objects.
 */
export function unusedObjects(inventories: readonly Inventory[]): Diagnostic[] {
  const named = namedIn(inventories);
  const hasUsers = inventories.some(
    ({ clusterManagementAddOns, managedClusterAddOns }) =>
      clusterManagementAddOns.size + managedClusterAddOns.size > 0,
  );
  if (!hasUsers) return [];
  return inventories.flatMap((inventory) => [
    ...unusedOf(inventory.addOnTemplates.values(), 'addontemplates', named).map((template) =>
      unusedTemplate(template, inventories),
    ),
    ...unusedOf(inventory.addOnDeploymentConfigs.values(), 'addondeploymentconfigs', named).map(unusedConfig),
  ]);
}

interface Configuration {
  readonly metadata: KubernetesObject['metadata'];
}

/** The key of a configuration in references. An object is of one resource. */
const keys = new WeakMap<Configuration, string>();

/** Returns the objects of the apps that nothing names. For an immutable object, one used revision is enough. */
function unusedOf<T extends Configuration>(
  objects: Iterable<Admitted<T>>,
  resource: string,
  named: ReadonlySet<string>,
): Admitted<T>[] {
  const all = [...objects];
  const isNamed = ({ object }: Admitted<T>): boolean =>
    named.has(
      getOrInsertComputed(keys, object, ({ metadata: { name = '', namespace } }) =>
        referentKey({ group: addOnGroup, resource, ...(namespace && { namespace }), name }),
      ),
    );
  const revisionOf = ({ object: { metadata } }: Admitted<T>): string | undefined => {
    const revised = metadata.annotations?.[revisionOfAnnotation];
    return revised === undefined ? undefined : objectKey(metadata.namespace, revised);
  };
  const inUse = new Set(all.flatMap((each) => (isNamed(each) ? (revisionOf(each) ?? []) : [])));
  return all.filter((each) => each.source === 'app' && !isNamed(each) && !inUse.has(revisionOf(each) ?? ''));
}

const rememberedNames = new Remembered<ReadonlySet<string>>();

/** Returns the configurations that add-ons name: one set as long as the add-ons are the same. */
function namedIn(inventories: readonly Inventory[]): ReadonlySet<string> {
  const addOns = inventories.flatMap(({ clusterManagementAddOns, managedClusterAddOns }) => [
    clusterManagementAddOns,
    managedClusterAddOns,
  ]);
  return rememberedNames.of(
    addOns[0],
    addOns,
    () => new Set(inventories.flatMap((inventory) => [...namedConfigs(inventory)])),
  );
}

/** Returns the configurations that the add-ons of an inventory name on any level. */
function* namedConfigs({ clusterManagementAddOns, managedClusterAddOns }: Inventory): Iterable<string> {
  for (const { object } of clusterManagementAddOns.values()) yield* namedByAddOn(object);
  for (const { object } of managedClusterAddOns.values()) yield* namedOnCluster(object);
}

const namedByAddOn = oncePer(({ spec }: ClusterManagementAddOnV1beta1) => {
  const { defaultConfigs = [], installStrategy } = spec;
  const placed = (installStrategy?.placements ?? []).flatMap(({ configs = [] }) => configs);
  return [...defaultConfigs, ...placed].map(keyOf);
});

const namedOnCluster = oncePer(({ spec }: ManagedClusterAddOnV1beta1) => (spec.configs ?? []).map(keyOf));

function keyOf({
  group = '',
  resource,
  namespace,
  name = '',
}: ConfigKind & { namespace?: string; name?: string }): string {
  // A separate rule reports a kind in place of the resource.
  const meant = meantResource(group, resource, kinds) ?? resource;
  return referentKey({ group, resource: meant, ...(namespace && { namespace }), name });
}

function unusedTemplate(
  template: Admitted<AddOnTemplateV1alpha1>,
  inventories: readonly Inventory[],
): Diagnostic {
  const { metadata, spec } = template.object;
  const { name = '' } = metadata;
  const addOns = new Map(inventories.flatMap((inventory) => [...inventory.clusterManagementAddOns]));
  const addOn = addOns.get(spec.addonName);
  return diagnostic('FW7134', {
    message: `no add-on uses AddOnTemplate ${quote(name)}, so it is not delivered`,
    ...pointAt(template, ['metadata', 'name']),
    hint:
      addOn === undefined
        ? hintForMissing(spec.addonName, addOns.keys())
        : `refer to it in the default configurations of add-on ${quote(spec.addonName)}, or remove it`,
    ...(addOn === undefined
      ? {}
      : { related: [{ message: 'the add-on', location: addOn.origin.locate(defaultPath(addOn)) }] }),
  });
}

/** Returns the hint for a template of an add-on that does not exist. The finding is about the template's name, not the add-on's. */
function hintForMissing(addOn: string, addOns: Iterable<string>): string {
  const names = [...addOns];
  const meant = closest(addOn, names);
  if (meant !== undefined)
    return `there is no add-on ${quote(addOn)}: refer to it in the default configurations of add-on ${quote(meant)}, and correct spec.addonName`;
  return (
    didYouMean(addOn, names, 'refer to it in the configurations of an add-on:') ??
    'refer to it in the configurations of an add-on, or remove it'
  );
}

function unusedConfig(config: Admitted<AddOnDeploymentConfigV1alpha1>): Diagnostic {
  const { namespace = '', name = '' } = config.object.metadata;
  return diagnostic('FW7135', {
    message: `no add-on uses AddOnDeploymentConfig ${quote(`${namespace}/${name}`)}`,
    ...pointAt(config, ['metadata', 'name']),
    hint: 'refer to it in the default configurations of an add-on, in a placement of its install strategy or for a cluster, or remove it',
  });
}
