import { expect, test } from 'vitest';
import type { CommandWords } from '../../src/cli/commands/completion/command-words.ts';
import { commandWords } from '../../src/cli/run.ts';

/** Each option of each command, as `option: flag` or `option: value`, with the commands. */
function kinds(words: CommandWords, command = 'fleetwright'): readonly (readonly [string, string, string])[] {
  return [
    ...words.options.map(({ name, isFlag }) => [name, isFlag ? 'flag' : 'value', command] as const),
    ...words.commands.flatMap((inner) => kinds(inner, `${command} ${inner.name}`)),
  ];
}

test('an option is a flag in all commands that have it, or in none', () => {
  const all = kinds(commandWords());
  expect(all.length).toBeGreaterThan(200);
  const mixed = all.filter(
    ([name, kind]) =>
      // import takes the version of a chart, as helm does.
      name !== 'version' && all.some(([other, otherKind]) => other === name && otherKind !== kind),
  );
  expect(mixed).toEqual([]);
});

test('--quiet is an option of every command', () => {
  const commands = new Set(kinds(commandWords()).map(([, , command]) => command));
  const quiet = new Set(
    kinds(commandWords()).flatMap(([name, , command]) => (name === 'quiet' ? [command] : [])),
  );
  expect(quiet).toEqual(commands);
});
