import { load } from '../../../src/compiler/load/load.ts';
import type { LoadedObject } from '../../../src/compiler/model/inventory.ts';
import type { Location } from '../../../src/compiler/model/origin.ts';
import { diagnosticsAsText } from '../../../src/compiler/report/text/text.ts';

/** The objects of a text, and what is printed of its diagnostics. */
export function loadText(
  text: string,
  file = 'app.yaml',
): { objects: readonly LoadedObject[]; printed: string } {
  const { value, diagnostics } = load([{ file, text, source: 'app' }]);
  return { objects: value, printed: diagnosticsAsText(diagnostics, { textOf: () => text, limit: Infinity }) };
}

/** The objects of a text without findings. */
export function objectsIn(text: string, file?: string): unknown[] {
  const { objects, printed } = loadText(text, file);
  if (printed !== '') throw new Error(printed);
  return objects.map(({ object }) => object);
}

/** A place as `line:column`. */
export function lineAndColumn(location: Location): string {
  return 'file' in location ? `${location.line}:${location.column}` : location.construct;
}
