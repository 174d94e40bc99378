import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { cel026, cel028, cel029, type CelBehaviour } from '../../../src/engines/cel/behaviour.ts';
import type { Score } from '../../../src/compiler/place/cel/placement-functions.ts';
import { ChainColumns } from '../../../src/engines/cel/run/chain-columns.ts';
import { managedClusterValue } from '../../../src/compiler/place/cel/managed-cluster-value.ts';
import { compileSelector, evaluate, type SelectorInput } from '../../../src/compiler/place/cel/selector.ts';
import type { ManagedClusterV1 } from '../../../schemas/types.gen.ts';

interface Cluster {
  readonly managedCluster: ManagedClusterV1;
  readonly scores: Readonly<Record<string, readonly Score[]>>;
}

/** What a hub answered: an error where the expression does not compile. */
interface Answer {
  readonly error?: string;
  readonly match?: boolean;
  /** Absent where it varies by the order in which Go goes through a map. */
  readonly cost?: number | undefined;
  /** The text of the evaluation error. */
  readonly fails?: string;
  /** Whether it cost more than it may. */
  readonly limit?: boolean;
}

interface Row extends Answer {
  readonly expr: string;
  readonly cluster: string;
  /** Whether the answer itself varies by that order. */
  readonly unstable?: boolean;
  /** The answers of hubs with other versions of cel-go, where they differ from 0.28. */
  readonly '0.26'?: Answer;
  readonly '0.29'?: Answer;
}

interface SpecRow {
  readonly expr: string;
  readonly compileError?: string;
  readonly match: boolean;
  readonly cost: number;
}

function read(name: string): unknown {
  return JSON.parse(readFileSync(new URL(`../../conformance/${name}`, import.meta.url), 'utf8'));
}

/** All answers are given with what earlier expressions read of the same cluster, as in a fleet. */
const chains = new ChainColumns();
let rows = 0;

function inputOf({ managedCluster, scores }: Cluster): SelectorInput {
  return {
    chains,
    row: rows++,
    variables: new Map([['managedCluster', managedClusterValue(managedCluster, { complete: true })]]),
    scores: (_cluster, name) => scores[name],
  };
}

/** Our answer in the form of a row; undefined if our verdict is undecided. */
function answer(expression: string, input: SelectorInput, behaviour: CelBehaviour): Answer | undefined {
  const { program, error } = compileSelector(expression, behaviour);
  if (error !== undefined) return { error };
  if (program === undefined) return undefined;
  const evaluation = evaluate(program, input);
  if (evaluation.verdict === 'cannot tell') return undefined;
  const { cost } = evaluation;
  if (evaluation.verdict === 'match') return { match: true, cost };
  const { reason } = evaluation;
  if (reason.kind === 'cost limit') return { match: false, cost, limit: true };
  return { match: false, cost, ...(reason.kind === 'error' && { fails: reason.message }) };
}

/** The answer without the texts of errors. */
function outline({ error, match, cost, fails, limit = false }: Answer): string {
  if (error !== undefined) return 'does not compile';
  return `${match ? 'match' : 'no match'} at ${cost}, ${fails === undefined ? 'without' : 'with'} error, limit: ${limit}`;
}

