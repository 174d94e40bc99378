import { checkSize, GoFunction, listItems, mapEntries, type Value } from '../../gotemplate/index.ts';
import { patternSize } from '../pattern-size.ts';

/**
 * The steps of functions whose work grows with their arguments, so that a template which calls them in a loop ends at its bound.
 * Texts count for every function, in the executor.
 */
const costs: readonly (readonly [RegExp, (args: readonly Value[]) => number])[] = [
  [
    /^(?:must)?(?:append|push|prepend|concat|rest|initial|reverse|slice|chunk|compact|last|first)$/i,
    items(1),
  ],
  [/^(?:keys|values|pick|omit|pluck|split|splitn|splitList|join|toStrings)$/, items(1)],
  [/^(?:must)?(?:uniq|without|has)$/i, items(10)],
  [/^sortAlpha$/, items(20)],
  [/^(?:must)?(?:deepCopy|merge|mergeOverwrite)$/i, nodes(2)],
  [/^(?:deepEqual|toString|quote|squote|cat)$/, nodes(10)],
  [/^(?:must)?to(?:Raw|Pretty)?Json$/i, nodes(4)],
  [/^(?:toYaml|toYamlPretty|toToml)$/, nodes(21)],
  [/^(?:must)?fromJson(?:Array)?$/i, characters(0.5)],
  [/^fromYaml(?:Array)?$/, ([text]) => yamlCost(text)],
  [/^fromToml$/, characters(1.5)],
  [/^(?:urlParse|urlJoin|semver|semverCompare|toDate|mustToDate|b32enc|b32dec|adler32sum)$/, characters(2)],
  [
    /^(?:upper|lower|title|untitle|snakecase|camelcase|kebabcase|swapcase|initials|wrap|wrapWith)$/,
    characters(0.8),
  ],
  [/^(?:must)?regex/i, ([pattern, text]) => patternCost(pattern, text)],
];

function items(weight: number): (args: readonly Value[]) => number {
  return (args) =>
    args.reduce<number>(
      (sum, arg) => sum + (listItems(arg)?.length ?? mapEntries(arg)?.size ?? 0) * weight,
      0,
    );
}

/** @param weight - the steps of each value, with all values in it */
function nodes(weight: number): (args: readonly Value[]) => number {
  return (args) => args.reduce<number>((sum, arg) => sum + checkSize(arg) * weight, 0);
}

function characters(weight: number): (args: readonly Value[]) => number {
  return (args) => args.reduce<number>((sum, arg) => sum + lengthOf(arg) * weight, 0);
}

function lengthOf(value: Value | undefined): number {
  return typeof value === 'string' ? value.length : 0;
}

/** The reader of YAML passes over long texts quickly, such as descriptions: most of its time is for lines, keys and items. */
function yamlCost(text: Value | undefined): number {
  if (typeof text !== 'string') return 0;
  let tokens = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    const isIndicator = character === ':' || character === '-' || character === '?';
    if ('\n,[{'.includes(character) || (isIndicator && /\s/.test(text.charAt(at + 1)))) tokens += 1;
  }
  return text.length * 0.25 + tokens * 6;
}

/** RE2 visits each state of the pattern for each character, in the worst case. */
function patternCost(pattern: Value, text: Value): number {
  const size = typeof pattern === 'string' ? Math.max(pattern.length, patternSize(pattern)) : 0;
  return size * 20 + lengthOf(text) * (1 + size / 3);
}

/** Returns a function that counts what its arguments cost before it is called. */
export function withCost(name: string, function_: GoFunction): GoFunction {
  const cost = costs.find(([names]) => names.test(name))?.[1];
  if (cost === undefined) return function_;
  const { parameters, isVariadic, result } = function_;
  return new GoFunction(parameters, isVariadic, result, (args, call) => {
    call.spend(cost(args));
    return function_.call(args, call);
  });
}
