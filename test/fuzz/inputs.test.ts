import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { commandLines } from './command-lines.ts';
import { InputMaker, inputKinds } from './input.ts';
import { runInput } from './run-input.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'fleetwright-fuzz-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const maker = new InputMaker();
const seeds = Array.from({ length: 120 }, (_, index) => index);

test('mutated inputs are of every kind, and most commands are among those that run on them', () => {
  const inputs = seeds.map((seed) => maker.input(seed));
  expect(new Set(inputs.map(({ input }) => input.kind))).toEqual(new Set(inputKinds));
  const all = inputs.flatMap(({ input }) => commandLines(input).map(([name]) => name));
  expect(new Set(inputs.map(({ command: [name] }) => name))).toEqual(new Set(all));
});

test('a number makes the same input again', () => {
  expect(maker.input(7)).toEqual(new InputMaker().input(7));
});

test('mutated inputs end every command with an answer, and leave no partial output', async () => {
  const failures: unknown[] = [];
  for (const seed of seeds) {
    const { input, command } = maker.input(seed);
    const { code, out, err, problems } = await runInput(input, command, folder);
    failures.push(...problems.map((problem) => ({ seed, command, ...problem })));
    if (seed % 20 !== 0) continue;
    const again = await runInput(input, command, folder);
    expect({ code: again.code, out: again.out, err: again.err }).toEqual({ code, out, err });
  }
  expect(failures).toEqual([]);
});
