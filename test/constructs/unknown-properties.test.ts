import { describe, expect, test } from 'vitest';
import { acceptedProperties, guardedCalls } from '../../constructs/accepted-properties.gen.ts';
import * as constructs from '../../constructs/index.ts';
import {
  App,
  Chart,
  ClusterManagementAddOn,
  DecisionGroup,
  Placement,
  type Rollout,
  Selector,
  collect,
} from '../../constructs/index.ts';

const structs: Readonly<Record<string, string>> = acceptedProperties;
const calls: Readonly<Record<string, readonly string[]>> = guardedCalls;

/** A struct below the parameters of a call, and what builds the argument around it. */
interface Place {
  readonly call: string;
  readonly index: number;
  readonly struct: string;
  readonly path: string;
  readonly wrap: (value: object) => unknown;
}

function placesBelow(place: Place, depth = 0): readonly Place[] {
  if (depth === 3) return [place];
  return [
    place,
    ...fieldsOf(place.struct).flatMap(([name, written]) =>
      structsIn(written).flatMap(({ struct, isList }) =>
        placesBelow(
          {
            ...place,
            struct,
            path: `${place.path}${place.path === '' ? '' : '.'}${name}${isList ? '[0]' : ''}`,
            wrap: (value) => place.wrap({ [name]: isList ? [value] : value }),
          },
          depth + 1,
        ),
      ),
    ),
  ];
}

function fieldsOf(struct: string): readonly (readonly [string, string])[] {
  return (structs[struct] ?? '')
    .split(' ')
    .map((field) => [field.slice(0, field.indexOf(':')), field.slice(field.indexOf(':') + 1)] as const);
}

function structsIn(written: string): { struct: string; isList: boolean }[] {
  return written.split('|').flatMap((type) => {
    const isList = type.startsWith('[]');
    const struct = isList ? type.slice(2) : type;
    return struct in structs ? [{ struct, isList }] : [];
  });
}

const places = Object.entries(calls).flatMap(([call, parameters]) =>
  parameters.flatMap((written, index) =>
    written.startsWith('...')
      ? []
      : structsIn(written).flatMap(({ struct, isList }) =>
          placesBelow({
            call,
            index,
            struct,
            path: isList ? '[0]' : '',
            wrap: (value) => (isList ? [value] : value),
          }),
        ),
  ),
);

