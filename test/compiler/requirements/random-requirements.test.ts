import fc from 'fast-check';
import { expect, test } from 'vitest';
import { requirementCycles, type RequiredAddOns } from '../../../src/compiler/configure/required-add-ons.ts';
import { addOn, resolved } from './required-states.ts';

const names = ['a', 'b', 'c', 'd', 'e'];
const clusters = ['c1', 'c2', 'c3', 'c4'];

const field = fc.record({
  placement: fc.constantFrom('all', 'prod'),
  isProgressive: fc.boolean(),
  requires: fc.subarray(names),
});
const fields = fc.tuple(field, field, field, field, field);
type Fields = readonly { placement: string; isProgressive: boolean; requires: string[] }[];

/** The add-ons that each requires: any other, or only those that come later by name. */
function requirementsIn(graph: Fields, isAcyclic: boolean): ReadonlyMap<string, readonly string[]> {
  return new Map(
    graph.map(({ requires }, index) => {
      const name = names[index] ?? '';
      return [name, requires.filter((other) => (isAcyclic ? other > name : other !== name))];
    }),
  );
}

function objectsOf(graph: Fields, required: ReadonlyMap<string, readonly string[]>): object[] {
  return graph.flatMap(({ placement, isProgressive }, index) => {
    const name = names[index] ?? '';
    const others = required.get(name) ?? [];
    return addOn(name, {
      placement,
      rolloutStrategy: isProgressive
        ? { type: 'Progressive', progressive: { maxConcurrency: 2 } }
        : { type: 'All' },
      ...(others.length > 0 && { requires: others.join('\n') }),
    });
  });
}

test('on each cluster, an add-on is in a later wave than what it requires, and its own waves keep their order', () => {
  fc.assert(
    fc.property(fields, (graph) => {
      const required = requirementsIn(graph, true);
      const { rollouts } = resolved(objectsOf(graph, required)).resolution;
      const { rollouts: alone } = resolved(objectsOf(graph, new Map())).resolution;
      for (const name of names) {
        const [waves, own] = [rollouts.get(name)?.waveNumbers, alone.get(name)?.waveNumbers];
        for (const cluster of clusters) {
          const wave = waves?.get(cluster);
          for (const other of required.get(name) ?? []) {
            const before = rollouts.get(other)?.waveNumbers?.get(cluster);
            expect(wave ?? Infinity).toBeGreaterThan(before ?? 0);
          }
          for (const next of clusters)
            expect(Math.sign((waves?.get(cluster) ?? 0) - (waves?.get(next) ?? 0))).toBe(
              Math.sign((own?.get(cluster) ?? 0) - (own?.get(next) ?? 0)),
            );
        }
      }
    }),
    { numRuns: 25 },
  );
});

test('the clusters without a required add-on are those that a comparison of each cluster finds', () => {
  fc.assert(
    fc.property(fields, (graph) => {
      const required = requirementsIn(graph, false);
      const { resolution, diagnostics } = resolved(objectsOf(graph, required));
      const missing = names.flatMap((name) =>
        (required.get(name) ?? []).flatMap((other) => {
          const [on, of] = [name, other].map((each) => resolution.configuration.get(each)?.clusters);
          const lacking = clusters.filter(
            (cluster) => on?.has(cluster) === true && of?.has(cluster) !== true,
          );
          return lacking.length === 0 ? [] : [`${lacking.length} "${name}" "${other}"`];
        }),
      );
      const reported = diagnostics
        .filter(({ code }) => code === 'FW4015')
        .map(({ message }) =>
          message.replace(/^(\d+) clusters? gets? add-on (".*?") without (".*?").*$/, '$1 $2 $3'),
        );
      expect(reported.toSorted()).toEqual(missing.toSorted());
      const isCyclic = names.some((name) => reaches(name, name, required));
      expect(diagnostics.some(({ code }) => code === 'FW4016')).toBe(isCyclic);
    }),
    { numRuns: 25 },
  );
});

test('each cycle is a way through requirements back to its first add-on', () => {
  fc.assert(
    fc.property(fields, (graph) => {
      const required = requirementsIn(graph, false);
      const declared: RequiredAddOns = new Map(
        Array.from(required, ([name, others]) => [
          name,
          others.map((other) => ({ name: other, state: 'available' as const, variables: new Map() })),
        ]),
      );
      for (const cycle of requirementCycles(declared))
        for (const [index, name] of cycle.entries())
          expect(required.get(name)).toContain(cycle[(index + 1) % cycle.length]);
    }),
  );
});

function reaches(from: string, to: string, required: ReadonlyMap<string, readonly string[]>): boolean {
  const seen = new Set<string>(required.get(from));
  for (const name of seen) for (const other of required.get(name) ?? []) seen.add(other);
  return seen.has(to);
}
