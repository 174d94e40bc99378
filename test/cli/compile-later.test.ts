import { expect, test } from 'vitest';
import { laterCompilation } from '../../src/cli/startup/compile-later.ts';

test('only Node 20 compiles later, because V8 prints an error for a flag that it does not have', () => {
  const releases = ['20.19.0', '22.12.0', '24.0.0', '26.0.0'];

  expect(releases.filter((release) => laterCompilation(release) !== undefined)).toEqual(['20.19.0']);
});
