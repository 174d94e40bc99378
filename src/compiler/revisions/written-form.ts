import type { KubernetesObject } from '../../base/objects/object-meta.ts';
import { withAnnotations } from '../../ocm/annotations.ts';
import { immutableAnnotation, revisionOfAnnotation } from '../../ocm/fleetwright-annotations.ts';
import { referentKey } from '../../ocm/referent.ts';
import { addOnGroup } from '../../../schemas/groups.ts';
import { withConfigNames } from './config-references.ts';
import { isRevisionName } from './name-by-content.ts';
import { resourceOf } from './resource-of.ts';

/** Reverts objects to the form before they were named by their content: the inverse of `nameByContent`. */
export class WrittenForms {
  /** The written names, by `referentKey` of the name on the hub. */
  readonly #names = new Map<string, string>();
  readonly #kept: ReadonlySet<string>;

  /** @param kept - the objects that were written with the name of a revision and keep it, by `referentKey` */
  constructor(kept: ReadonlySet<string> = new Set()) {
    this.#kept = kept;
  }

  /** Returns an object as a user writes it in YAML. Objects that others refer to come before those. */
  of(object: KubernetesObject): KubernetesObject {
    const { metadata } = object;
    const { name = '', namespace, annotations } = metadata;
    const written = annotations?.[revisionOfAnnotation];
    const resource = resourceOf(object);
    if (resource === undefined || written === undefined || !isRevisionName(name, written))
      return withConfigNames(object, ({ key }) => this.#names.get(key));
    const key = referentKey({
      group: addOnGroup,
      resource,
      ...(namespace !== undefined && { namespace }),
      name,
    });
    if (this.#kept.has(key)) return object;
    this.#names.set(key, written);
    return withAnnotations(
      { ...object, metadata: { ...metadata, name: written } },
      { [revisionOfAnnotation]: undefined, [immutableAnnotation]: 'true' },
    );
  }
}
