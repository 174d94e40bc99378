import type { Diagnostic } from '../../../src/compiler/model/diagnostic.ts';
import type { FieldPath } from '../../../src/compiler/model/field-path.ts';
import type { LoadedObject, Source } from '../../../src/compiler/model/inventory.ts';
import type { KubernetesObject } from '../../../src/base/objects/object-meta.ts';

/** An object as if it had been loaded; its places are named after their fields. */
export function loaded(object: object, source: Source = 'app', name = 'object'): LoadedObject {
  const locate = (path: FieldPath): { construct: string } => ({ construct: [name, ...path].join('/') });
  return { object: object as KubernetesObject, origin: { location: locate([]), locate }, source };
}

/** Returns a finding in one line: its text and its location. */
export function line({ code, severity, message, path, location, hint, related = [] }: Diagnostic): string {
  const place = location !== undefined && 'construct' in location ? location.construct : '';
  return [
    `${severity} ${code} ${path ?? ''} at ${place}: ${message}`,
    ...related.map((other) => `  ${other.message}: ${JSON.stringify(other.location)}`),
    ...(hint === undefined ? [] : [`  hint: ${hint}`]),
  ].join('\n');
}
