import { expect, test } from 'vitest';
import { runGo } from './process/build-program.ts';

test('addon-framework panics for an object that was deleted while it did not watch, as docs/controller.md says', () => {
  expect(runGo(import.meta.dirname, ['run', './upstream/deleted-object'])).toBe(
    'after 2 lists: runtime error: invalid memory address or nil pointer dereference\n',
  );
}, 600_000);
