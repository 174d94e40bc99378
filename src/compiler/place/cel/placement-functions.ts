import { goQuote } from '../../../base/go/quote.ts';
import { listCost, mapCost, traversalCost } from '../../../engines/cel/run/cost.ts';
import { dyn, method, text } from '../../../engines/cel/function.ts';
import type { CallContext, FunctionDeclaration, Overload } from '../../../engines/cel/function.ts';
import { wellFormed } from '../../../engines/cel/syntax/text.ts';
import { dynType, listType, stringType } from '../../../engines/cel/check/types.ts';
import { CelList, CelMap, CelObject, typeName } from '../../../engines/cel/values/value.ts';
import { CelError, CelPanic } from '../../../engines/cel/error.ts';
import type { CelResult, CelValue } from '../../../engines/cel/values/value.ts';

/** The data that `scores` reads. */
export interface PlacementContext extends CallContext {
  /** Returns the entries of an AddOnPlacementScore; undefined if there is no such object. */
  readonly scores: (clusterName: string, name: string) => readonly Score[] | undefined;
}

/** One entry of an AddOnPlacementScore. */
export interface Score {
  readonly name: string;
  readonly value: number;
}

function hasScores(context: CallContext): context is PlacementContext {
  return 'scores' in context;
}

const scores: Overload = {
  id: 'cluster_scores',
  member: true,
  params: [dynType, stringType],
  result: listType(dynType),
  sequential: false,
  call: ([cluster, name], context) =>
    cluster === undefined || typeof name !== 'string' ? undefined : readScores(cluster, name, context),
};

/** As sdk-go's clusterScores: any value with a `metadata.name` is accepted as the cluster. */
function readScores(cluster: CelValue, name: string, context: CallContext): CelResult {
  if (!hasScores(context)) throw new Error('no scores were passed to the evaluation');
  const metadata = property(cluster, 'metadata');
  if (metadata === undefined) return new CelError('failed to get cluster metadata');
  const clusterName = property(metadata, 'name');
  if (clusterName === undefined) return new CelError('failed to get cluster name');
  if (typeof clusterName !== 'string')
    throw new CelPanic(
      `internal error: interface conversion: interface {} is ${typeName(clusterName)}, not string`,
    );
  const scoreList = context.scores(clusterName, name);
  if (scoreList === undefined)
    return new CelError(
      `failed to get score: addonplacementscore.cluster.open-cluster-management.io ${goQuote(name)} not found`,
    );
  const items = scoreList.map(
    (score) =>
      new CelObject(
        () =>
          new Map<string, CelValue>([
            ['name', score.name],
            ['value', BigInt(score.value)],
          ]),
      ),
  );
  return new CelList(items);
}

function property(value: CelValue, key: string): CelValue | undefined {
  if (value instanceof CelMap) return value.get(key);
  throw new CelPanic(`internal error: interface conversion: ${typeName(value)} is not traits.Mapper`);
}

/** OCM's functions for placements: the scores of a cluster, and JSON in annotations or claims. */
export const placementFunctions: readonly FunctionDeclaration[] = [
  {
    name: 'scores',
    overloads: [scores],
    cost: (_, result) => listCost + (result instanceof CelList ? result.size * (1 + mapCost) : 0),
  },
  {
    name: 'parseJSON',
    overloads: [method('parse_json_string', [text], dyn.type, parseJson)],
    cost: ([json = null], result) => traversalCost(json) + structuralCost(result),
  },
];

function parseJson(json: string): CelResult {
  let parsed: unknown;
  try {
    parsed = JSON.parse(json);
  } catch {
    // without the message of JavaScript's parser, which depends on its version
    return new CelError('failed to parse json: it is not JSON');
  }
  return fromJson(parsed);
}

/** All numbers become doubles. */
function fromJson(value: unknown): CelResult {
  if (typeof value === 'string') return wellFormed(value);
  if (typeof value === 'boolean') return value;
  if (typeof value === 'number')
    return Number.isFinite(value)
      ? value
      : new CelError('failed to parse json: json: cannot unmarshal number');
  if (typeof value !== 'object' || value === null) return null;
  if (Array.isArray(value)) {
    const items: CelValue[] = [];
    for (const item of value) {
      const converted = fromJson(item);
      if (converted instanceof CelError) return converted;
      items.push(converted);
    }
    return new CelList(items);
  }
  const fields = new Map<string, CelValue>();
  for (const [key, entry] of Object.entries(value)) {
    const converted = fromJson(entry);
    if (converted instanceof CelError) return converted;
    fields.set(wellFormed(key), converted);
  }
  return new CelObject(() => fields);
}

/** Returns the cost of creating a value from JSON. */
function structuralCost(value: CelResult): number {
  if (value instanceof CelMap) {
    let cost = mapCost;
    for (const [, entry] of value.entries()) cost += structuralCost(entry);
    return cost;
  }
  if (value instanceof CelList)
    return value.anyOrder.reduce<number>((cost, item) => cost + structuralCost(item), listCost);
  return 0;
}
