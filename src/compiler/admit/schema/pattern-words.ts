/** The requirement of a schema pattern, in words. */
export interface PatternWords {
  /** The required form of the field: `a percentage or a number`. */
  readonly noun: string;
  /** The suggested form, for a value that does not match. */
  readonly hint: (value: string) => string;
}

const example =
  (text: string): PatternWords['hint'] =>
  () =>
    text;

/** Descriptions of common patterns of OCM's schemas, by the pattern. */
const words: readonly (readonly [pattern: RegExp, words: PatternWords])[] = [
  [
    /^\^\(\(100\|/,
    {
      noun: 'a number of clusters or a percentage',
      hint: (value) =>
        /^\d{3,}%$/.test(value)
          ? 'write at most 100%'
          : 'write a percentage of at most 100%, such as 25%, or a whole number',
    },
  ],
  [
    /^\^\(\(\[0-9\]\)\+\[h\|m\|s\]\)/,
    { noun: 'a duration', hint: example('write one number with h, m or s, such as 90m, or None') },
  ],
  [/^\^\(\[0-9\]\+\(s\|m\|h\)\)\+/, { noun: 'a duration', hint: example('write it as 90s, 30m or 1h30m') }],
  [
    /^\^\[0-9\]\+\[hms\]/,
    { noun: 'a duration', hint: example('write one number with h, m or s, such as 90m') },
  ],
  [/^\^\(\\\+\|-\)\?/, { noun: 'a quantity', hint: quantityHint }],
  [
    /^\^\(deployments\|daemonsets/,
    {
      noun: 'a container id',
      hint: (value) => {
        const [kind = ''] = value.split(':');
        return `write the plural of the kind, the workload and the container, such as deployments:agent:main${
          kinds.has(`${kind.toLowerCase()}s`) ? `; here ${kind.toLowerCase()}s instead of ${kind}` : ''
        }`;
      },
    },
  ],
  [
    /^\^\(\[a-z0-9\].*\[A-Za-z0-9\]\)?\$$/,
    { noun: 'a key', hint: example('write letters, digits, -, _ and ., such as gpu or example.com/gpu') },
  ],
  [
    /^\^\[a-zA-Z_\]/,
    { noun: 'the name of a variable', hint: example('write letters, digits and _, such as LOG_LEVEL') },
  ],
  [
    /^\^\[a-z0-9\]\(\[-a-z0-9\]\*\[a-z0-9\]\)\?\$$/,
    { noun: 'a name', hint: example('write lower-case letters, digits and -, such as edge-1') },
  ],
];

const kinds: ReadonlySet<string> = new Set([
  'deployments',
  'daemonsets',
  'statefulsets',
  'replicasets',
  'jobs',
  'cronjobs',
  'pods',
]);

/** Returns the description of a pattern; undefined if only the pattern itself can be printed. */
export function patternWords(pattern: string): PatternWords | undefined {
  return words.find(([form]) => form.test(pattern))?.[1];
}

/** Suggests `128M` for `128MB`, or `128Mi` for powers of two. */
function quantityHint(value: string): string {
  const [, amount, unit = ''] = /^(\d+(?:\.\d+)?)\s*([kKmMgGtT])i?[bB](?:ytes?)?$/.exec(value) ?? [];
  if (amount === undefined) return 'write a number with a unit, such as 500m, 2, 128Mi or 1Gi';
  const letter = unit.toUpperCase();
  return `write ${amount}${letter}i (powers of 1024), or ${amount}${letter === 'K' ? 'k' : letter} (powers of 1000)`;
}
