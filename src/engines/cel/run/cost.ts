import type { CelBehaviour } from '../behaviour.ts';
import { codePointLength } from '../syntax/text.ts';
import { CelList, CelMap, CelOptional, CelUint } from '../values/value.ts';
import { CelError } from '../error.ts';
import type { CelResult } from '../values/value.ts';

/** Kubernetes' maximum cost of one expression (`PerCallLimit`). */
export const expressionCostLimit = 1_000_000;

export const listCost = 10;
export const mapCost = 30;

const traversal = (size: number) => Math.ceil(size * 0.1);

/**
 * Returns the cost of a call, by its overload. `overload` is empty if the types of the arguments match several overloads. As
 * cel-go's CostTracker, without the estimator of Kubernetes.
 */
export function callCost(
  behaviour: CelBehaviour,
  overload: string,
  args: readonly CelResult[],
  result: CelResult,
): number {
  const [first = null, second = null] = args;
  if (behaviour.chargesStringFunctions) {
    const cost = stringFunctionCost(overload, first, second, result);
    if (cost !== undefined) return cost;
  }
  switch (overload) {
    case 'starts_with_string':
    case 'ends_with_string':
      return traversal(sizeOf(behaviour.chargesPrefixByArgument ? second : first));
    case 'string_to_bytes':
    case 'bytes_to_string':
    case 'strings_quote':
    case 'string_format':
      return traversal(sizeOf(first));
    case 'in_list':
      return sizeOf(second);
    case 'less_string':
    case 'greater_string':
    case 'less_equals_string':
    case 'greater_equals_string':
    case 'less_bytes':
    case 'greater_bytes':
    case 'less_equals_bytes':
    case 'greater_equals_bytes':
      return comparisonCost(first, second);
    case 'add_string':
    case 'add_bytes':
      return traversal(sizeOf(first) + sizeOf(second));
    case 'matches_string':
      return matchCost(first, second);
    case 'matches':
      return behaviour.chargesGlobalMatches ? matchCost(first, second) : 1;
    case 'contains_string':
      return traversal(sizeOf(first)) * traversal(sizeOf(second));
    default:
      return 1;
  }
}

/** Returns the cost of comparing two values: a tenth of the size of the shorter one. */
export function comparisonCost(first: CelResult, second: CelResult): number {
  return traversal(Math.min(sizeOf(first), sizeOf(second)));
}

function matchCost(text: CelResult, pattern: CelResult): number {
  return traversal(1 + sizeOf(text)) * Math.ceil(sizeOf(pattern) * 0.25);
}

/** As the cost trackers of the strings extension from its version 5 on. */
function stringFunctionCost(
  overload: string,
  first: CelResult,
  second: CelResult,
  result: CelResult,
): number | undefined {
  const size = nodeSize(first);
  switch (overload) {
    case 'string_char_at_int':
      return 1 + traversal(size) + 1;
    case 'string_lower_ascii':
    case 'string_upper_ascii':
    case 'string_substring_int':
    case 'string_substring_int_int':
    case 'string_trim':
    case 'string_reverse':
      return 1 + traversal(size) + nodeSize(result);
    case 'string_index_of_string':
    case 'string_index_of_string_int':
    case 'string_last_index_of_string':
    case 'string_last_index_of_string_int':
      return traversal(size * nodeSize(second)) + 1;
    case 'string_replace_string_string':
    case 'string_replace_string_string_int':
      return 1 + traversal((size || 1) * (nodeSize(second) || 1)) + nodeSize(result);
    case 'string_split_string':
    case 'string_split_string_int':
      return 1 + traversal(size + 1) + nodeSize(result) + listCost;
    case 'list_join':
    case 'list_join_string':
      return 1 + traversal(size + 1) + nodeSize(result);
    default:
      return undefined;
  }
}

/** Returns the cost of reading all of a value. */
export function traversalCost(value: CelResult): number {
  return traversal(nodeSize(value));
}

/** Returns the size that a value counts with: its own, or that of the value in an optional. */
function sizeOf(value: CelResult): number {
  return value instanceof CelOptional && value.value !== undefined ? sizeOf(value.value) : nodeSize(value);
}

/** Returns 1 for all values without a size. */
function nodeSize(value: CelResult): number {
  if (typeof value === 'string') return codePointLength(value);
  if (value === null || typeof value !== 'object' || value instanceof CelError || value instanceof CelUint)
    return 1;
  if (value instanceof CelList || value instanceof CelMap) return value.size;
  if (value instanceof Uint8Array) return value.length;
  return 'size' in value && typeof value.size === 'number' ? value.size : 1;
}
