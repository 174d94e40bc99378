import { goQuote } from '../../../base/go/quote.ts';
import { dyn, method, text } from '../function.ts';
import type { CallContext, FunctionDeclaration, Overload } from '../function.ts';
import { wellFormed } from '../text.ts';
import { dynType, listType, stringType } from '../types.ts';
import { CelList, CelMap, CelObject, typeName } from '../value.ts';
import { CelError, CelPanic } from '../error.ts';
import type { CelResult, CelValue } from '../value.ts';

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
export const openClusterManagementFunctions: readonly FunctionDeclaration[] = [
  { name: 'scores', overloads: [scores] },
  { name: 'parseJSON', overloads: [method('parse_json_string', [text], dyn.type, parseJson)] },
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
