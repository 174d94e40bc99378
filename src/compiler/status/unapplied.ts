import { groupOf, groupResource, guessResource } from '../../base/names/resource-name.ts';
import type { KubernetesObject } from '../../base/objects/object-meta.ts';
import { installPlacements } from '../../ocm/install-strategy.ts';
import type { HubVersion } from '../../ocm/hub-version.ts';
import { admit } from '../admit/admit.ts';
import type { ResolvedAddOn } from '../configure/resolved-add-on.ts';
import { uncompiled } from '../deliver/uncompiled.ts';
import { objectKey, type Inventory, type LoadedObject } from '../model/inventory.ts';
import { compareObjects } from '../compare/object-changes.ts';
import type { Suspect } from './evidence.ts';

/** The objects of the working tree that the hub does not have, or has with other values. */
export class UnappliedObjects {
  /** The objects in the form `Placement default/all`, by resource and name as references have them. */
  readonly #objects: ReadonlyMap<string, string>;
  readonly #inventory: Inventory;

  /**
   * @param held - the objects of the hub
   * @param inventory - those of the hub together with the working tree
   * @param hub - the release of the hub
   */
  constructor(held: readonly LoadedObject[], inventory: Inventory, hub?: HubVersion) {
    this.#inventory = inventory;
    const ofApp = inventory.objects.filter(({ source }) => source === 'app');
    const names = new Set(ofApp.map(({ object }) => nameOf(object)));
    const heldOfApp = uncompiled(held.filter(({ object }) => names.has(nameOf(object))));
    const onHub = admit(heldOfApp, undefined, undefined, hub).value;
    const unexplained = { addOns: [], placements: [], followed: new Set<string>() };
    const later = { inventory: { ...inventory, objects: ofApp } };
    const { changes } = compareObjects({ inventory: onHub }, later, unexplained, false);
    this.#objects = new Map(
      changes.map(({ apiVersion, kind, namespace, name, object }) => [
        keyOf({ group: groupOf(apiVersion), resource: guessResource(kind), namespace, name }),
        object,
      ]),
    );
  }

  /**
   * Returns the objects of an output that the hub does not have, or has with other values.
   *
   * @param output - the objects as synth wrote them
   */
  static ofOutput(
    held: readonly LoadedObject[],
    output: readonly KubernetesObject[],
    hub?: HubVersion,
  ): UnappliedObjects {
    const location = { file: '', line: 1, column: 1 };
    const origin = { location, locate: () => location };
    const loaded = output.map((object): LoadedObject => ({ object, origin, source: 'app' }));
    return new UnappliedObjects(held, admit(uncompiled(loaded), undefined, undefined, hub).value, hub);
  }

  /** Returns those that decide about an add-on on a cluster, in the order in which they have effects. */
  of({ name }: ResolvedAddOn, { cluster, expected }: Suspect): readonly string[] {
    if (this.#objects.size === 0) return [];
    const definition = this.#inventory.clusterManagementAddOns.get(name);
    const placements = definition === undefined ? [] : installPlacements(definition.object);
    const addOns = 'addon.open-cluster-management.io';
    const clusters = 'cluster.open-cluster-management.io';
    const namespaces = new Set(placements.map(({ namespace }) => namespace));
    const bindings = [...this.#inventory.managedClusterSetBindings.values()].flatMap(
      ({ object: { metadata } }) =>
        namespaces.has(metadata.namespace ?? '')
          ? [{ group: clusters, resource: 'managedclustersetbindings', ...metadata }]
          : [],
    );
    const deciding: readonly Name[] = [
      { group: addOns, resource: 'clustermanagementaddons', name },
      { group: addOns, resource: 'managedclusteraddons', namespace: cluster, name },
      ...bindings,
      ...placements.map((placement) => ({ group: clusters, resource: 'placements', ...placement })),
      ...(expected?.effective.references ?? []),
    ];
    return [...new Set(deciding.flatMap((object) => this.#objects.get(keyOf(object)) ?? []))];
  }
}

interface Name {
  readonly group: string;
  readonly resource: string;
  readonly namespace?: string | undefined;
  readonly name?: string;
}

function nameOf({ kind, metadata: { namespace, name = '' } }: KubernetesObject): string {
  return `${kind} ${objectKey(namespace, name)}`;
}

function keyOf({ group, resource, namespace, name = '' }: Name): string {
  return `${groupResource(group, resource)} ${objectKey(namespace, name)}`;
}
