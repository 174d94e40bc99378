import { kindKey } from '../base/names/resource-name.ts';
import type { KubernetesObject } from '../base/objects/object-meta.ts';
import { isJsonMap } from '../base/json/json-map.ts';

/** Returns the plural under which the API serves kinds, by `group/Kind`, for kinds whose definitions are among the objects. */
export function pluralsOf(objects: readonly KubernetesObject[]): Map<string, string> {
  const plurals = new Map<string, string>();
  for (const object of objects) {
    if (kindKey(object) !== 'apiextensions.k8s.io/CustomResourceDefinition') continue;
    const spec = object['spec'];
    if (!isJsonMap(spec) || !isJsonMap(spec['names'])) continue;
    const { kind, plural } = spec['names'];
    if (typeof plural === 'string') plurals.set(`${String(spec['group'])}/${String(kind)}`, plural);
  }
  return plurals;
}
