import { expect, test } from 'vitest';
import { RecordedFields } from '../../../src/base/collections/recorded-fields.ts';

interface State {
  readonly a: object;
  readonly b: object;
  readonly c?: object;
  readonly part: { readonly d: object; readonly e: object };
}

const [one, other] = [{}, {}];
const state: State = { a: one, b: one, part: { d: one, e: one } };

/** Returns whether what was read is the same in each of the other states. */
function currentAfter(read: (state: State) => unknown): Readonly<Record<string, boolean>> {
  const recorded = new RecordedFields(state, ['part']);
  read(recorded.object);
  recorded.end();
  const states: Readonly<Record<string, State>> = {
    same: { ...state, part: { ...state.part } },
    a: { ...state, a: other },
    b: { ...state, b: other },
    c: { ...state, c: other },
    d: { ...state, part: { d: other, e: one } },
    e: { ...state, part: { d: one, e: other } },
  };
  return Object.fromEntries(
    Object.entries(states).map(([name, each]) => [name, recorded.isCurrent(each)] as const),
  );
}

const all = { same: true, a: true, b: true, c: true, d: true, e: true };

test('what was read must be the same, and nothing else', () => {
  expect(currentAfter(() => undefined)).toEqual(all);
  expect(currentAfter(({ a }) => a)).toEqual({ ...all, a: false });
  expect(currentAfter(({ part: { d } }) => d)).toEqual({ ...all, d: false });
});

test('a field that is missing was read, too', () => {
  expect(currentAfter(({ c }) => c)).toEqual({ ...all, c: false });
  expect(currentAfter((each) => 'c' in each)).toEqual({ ...all, c: false });
});

test('a copy reads all fields', () => {
  const none = { same: true, a: false, b: false, c: false };
  expect(currentAfter((each) => ({ ...each }))).toEqual({ ...none, d: true, e: true });
  expect(currentAfter((each) => ({ ...each.part }))).toEqual({ ...all, d: false, e: false });
});

test('what is read is what the object has', () => {
  const { object } = new RecordedFields(state, ['part']);
  expect({ ...object, part: { ...object.part } }).toEqual(state);
  expect(object.a).toBe(one);
});

test('it is known which fields were read', () => {
  const recorded = new RecordedFields(state, ['part']);
  void recorded.object.b;
  expect((['a', 'b'] as const).map((key) => recorded.hasRead(key))).toEqual([false, true]);
});

test('a field that is read after the recording is a fault', () => {
  const recorded = new RecordedFields(state);
  recorded.end();
  expect(() => recorded.object.a).toThrow('after the recording');
});