/** Calls a function or constructor as an app does, with a value for one of its parameters. */
function run({ call, index, wrap }: Place, value: object): void {
  const args: unknown[] = [];
  args[index] = wrap(value);
  const [, name = '', separator, member = ''] = /^(?:new )?(\w+)(?:([.#])(\w+))?$/.exec(call) ?? [];
  const owner: unknown = Reflect.get(constructs, name);
  if (typeof owner === 'function' && call.startsWith('new ')) {
    args[0] ??= new Chart(new App(), 'chart', { namespace: 'ocm' });
    if (index > 0) args[1] = 'id';
    Reflect.construct(owner, args);
    return;
  }
  const holder: unknown = separator === '#' ? (owner as { prototype: unknown }).prototype : owner;
  const called: unknown = separator === undefined ? owner : Reflect.get(holder as object, member);
  Reflect.apply(called as () => unknown, undefined, args);
}

function messageOf(work: () => void): string {
  try {
    work();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  return 'accepted';
}

/** Misspells a name in one place: a letter missing, doubled, or swapped with its neighbor. */
function misspellings(name: string): readonly string[] {
  const at = Math.floor(name.length / 2);
  return [
    name.slice(0, at) + name.slice(at + 1),
    name.slice(0, at) + name.charAt(at) + name.slice(at),
    name.slice(0, at - 1) + name.charAt(at) + name.charAt(at - 1) + name.slice(at + 1),
  ];
}

describe('properties that an app misspells or puts in the wrong place', () => {
  test('every misspelling is refused, with the right name', () => {
    let count = 0;
    const wrong: string[] = [];
    for (const place of places) {
      const fields = fieldsOf(place.struct);
      const names = fields.map(([name]) => name);
      // Objects of Kubernetes may have any property.
      if (names.includes('*')) continue;
      for (const name of names.filter(({ length }) => length > 3)) {
        for (const misspelled of misspellings(name)) {
          if (names.includes(misspelled)) continue;
          count += 1;
          const message = messageOf(() => run(place, { [misspelled]: { a: 'b' } }));
          const suggestion = /did you mean (.*?)\?/.exec(message)?.[1]?.split(' or ') ?? [];
          if (
            !message.includes(
              `takes no property ${place.path}${place.path === '' ? '' : '.'}${misspelled}`,
            ) ||
            !suggestion.includes(name)
          )
            wrong.push(`${place.call} ${place.path} ${misspelled}: ${message}`);
        }
      }
    }
    expect(wrong).toEqual([]);
    expect(count).toBeGreaterThan(300);
  });

  test('every property of an inner object is refused in the outer one, which says where it belongs', () => {
    let count = 0;
    const wrong: string[] = [];
    for (const place of places) {
      const fields = fieldsOf(place.struct);
      const names = new Set(fields.map(([name]) => name));
      if (names.has('*')) continue;
      for (const [outer, written] of fields) {
        for (const { struct, isList } of structsIn(written)) {
          for (const [name] of fieldsOf(struct)) {
            if (names.has(name) || name === '*') continue;
            count += 1;
            const message = messageOf(() => run(place, { [name]: { a: 'b' } }));
            const owner = `${outer}${isList ? '[]' : ''}`;
            if (
              !message.includes('takes no property') ||
              !(/ is a property of .*/.exec(message)?.[0] ?? '').includes(owner)
            )
              wrong.push(`${place.call} ${place.path} ${name} of ${owner}: ${message}`);
          }
        }
      }
    }
    expect(wrong).toEqual([]);
    expect(count).toBeGreaterThan(100);
  });

  test('fields of manifests are refused, with our names', () => {
    const chart = new Chart(new App(), 'chart', { namespace: 'ocm' });
    const predicate: object = {
      requiredClusterSelector: { labelSelector: { matchLabels: { env: 'prod' } } },
    };
    expect(() => new Placement(chart, 'production', { predicates: [predicate] })).toThrow(
      'Placement takes no property predicates[0].requiredClusterSelector: use labels, claims and cel, without requiredClusterSelector',
    );
    const labels = { matchLabels: { env: 'prod' } } as unknown as Record<string, string>;
    expect(() => new Placement(chart, 'staging', { predicates: [{ labels }] })).toThrow(
      'Placement takes no property predicates[0].labels.matchLabels: write the pairs themselves',
    );
  });

  test('a property of a function is looked up below the property that it creates', () => {
    const chart = new Chart(new App(), 'chart', { namespace: 'ocm' });
    const strategy = { placement: Placement.reference('a', 'b'), minSuccessTime: 5 };
    expect(() => new ClusterManagementAddOn(chart, 'logs', { placements: [strategy] })).toThrow(
      'it is a property of Rollout.progressive, Rollout.progressivePerGroup and Rollout.promoted',
    );
    const rollout = { type: 'Progressive' } as unknown as Rollout;
    expect(
      () =>
        new ClusterManagementAddOn(chart, 'other', {
          placements: [{ placement: Placement.reference('a', 'b'), rollout }],
        }),
    ).toThrow('takes a Rollout as placements[0].rollout, not {"type":"Progressive"}: use Rollout.all, ');
  });

  test('the error names the construct, and its stack begins at the line of the app', () => {
    const placement = new Placement(new Chart(new App(), 'chart', { namespace: 'ocm' }), 'all');
    const wrong: object = { lables: { env: 'prod' } };
    let error: unknown;
    try {
      placement.addPredicate(wrong);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toMatchObject({ construct: 'chart/all', hint: 'did you mean labels?' });
    expect((error as Error).stack?.split('\n')[1]).toContain('unknown-properties.test.ts');
  });

  test('a class that extends a construct may pass on its own properties, but no misspelled ones', () => {
    class TeamPlacement extends Placement {
      readonly team = 'a';
    }
    const chart = new Chart(new App(), 'chart', { namespace: 'ocm' });
    const wider: object = { team: 'a', numberOfClusters: 1 };
    expect(new TeamPlacement(chart, 'one', wider).numberOfClusters).toBe(1);
    const misspelled: object = { numberOfCluster: 1 };
    expect(() => new TeamPlacement(chart, 'two', misspelled)).toThrow('did you mean numberOfClusters?');
  });
});

describe('conditions that are all empty', () => {
  const errorsOf = (predicate: object): readonly string[] => {
    const app = new App();
    new Placement(new Chart(app, 'chart', { namespace: 'ocm' }), 'all', { predicates: [predicate] });
    return collect(app).errors.map(({ message }) => message);
  };

  test.each([{ labels: {} }, { labels: undefined }, { cel: [] }, { labels: {}, claims: {}, cel: [] }])(
    'are refused: %j',
    (predicate) => {
      expect(errorsOf(predicate)).toEqual([
        expect.stringContaining('and would select all clusters: write {} or Selector.all() if it should'),
      ]);
    },
  );

  test.each([{}, { labels: Selector.all() }, { labels: {}, cel: ['true'] }])(
    'are accepted where the app says so: %j',
    (predicate) => {
      expect(errorsOf(predicate)).toEqual([]);
    },
  );

  test('a label without a value is refused', () => {
    expect(errorsOf({ labels: { env: undefined } })).toEqual([
      'the selector has no value for env, and would select without it: pass a text, or use Selector.exists for any value',
    ]);
  });

  test('a decision group with empty conditions is refused', () => {
    expect(() => DecisionGroup.named('canary', { labels: {} })).toThrow(
      'the decision group canary has only empty conditions (labels)',
    );
  });
});
