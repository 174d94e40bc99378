/** The path from an object's root to a field: keys and list indices. */
export type FieldPath = readonly (string | number)[];

const plainKey = /^[A-Za-z_$][\w$-]*$/;

/**
 * Returns a path as the API server prints it: `spec.placements[0].name`. Keys that are not plain identifiers are in brackets, as
 * in `metadata.labels[example.com/tier]`.
 */
export function formatFieldPath(path: FieldPath): string {
  let text = '';
  for (const step of path) {
    if (typeof step === 'number') text += `[${step}]`;
    else if (plainKey.test(step)) text += text === '' ? step : `.${step}`;
    else text += `[${step}]`;
  }
  return text;
}
