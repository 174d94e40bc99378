/** What a word of a command line names. */
export type NamedThing = 'add-on' | 'app' | 'cluster' | 'config' | 'field' | 'hub' | 'plan format';

/** What the positional arguments of commands name, in order. */
const positionals: ReadonlyMap<string, readonly NamedThing[]> = new Map([
  ['synth', ['app']],
  ['diff', ['hub', 'hub']],
  ['render', ['cluster', 'add-on']],
  ['explain', ['cluster', 'add-on', 'field']],
  ['who-uses', ['config']],
]);

/** Options without a value. */
const flags = new Set([
  '--all',
  '--check',
  '--detailed-exit-code',
  '--quiet',
  '--show-secrets',
  '--strict',
  '--timings',
]);

/** Returns what the last word of a command line names; undefined if the workspace has no names for it. */
export function namedThing(words: readonly string[]): NamedThing | undefined {
  const [current = '', previous = ''] = words.toReversed();
  if (previous === '--app') return 'app';
  if (previous === '--hub') return 'hub';
  const [, command = '', ...typed] = words.slice(0, -1);
  if (command === 'plan' && /^(?:-o|--output)$/.test(previous)) return 'plan format';
  const isValue = (index: number): boolean => {
    const before = typed[index - 1] ?? '';
    return before.startsWith('-') && !before.includes('=') && !flags.has(before);
  };
  if (words.length < 3 || current.startsWith('-') || isValue(typed.length)) return undefined;
  const position = typed.filter((word, index) => !word.startsWith('-') && !isValue(index)).length;
  // synth takes any number of apps
  return positionals.get(command)?.[command === 'synth' ? 0 : position];
}
