import type { KubernetesObject } from '../../base/objects/object-meta.ts';
import { diagnostic, type Diagnostic, type Outcome } from '../model/diagnostic.ts';
import { formatFieldPath, type FieldPath } from '../model/field-path.ts';
import { goJson } from '../../base/json/go-json.ts';
import type { LoadedObject } from '../model/inventory.ts';
import { shared, type SharedTexts } from './shared-texts.ts';
import type { ConstructLocation, FileLocation, Origin } from '../model/origin.ts';
import { findNonJson } from './json/non-json.ts';
import { findObjects, type ValueFault } from './objects.ts';

/** The object of a construct. */
export interface ConstructObject {
  /** The form that the construct renders. */
  readonly object: KubernetesObject;
  /** The construct's path, such as `helloworld/placement-aws`. */
  readonly construct: string;
  /** Returns the line of the app that created the construct, if it is known. It is only computed when a location is needed. */
  readonly source?: FileLocation | undefined;
  /**
   * Values without a JSON form, if the caller has already searched for them.
   * @default - `object` is searched
   * @internal
   */
  readonly nonJson?: readonly ValueFault[];
}

/**
 * Loads the objects of an app; lists are split into their items as in files. All locations inside an object are the location of
 * its construct. A construct with an error returns no objects.
 */
export function loadConstructs(
  constructs: readonly ConstructObject[],
  cache?: SharedTexts,
): Outcome<LoadedObject[]> {
  const value: LoadedObject[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const constructObject of constructs) {
    const origin = constructOrigin(constructObject);
    const found = findObjects(constructObject.object);
    const faults = [...(constructObject.nonJson ?? findNonJson(constructObject.object)), ...found.faults];
    for (const { code, path, message, hint } of faults) {
      diagnostics.push(
        diagnostic(code, {
          message,
          ...pathOf(path),
          location: origin.location,
          ...(hint !== undefined && { hint }),
        }),
      );
    }
    if (faults.length > 0) continue;
    for (const { object } of found.objects) {
      const content = cache === undefined ? object : shared(cache.objects, goJson(object), object);
      value.push({ object: content, origin, source: 'app' });
    }
  }
  return { value, diagnostics };
}

function pathOf(path: FieldPath): { path?: string } {
  return path.length === 0 ? {} : { path: formatFieldPath(path) };
}

function constructOrigin(constructObject: ConstructObject): Origin {
  const locate = (): ConstructLocation => {
    const { construct, source } = constructObject;
    return source === undefined ? { construct } : { construct, source };
  };
  return {
    get location() {
      return locate();
    },
    locate,
  };
}
