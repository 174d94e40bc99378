import { formatFieldPath } from '../model/field-path.ts';
import { diagnostic, type Diagnostic } from '../model/diagnostic.ts';
import type { LoadedObject } from '../model/inventory.ts';

/**
 * The namespaces that kustomize adds to cluster-scoped objects. Their files have none to remove, and one field of a kustomization
 * adds them all, so it is reported once.
 */
export class AddedNamespaces {
  readonly #byLocation = new Map<string, { readonly first: Diagnostic; readonly objects: string[] }>();

  /** Takes the finding about such a namespace out of the findings about an object. @returns the other findings */
  take({ origin }: LoadedObject, diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
    const isAdded = origin.changes?.some(({ path }) => formatFieldPath(path) === 'metadata.namespace');
    if (isAdded !== true) return diagnostics;
    return diagnostics.filter((each) => {
      if (each.code !== 'FW2020') return true;
      const key = JSON.stringify(each.location);
      const group = this.#byLocation.get(key) ?? { first: each, objects: [] };
      group.objects.push(`${each.object?.kind ?? ''} ${each.object?.name ?? ''}`);
      this.#byLocation.set(key, group);
      return false;
    });
  }

  /** Returns one finding per field that adds a namespace. */
  findings(): Diagnostic[] {
    return [...this.#byLocation.values()].map(({ first, objects }) =>
      diagnostic('FW2020', {
        message: `the hub drops the namespace that kustomize adds to cluster-scoped objects: ${objects.join(', ')}`,
        ...(first.location && { location: first.location }),
        hint: 'nothing to do: kustomize does not know these kinds as cluster-scoped',
      }),
    );
  }
}
