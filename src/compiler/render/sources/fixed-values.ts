import { toValue, type Value, type ValueMap } from '../../../engines/gotemplate/index.ts';
import { mergeValues } from '../agent-values/merge-values.ts';
import { valuesWith } from './source-values.ts';

/** How many renderings a search may take: each can take as long as the chart does. */
const mostTries = 24;

/** Names of values that replace what a template would otherwise make by chance. */
const likely = /password|passwd|secret|token|cert|key|ca$|salt|cookie|uuid|credential|htpasswd|crt/i;

/**
 * Returns the paths of values without which a chart calls a function that is not supported, found by rendering with a text in each
 * candidate. Empty if no combination of them avoids the function.
 *
 * @param defaults - the values of the chart
 * @param failure - renders with values, and returns the location and message of such a call; undefined if there is none
 */
export function valuesThatAvoid(
  defaults: ValueMap,
  failure: (values: ValueMap) => string | undefined,
): readonly string[] {
  let values: ValueMap = new Map();
  let current = failure(values);
  const paths: string[] = [];
  let tries = 0;
  for (const path of candidatesIn(defaults, [])) {
    if (current === undefined || tries >= mostTries) break;
    tries += 1;
    const tried = mergeValues(values, valuesWith(path, toValue('fixed')));
    const next = failure(tried);
    if (next === current) continue;
    values = tried;
    current = next;
    paths.push(path.join('.'));
  }
  return current === undefined ? paths : [];
}

/** The paths of empty values whose name suggests a secret, those of Secrets that exist first. */
function candidatesIn(values: ValueMap, parent: readonly string[]): string[][] {
  const found = leavesOf(values, parent).filter(([path, value]) => isCandidate(path, value));
  const rank = (path: readonly string[]): number => (/existing/i.test(path.at(-1) ?? '') ? 1 : 0);
  return found.map(([path]) => path).toSorted((a, b) => rank(a) - rank(b));
}

function isCandidate(path: readonly string[], value: Value): boolean {
  return (value === '' || value === null || value === undefined) && likely.test(path.at(-1) ?? '');
}

function leavesOf(values: ValueMap, parent: readonly string[]): [string[], Value][] {
  return [...values].flatMap(([key, value]) => {
    const path = [...parent, key];
    return value instanceof Map ? leavesOf(value, path) : [[path, value] as [string[], Value]];
  });
}
