import { describe, expect, test } from 'vitest';
import { hasColors, isInteractive, showsProgress } from '../../../src/cli/terminal/abilities.ts';

const terminal = { isTTY: true };
const pipe = {};

describe('colors', () => {
  test.each([
    ['a terminal', terminal, {}, true],
    ['a dumb terminal', terminal, { TERM: 'dumb' }, false],
    ['a pipe', pipe, {}, false],
    ['a pipe in CI', pipe, { CI: 'true' }, false],
    ['a terminal with NO_COLOR', terminal, { NO_COLOR: '1' }, false],
    ['a terminal with an empty NO_COLOR', terminal, { NO_COLOR: '' }, true],
    ['a pipe with FORCE_COLOR', pipe, { FORCE_COLOR: '1' }, true],
    ['a terminal with FORCE_COLOR=0', terminal, { FORCE_COLOR: '0' }, false],
    ['a pipe with both', pipe, { FORCE_COLOR: '1', NO_COLOR: '1' }, false],
  ])('%s', (_name, stream, env, expected) => {
    expect(hasColors(stream, env)).toBe(expected);
  });
});

test('progress is shown on a terminal, and not in CI, which may have one', () => {
  expect(showsProgress(terminal, {})).toBe(true);
  expect(showsProgress(terminal, { CI: 'true' })).toBe(false);
  expect(showsProgress(terminal, { TERM: 'dumb' })).toBe(false);
  expect(showsProgress(pipe, {})).toBe(false);
});

test('questions need a user who can read and answer them', () => {
  expect(isInteractive(terminal, terminal, {})).toBe(true);
  expect(isInteractive(pipe, terminal, {})).toBe(false);
  expect(isInteractive(terminal, pipe, {})).toBe(false);
  expect(isInteractive(terminal, terminal, { CI: '1' })).toBe(false);
});
