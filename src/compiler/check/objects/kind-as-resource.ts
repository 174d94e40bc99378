import { addToGroup } from '../../../base/collections/groups.ts';
import { oncePerPart, partsOf } from '../../../base/collections/joined-lists.ts';
import { Remembered } from '../../../base/collections/remembered.ts';
import { isJsonMap } from '../../../base/json/json-map.ts';
import type { KubernetesObject } from '../../../base/objects/object-meta.ts';
import { groupOf } from '../../../base/names/resource-name.ts';
import { meantKind, meantResource, type NamedKind } from '../../../ocm/meant-resource.ts';
import { addOnGroup, workGroup } from '../../../../schemas/groups.ts';
import { kinds } from '../../../../schemas/index.ts';
import { kubernetesKinds } from '../../../../schemas/kubernetes/kubernetes.ts';
import { oncePer } from '../../../base/collections/once-per.ts';
import { diagnostic, type Diagnostic } from '../../model/diagnostic.ts';
import type { FieldPath } from '../../model/field-path.ts';
import { type Admitted, type Inventory, objectsOfApp } from '../../model/inventory.ts';
import { pointAt } from '../../model/point-at.ts';
import { quote } from '../../model/words.ts';
import type { Rule } from '../rule.ts';

/** Reports references that have a kind, or its singular name, where the API has the resource, and the other way around. */
export const kindAsResource: Rule = {
  codes: ['FW7181'],
  check({ inventory }) {
    const ofApp = [...new Set(kindsOfObjects(inventory.objects))];
    const meaning = meanings(ofApp);
    return partsOf(objectsOfApp(inventory)).flatMap((part) =>
      remembered.of(part, ofApp, () =>
        part.flatMap((holder) =>
          // Most configurations refer to nothing.
          referencesOfObject(holder.object).length === 0 ? [] : [...mistaken(holder, meaning)],
        ),
      ),
    );
  },
};

/** The findings about a part of the objects, as long as the app has objects of the same kinds. */
const remembered = new Remembered<readonly Diagnostic[]>();

function* mistaken(holder: Admitted, meaning: Meaning): Iterable<Diagnostic> {
  for (const { path, name, groups, isKind, effect } of referencesOfObject(holder.object)) {
    // A rule of several groups means the resource in any of them.
    const meant = groups.map((group) => meaning(isKind, group, name));
    const [first] = meant;
    if (first === undefined || meant.includes(undefined)) continue;
    yield diagnostic('FW7181', {
      message: `${quote(name)} is not a ${isKind ? 'kind' : 'resource'}, so ${effect}`,
      ...pointAt(holder, path),
      hint: isKind
        ? `kind is the name of one object, with capital letters: did you mean ${quote(first)}?`
        : `resource is the plural name in lower case: did you mean ${quote(first)}?`,
    });
  }
}

interface Reference {
  readonly path: FieldPath;
  readonly name: string;
  readonly groups: readonly string[];
  readonly isKind: boolean;
  /** The consequence of a name that does not exist. */
  readonly effect: string;
}

const referencesOfObject = oncePer((object: KubernetesObject) => referencesIn(object, []));

/** Returns the references in an object, and in the objects that it contains, such as the manifests of a template. */
function* referencesIn(value: unknown, path: FieldPath, holder = value): Iterable<Reference> {
  if (Array.isArray(value)) {
    for (const [index, item] of (value as unknown[]).entries())
      yield* referencesIn(item, [...path, index], holder);
    return;
  }
  if (!isJsonMap(value)) return;
  const isObject = isJsonMap(value['metadata']) && typeof value['kind'] === 'string';
  if (!isObject) yield* referencesOf(value, path, holder);
  for (const [key, field] of Object.entries(value))
    if (typeof field === 'object' && field !== null)
      yield* referencesIn(field, [...path, key], isObject ? value : holder);
}

function* referencesOf(
  value: Readonly<Record<string, unknown>>,
  path: FieldPath,
  holder: unknown,
): Iterable<Reference> {
  const { apiGroup, apiGroups, apiVersion, group, kind, name, resource, resources } = value;
  if (typeof resource === 'string' && (typeof group === 'string' || isOfOcm(holder))) {
    const groups = [typeof group === 'string' ? group : ''];
    yield { path: [...path, 'resource'], name: resource, groups, isKind: false, effect: effectOf(path) };
  }
  if (isTexts(resources) && isTexts(apiGroups)) {
    const effect =
      path.includes('rules') && !('operations' in value) ? 'it permits nothing' : 'the rule matches nothing';
    for (const [index, each] of resources.entries()) {
      const [main = ''] = each.split('/');
      yield { path: [...path, 'resources', index], name: main, groups: apiGroups, isKind: false, effect };
    }
  }
  const groupOfKind = typeof apiVersion === 'string' ? groupOf(apiVersion) : apiGroup;
  if (typeof kind === 'string' && typeof name === 'string' && typeof groupOfKind === 'string')
    yield {
      path: [...path, 'kind'],
      name: kind,
      groups: [groupOfKind],
      isKind: true,
      effect: 'the reference finds no object',
    };
}

function isOfOcm(holder: unknown): boolean {
  const apiVersion = isJsonMap(holder) ? holder['apiVersion'] : undefined;
  return typeof apiVersion === 'string' && [addOnGroup, workGroup].includes(groupOf(apiVersion));
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'string');
}

function effectOf(path: FieldPath): string {
  if (path.includes('orphaningRules')) return 'the rule keeps no object: it is deleted with the work';
  if (path.includes('manifestConfigs')) return 'the configuration applies to no manifest';
  return 'the reference finds no object';
}

type Meaning = (isKind: boolean, group: string, name: string) => string | undefined;

/**
 * Returns a function that returns what a kind or a resource means. Many references have the same one.
 *
 * @param kindsOfApp - as `kindsOfObjects`
 */
function meanings(kindsOfApp: readonly string[]): Meaning {
  let known: readonly NamedKind[] | undefined;
  const byKey = new Map<string, string | undefined>();
  return (isKind, group, name) => {
    const key = `${isKind ? 'kind' : 'resource'} ${group}/${name}`;
    if (byKey.has(key)) return byKey.get(key);
    known ??= knownKinds(kindsOfApp);
    const meant = (isKind ? meantKind : meantResource)(group, name, known);
    byKey.set(key, meant);
    return meant;
  };
}

/** Returns the kinds of OCM, of Kubernetes, and of the objects of the app. */
function knownKinds(kindsOfApp: readonly string[]): readonly NamedKind[] {
  const ofKubernetes = [...kubernetesKinds().byVersion].flatMap(([apiVersion, byKind]) =>
    [...byKind.keys()].map((kind) => ({ group: groupOf(apiVersion), kind })),
  );
  const inApp = new Map<string, string[]>();
  for (const each of kindsOfApp) {
    const [apiVersion = '', kind = ''] = each.split(' ');
    addToGroup(inApp, apiVersion, kind);
  }
  const ofApp = [...inApp].flatMap(([apiVersion, names]) =>
    names.map((kind) => ({ group: groupOf(apiVersion), kind })),
  );
  return [...kinds, ...ofKubernetes, ...ofApp];
}

/** Returns `apiVersion Kind` of objects, each once for a part of the list. Neither has a space. */
const kindsOfObjects = oncePerPart((part: Inventory['objects']) => [
  ...new Set(part.map(({ object: { apiVersion, kind } }) => `${apiVersion} ${kind}`)),
]);
