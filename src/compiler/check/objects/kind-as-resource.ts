import { isJsonMap } from '../../../base/json/json-map.ts';
import { groupOf } from '../../../base/names/resource-name.ts';
import { meantResource, type NamedKind } from '../../../ocm/meant-resource.ts';
import { workGroup } from '../../../../schemas/groups.ts';
import { kinds } from '../../../../schemas/index.ts';
import { kubernetesKinds } from '../../../../schemas/kubernetes/kubernetes.ts';
import { diagnostic } from '../../model/diagnostic.ts';
import type { FieldPath } from '../../model/field-path.ts';
import type { Admitted, Inventory } from '../../model/inventory.ts';
import { pointAt } from '../../model/point-at.ts';
import { quote } from '../../model/words.ts';
import type { Rule } from '../rule.ts';

/** Reports references that have a kind, or its singular name, in the field `resource`. */
export const kindAsResource: Rule = {
  codes: ['FW7181'],
  *check({ inventory }) {
    let known: readonly NamedKind[] | undefined;
    for (const { holder, path, group, resource, effect } of referencesOf(inventory)) {
      known ??= knownKinds(inventory);
      const meant = meantResource(group, resource, known);
      if (meant === undefined) continue;
      yield diagnostic('FW7181', {
        message: `${quote(resource)} is not a resource, so ${effect}`,
        ...pointAt(holder, [...path, 'resource']),
        hint: `resource is the plural name in lower case: did you mean ${quote(meant)}?`,
      });
    }
  },
};

interface Reference {
  readonly holder: Admitted;
  readonly path: FieldPath;
  readonly group: string;
  readonly resource: string;
  /** The consequence of a resource that does not exist. */
  readonly effect: string;
}

function* referencesOf({ objects, ...inventory }: Inventory): Iterable<Reference> {
  const noConfig = 'the reference finds no object';
  for (const holder of inventory.clusterManagementAddOns.values()) {
    if (holder.source !== 'app') continue;
    const { defaultConfigs = [], installStrategy } = holder.object.spec;
    yield* at(holder as Admitted<never>, ['spec', 'defaultConfigs'], defaultConfigs, noConfig);
    for (const [index, { configs = [] }] of (installStrategy?.placements ?? []).entries()) {
      const path = ['spec', 'installStrategy', 'placements', index, 'configs'];
      yield* at(holder as Admitted<never>, path, configs, noConfig);
    }
  }
  for (const holder of inventory.managedClusterAddOns.values()) {
    if (holder.source !== 'app') continue;
    yield* at(holder as Admitted<never>, ['spec', 'configs'], holder.object.spec?.configs ?? [], noConfig);
  }
  for (const holder of objects) {
    const { apiVersion, kind } = holder.object;
    if (holder.source !== 'app' || groupOf(apiVersion) !== workGroup) continue;
    const path =
      kind === 'ManifestWorkReplicaSet' ? ['spec', 'manifestWorkTemplate'] : (['spec'] as FieldPath);
    const work = path.reduce<unknown>(
      (value, step) => (isJsonMap(value) ? value[step] : undefined),
      holder.object,
    );
    if (!isJsonMap(work)) continue;
    const orphans = isJsonMap(work['deleteOption']) ? work['deleteOption']['selectivelyOrphans'] : undefined;
    const rules = isJsonMap(orphans) ? orphans['orphaningRules'] : undefined;
    const orphaning = [...path, 'deleteOption', 'selectivelyOrphans', 'orphaningRules'];
    yield* at(holder, orphaning, rules, 'the rule keeps no object: it is deleted with the work');
    const configs = Array.isArray(work['manifestConfigs']) ? (work['manifestConfigs'] as unknown[]) : [];
    for (const [index, config] of configs.entries()) {
      const identifier = isJsonMap(config) ? config['resourceIdentifier'] : undefined;
      const below = [...path, 'manifestConfigs', index, 'resourceIdentifier'];
      yield* one(holder, below, identifier, 'the configuration applies to no manifest');
    }
  }
}

function* at(holder: Admitted, path: FieldPath, list: unknown, effect: string): Iterable<Reference> {
  for (const [index, each] of (Array.isArray(list) ? (list as unknown[]) : []).entries())
    yield* one(holder, [...path, index], each, effect);
}

function* one(holder: Admitted, path: FieldPath, value: unknown, effect: string): Iterable<Reference> {
  if (typeof value !== 'object' || value === null || !('resource' in value)) return;
  const { group = '', resource } = value as { readonly group?: unknown; readonly resource: unknown };
  if (typeof group === 'string' && typeof resource === 'string')
    yield { holder, path, group, resource, effect };
}

/** Returns the kinds of OCM, of Kubernetes, and of the objects of the app. */
function knownKinds({ objects }: Inventory): readonly NamedKind[] {
  const ofKubernetes = [...kubernetesKinds().byVersion].flatMap(([apiVersion, byKind]) =>
    [...byKind.keys()].map((kind) => ({ group: groupOf(apiVersion), kind })),
  );
  const ofApp = objects.map(({ object: { apiVersion, kind } }) => ({ group: groupOf(apiVersion), kind }));
  return [...kinds, ...ofKubernetes, ...ofApp];
}