describe('answers of real hubs', () => {
  const { clusters, rows } = read('cel-vectors.json') as { clusters: Record<string, Cluster>; rows: Row[] };
  const inputs = new Map(Object.entries(clusters).map(([name, cluster]) => [name, inputOf(cluster)]));

  function ours(row: Row, behaviour: CelBehaviour): Answer | undefined {
    const input = inputs.get(row.cluster);
    if (input === undefined) throw new Error(`no cluster ${row.cluster}`);
    return answer(row.expr, input, behaviour);
  }

  const stable = rows.filter(({ unstable }) => unstable !== true);
  const decided = stable.filter((row) => ours(row, cel028) !== undefined);

  test.each([
    ['0.26', cel026, (row: Row) => row['0.26'] ?? row],
    ['0.28', cel028, (row: Row) => row],
    ['0.29', cel029, (row: Row) => row['0.29'] ?? row],
  ])('of cel-go %s are ours: verdict, cost, and whether it fails', (_version, behaviour, theirs) => {
    const different = stable.flatMap((row) => {
      const hub = theirs(row);
      const own = ours(row, behaviour);
      if (own === undefined) return [];
      // without a cost where that depends on the order of a map
      const same = outline({ ...own, cost: hub.cost === undefined ? undefined : own.cost }) === outline(hub);
      return same ? [] : [{ expr: row.expr, hub, own }];
    });
    expect(different).toEqual([]);
  });

  test('are undecided if the hub leaves them to chance', () => {
    const unstable = rows.filter((row) => row.unstable === true);
    expect(unstable.length).toBeGreaterThan(0);
    expect(unstable.map((row) => ours(row, cel028))).toEqual(unstable.map(() => undefined));
  });

  test('are left open for few others', () => {
    expect(stable.filter((row) => !decided.includes(row)).map(({ expr }) => expr)).toMatchInlineSnapshot(`
      [
        "google.protobuf.Int64Value{value: 1}",
        "timestamp("2020-01-01T00:00:00Z").getHours("Local")",
        "timestamp("2020-01-01T00:00:00Z").getHours("America/New_York")",
        "timestamp("2020-01-01T00:00:00Z").getHours("Nowhere/X")",
        "managedCluster.metadata.labels.map(k, k).join(",") == "env,json,v"",
        ""%s".format([managedCluster.metadata.labels.map(k, k)])",
        "managedCluster.metadata.labels.all(k, [1,2,3,4,5,6,7,8,9,10].all(a, [1,2,3,4,5,6,7,8,9,10].all(b, [1,2,3,4,5,6,7,8,9,10].all(c, [1,2,3,4,5,6,7,8,9,10].all(d, [1,2,3,4,5,6,7,8,9,10].all(e, k != "env" || k == "env" && d > 0))))))",
        ""ab".matches("\\\\p{Letter}")",
        ""ab".matches("\\\\p{lu}")",
        ""ab".matches("\\\\pN\\\\p{Nd}\\\\p{ASCII}")",
        ""ab".matches("\\\\p{Deseret}|\\\\p{Kawi}|\\\\p{Garay}")",
        ""ß_".matches("(?:(?P<n>a)\\\\p{Foo})")",
      ]
    `);
  });

  test('have the texts of ours, with few exceptions', () => {
    const different = decided.filter((row) => {
      const found = ours(row, cel028);
      return found?.error !== row.error || found?.fails !== row.fails;
    });
    expect({ decided: decided.length, different: different.length }).toMatchInlineSnapshot(`
      {
        "decided": 1004,
        "different": 62,
      }
    `);
  });
});

describe('answers of a hub with cel-go 0.29', () => {
  const { cases, managedCluster, scores } = read('placement-cel-vectors.json') as Cluster & {
    cases: SpecRow[];
  };
  const input = inputOf({ managedCluster, scores });
  const different = (behaviour: CelBehaviour) =>
    cases.flatMap(({ expr, compileError, match, cost }) => {
      const found = answer(expr, input, behaviour);
      const same =
        compileError === undefined
          ? found?.match === match && found.cost === cost
          : found?.error?.startsWith('compilation failed: ERROR: <input>:') === true;
      return same ? [] : [{ expr, match: found?.match === match, cost, ours: found?.cost }];
    });

  test('are all ours', () => {
    expect(cases.length).toBe(88);
    expect(different(cel029)).toEqual([]);
  });

  test('differ from 0.28 in the cost of string functions', () => {
    expect(different(cel028)).toMatchInlineSnapshot(`
      [
        {
          "cost": 11,
          "expr": "managedCluster.metadata.labels.env.lowerAscii() == "prod"",
          "match": true,
          "ours": 6,
        },
        {
          "cost": 23,
          "expr": "int(managedCluster.metadata.labels.v.split(".")[1]) >= 29",
          "match": true,
          "ours": 9,
        },
        {
          "cost": 16,
          "expr": ""a,b".split(",").size() == 2",
          "match": true,
          "ours": 3,
        },
      ]
    `);
  });
});
