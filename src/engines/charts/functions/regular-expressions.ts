import { RE2JS } from 're2js';
import {
  FunctionError,
  goFunction,
  quoted,
  TypedList,
  type Call,
  type GoFunction,
  type Value,
} from '../../gotemplate/index.ts';
import { checkLength, intArgument, textList } from './conversion.ts';

interface Match {
  readonly start: number;
  readonly end: number;
  /** The whole match first; undefined for groups without a match. */
  readonly groups: readonly (string | undefined)[];
}

const compiled = new Map<string, RE2JS | string>();
const mostCompiled = 1000;

/** Returns a pattern, or RE2's error. */
function compile(pattern: string): RE2JS | string {
  const cached = compiled.get(pattern);
  if (cached !== undefined) return cached;
  if (compiled.size >= mostCompiled) compiled.clear();
  let result: RE2JS | string;
  try {
    result = RE2JS.compile(pattern);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    result = error.message;
  }
  compiled.set(pattern, result);
  return result;
}

/** As regexp.Compile. */
function orFail(pattern: string): RE2JS {
  const result = compile(pattern);
  if (typeof result === 'string') throw new FunctionError(result);
  return result;
}

/** As regexp.MustCompile, which panics with the pattern. */
function orPanic(pattern: string): RE2JS {
  const result = compile(pattern);
  if (typeof result !== 'string') return result;
  const shown = pattern.includes('`') ? quoted(pattern) : `\`${pattern}\``;
  throw new FunctionError(`regexp: Compile(${shown}): ${result}`);
}

type Run = (expression: RE2JS, args: readonly Value[], call: Call) => Value;

/** The functions of a name: one panics for an invalid pattern, the other returns the error. */
function pair(name: string, signature: string, run: Run): [string, GoFunction][] {
  const defined = (read: (pattern: string) => RE2JS): GoFunction =>
    goFunction(signature, ([pattern, ...args], call) => {
      call.spend(Math.ceil((args[0] as string).length / 10));
      return run(read(pattern as string), args, call);
    });
  return [
    [name, defined(orPanic)],
    [`must${name.slice(0, 1).toUpperCase()}${name.slice(1)}`, defined(orFail)],
  ];
}

/** Functions on regular expressions in RE2's syntax. */
export const regularExpressionFunctions: Readonly<Record<string, GoFunction>> = {
  regexMatch: goFunction('string, string -> bool', ([pattern, text]) => {
    const expression = compile(pattern as string);
    return typeof expression === 'string' ? false : expression.matcher(text as string).find();
  }),
  mustRegexMatch: goFunction('string, string -> bool', ([pattern, text]) =>
    orFail(pattern as string)
      .matcher(text as string)
      .find(),
  ),
  regexQuoteMeta: goFunction('string -> string', ([text]) =>
    (text as string).replaceAll(/[\\.+*?()|[\]{}^$]/g, '\\$&'),
  ),
  ...Object.fromEntries([
    ...pair('regexFindAll', 'string, string, int -> []string', (expression, [text, count]) =>
      matchedTexts(allMatches(expression, text as string, intArgument(count))),
    ),
    ...pair(
      'regexFind',
      'string, string -> string',
      (expression, [text]) => allMatches(expression, text as string, 1)[0]?.groups[0] ?? '',
    ),
    ...pair('regexReplaceAll', 'string, string, string -> string', (expression, [text, template]) =>
      replaceAll(expression, text as string, (match) => expanded(template as string, match, expression)),
    ),
    ...pair('regexReplaceAllLiteral', 'string, string, string -> string', (expression, [text, replacement]) =>
      replaceAll(expression, text as string, () => replacement as string),
    ),
    ...pair('regexSplit', 'string, string, int -> []string', (expression, [text, count]) =>
      splitBy(expression, text as string, intArgument(count)),
    ),
  ]),
};

function matchedTexts(matches: readonly Match[]): TypedList {
  return new TypedList(
    '[]string',
    matches.map(({ groups }) => groups[0] ?? ''),
    matches.length === 0,
  );
}

function widthAt(text: string, at: number): number {
  const code = text.codePointAt(at);
  return code === undefined ? 1 : String.fromCodePoint(code).length;
}

type Matcher = ReturnType<RE2JS['matcher']>;

function matchFrom(matcher: Matcher, at: number): Match | undefined {
  if (!matcher.find(at)) return undefined;
  const groups = Array.from(
    { length: matcher.groupCount() + 1 },
    (_, index) => matcher.group(index) ?? undefined,
  );
  return { start: matcher.start(), end: matcher.end(), groups };
}

/** As FindAll: an empty match right after another match does not count. */
function allMatches(expression: RE2JS, text: string, count: number): Match[] {
  const most = count < 0 ? text.length + 1 : count;
  // A matcher reads the whole text when it is created.
  const matcher = expression.matcher(text);
  const matches: Match[] = [];
  let previousEnd = -1;
  for (let at = 0; matches.length < most && at <= text.length;) {
    const match = matchFrom(matcher, at);
    if (match === undefined) break;
    const isRepeated = match.end === at && match.start === previousEnd;
    at = match.end === at ? at + widthAt(text, at) : match.end;
    previousEnd = match.end;
    if (!isRepeated) matches.push(match);
  }
  return matches;
}

/** As ReplaceAll. */
function replaceAll(expression: RE2JS, text: string, replacement: (match: Match) => string): string {
  const matcher = expression.matcher(text);
  let result = '';
  let lastEnd = 0;
  for (let at = 0; at <= text.length;) {
    const match = matchFrom(matcher, at);
    if (match === undefined) break;
    result += text.slice(lastEnd, match.start);
    if (match.end > lastEnd || match.start === 0) result += replacement(match);
    checkLength(result.length);
    lastEnd = match.end;
    const width = at < text.length ? widthAt(text, at) : 0;
    if (at + width > match.end) at += width;
    else if (at + 1 > match.end) at += 1;
    else at = match.end;
  }
  return result + text.slice(lastEnd);
}

/** Replaces `$1` and `${name}`. As Expand: a name is as long as it can be. */
function expanded(template: string, { groups }: Match, expression: RE2JS): string {
  return template.replaceAll(
    /\$(?:(\$)|(\w+)|\{(\w+)\})/g,
    (_, dollar?: string, plain?: string, braced?: string) => {
      if (dollar !== undefined) return '$';
      const name = plain ?? braced ?? '';
      if (/^\d+$/.test(name)) return groups[Number(name)] ?? '';
      const index = expression.namedGroups()[name];
      return index === undefined ? '' : (groups[index] ?? '');
    },
  );
}

/** As Split. */
function splitBy(expression: RE2JS, text: string, count: number): TypedList {
  if (count === 0) return new TypedList('[]string', [], true);
  if (text === '' && expression.pattern() !== '') return textList(['']);
  const parts: string[] = [];
  let [start, end] = [0, 0];
  for (const match of allMatches(expression, text, count)) {
    if (count > 0 && parts.length === count - 1) break;
    end = match.start;
    if (match.end !== 0) parts.push(text.slice(start, end));
    start = match.end;
  }
  if (end !== text.length) parts.push(text.slice(start));
  return textList(parts);
}
