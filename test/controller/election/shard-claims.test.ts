import fc from 'fast-check';
import { expect, test } from 'vitest';
import { shardsFor, type Replica } from '../../../src/controller/election/shard-claims.ts';

const replica = (id: string, leads: number[] = [], waitsFor: number[] = []): Replica => ({
  id,
  leads,
  waitsFor,
});

test('a single replica claims all shards', () => {
  expect(shardsFor(replica('a'), [], 4)).toEqual([0, 1, 2, 3]);
});

test('a replica that joins gets a share, and the others keep as much as they can', () => {
  const a = replica('a', [0, 1, 2, 3]);
  expect(shardsFor(a, [replica('b')], 4)).toEqual([0, 1]);
  expect(shardsFor(replica('b'), [replica('a', [0, 1])], 4)).toEqual([2, 3]);
});

test('of two candidates for a shard, the one that does not come first withdraws', () => {
  const [a, b] = [replica('a', [], [0, 1]), replica('b', [], [0, 1])];
  expect(shardsFor(a, [b], 4)).toEqual([0, 1]);
  expect(shardsFor(b, [a], 4)).toEqual([2, 3]);
});

test('a candidate withdraws if another replica serves the shard', () => {
  expect(shardsFor(replica('a', [], [0]), [replica('b', [0])], 2)).toEqual([1]);
});

test('of a remainder, the replica that serves more keeps more', () => {
  expect(shardsFor(replica('b', [1, 2]), [replica('a', [0])], 3)).toEqual([1, 2]);
  expect(shardsFor(replica('a', [0]), [replica('b', [1, 2])], 3)).toEqual([0]);
});

/** The claims of replicas as all of them see them, and the Leases of the shards. */
class Group {
  readonly replicas = new Map<string, { leads: number[]; waitsFor: number[] }>();
  readonly #count: number;
  moves = 0;

  constructor(count: number) {
    this.#count = count;
  }

  /** One replica decides; then the Leases that are free go to the replicas that wait for them. */
  decide(id: string): void {
    const mine = this.replicas.get(id);
    if (mine === undefined) return;
    const others = [...this.replicas].flatMap(([name, claims]) =>
      name === id ? [] : [{ id: name, ...claims }],
    );
    const wanted = shardsFor({ id, ...mine }, others, this.#count);
    const leads = mine.leads.filter((shard) => wanted.includes(shard));
    this.moves += mine.leads.length - leads.length;
    this.replicas.set(id, { leads, waitsFor: wanted.filter((shard) => !leads.includes(shard)) });
  }

  takeFreeLeases(): void {
    for (const claims of this.replicas.values())
      for (const shard of claims.waitsFor.filter((each) => !this.isServed(each))) {
        claims.waitsFor = claims.waitsFor.filter((each) => each !== shard);
        claims.leads.push(shard);
        this.moves += 1;
      }
  }

  isServed(shard: number): boolean {
    return [...this.replicas.values()].some(({ leads }) => leads.includes(shard));
  }
}

test('after any sequence of joins and ends, all shards are served, equally, and nothing moves any more', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 16 }),
      fc.array(
        fc.record({
          event: fc.constantFrom('join', 'end', 'decide', 'lease'),
          id: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
        }),
        { maxLength: 60 },
      ),
      (count, events) => {
        const group = new Group(count);
        group.replicas.set('first', { leads: [], waitsFor: [] });
        for (const { event, id } of events) {
          if (event === 'join' && !group.replicas.has(id))
            group.replicas.set(id, { leads: [], waitsFor: [] });
          else if (event === 'end') group.replicas.delete(id);
          else if (event === 'decide') group.decide(id);
          else group.takeFreeLeases();
        }
        const round = (): void => {
          for (const id of group.replicas.keys()) group.decide(id);
          group.takeFreeLeases();
        };
        for (let rounds = 0; rounds < 6; rounds += 1) round();
        const served = [...group.replicas.values()].map(({ leads }) => leads.length);
        const unserved = Array.from({ length: count }, (_, shard) => shard).filter(
          (shard) => !group.isServed(shard),
        );
        expect(unserved).toEqual([]);
        expect(Math.max(...served) - Math.min(...served)).toBeLessThanOrEqual(1);
        const before = group.moves;
        round();
        expect(group.moves).toBe(before);
      },
    ),
  );
});
