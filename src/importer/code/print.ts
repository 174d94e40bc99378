import type { Expression, Item, Property, Statement } from './expression.ts';
import {
  firstThatFits,
  group,
  hardline,
  indent,
  join,
  layOut,
  line,
  literalLine,
  softline,
  trailingComma,
  willBreak,
  type Doc,
} from './layout.ts';
import { hasLines, isIdentifier, numeral, propertyKey, quoted, templateLines } from './literals.ts';

/** The line width of the code that import writes, as in Fleetwright's own repositories. */
const printWidth = 110;

/** A part of a module: a statement, or a text that is printed unchanged. An empty text is an empty line. */
export type ModulePart = Statement | string;

/** Returns a module as prettier would print it. */
export function printModule(parts: readonly ModulePart[]): string {
  const docs = parts.map((part) => (typeof part === 'string' ? part : statement(part)));
  return `${layOut(join(hardline, docs), printWidth)}\n`;
}

/** Prints `import { … } from '…';` */
export function importOf(names: readonly string[], module: string): string {
  const items = join([',', line], names);
  return layOut(
    group(['import {', indent([line, items, trailingComma]), line, `} from ${quoted(module)};`]),
    printWidth,
  );
}

/** Prints `export function name() { … }` */
export function printFunction(name: string, body: readonly ModulePart[]): string {
  const docs = body.map((part) => (typeof part === 'string' ? part : statement(part)));
  return layOut(
    [`export function ${name}(): void {`, indent([hardline, join(hardline, docs)]), hardline, '}'],
    printWidth,
  );
}

/** Prints one line comment per line. A character that only JavaScript treats as a line end becomes a space. */
export function commentLines(comments: readonly string[]): string[] {
  return comments.map((text) => {
    const printable = text.replaceAll(/[\r\u2028\u2029]/g, ' ').trimEnd();
    return printable === '' ? '//' : `// ${isDirective.test(printable) ? '# ' : ''}${printable}`;
  });
}

// A tool directive in a comment was plain text in the YAML.
const isDirective = /^\s*(?:@|prettier-|eslint-|oxlint-|#)/;

function withComments(comments: readonly string[] | undefined, doc: Doc): Doc {
  if (comments === undefined || comments.length === 0) return doc;
  return [join(hardline, commentLines(comments)), hardline, doc];
}

function statement({ name, value, comments, exported = false }: Statement): Doc {
  const left = `${exported ? 'export ' : ''}const ${name} =`;
  const doc = name === undefined ? print(value) : group(assignment(left, value, false));
  return withComments(comments, [doc, ';']);
}

function print(expression: Expression): Doc {
  switch (expression.type) {
    case 'literal':
      break;
    case 'name':
      return expression.name;
    case 'member':
      return [print(expression.object), '.', expression.member];
    case 'new':
      return ['new ', print(expression.callee), printArguments(expression.arguments)];
    case 'call':
      return printChain(expression);
    case 'list':
      return printList(expression.items);
    case 'object':
      return printObject(expression.properties);
    case 'template':
      return printTemplate(expression.parts);
    case 'function':
      return printArrow(expression);
  }
  return printLiteral(expression.value);
}

function printLiteral(value: Extract<Expression, { type: 'literal' }>['value']): Doc {
  if (typeof value === 'string') return hasLines(value) ? printTemplate([value]) : quoted(value);
  return typeof value === 'number' || typeof value === 'bigint' ? numeral(value) : String(value);
}

function printTemplate(parts: readonly (string | Expression)[]): Doc {
  const docs = parts.map((part): Doc =>
    typeof part === 'string'
      ? join(literalLine, templateLines(part))
      : // prettier never breaks the expression in `${}`
        ['${', layOut(print(part), Infinity), '}'],
  );
  return ['`', docs, '`'];
}

function printArrow({ parameter, body }: Extract<Expression, { type: 'function' }>): Doc {
  if (body.length === 0) return '() => {}';
  const statements = body.map((part, index) =>
    index > 0 && isLong(part) ? [hardline, statement(part)] : statement(part),
  );
  return [`(${parameter}) => {`, indent([hardline, join(hardline, statements)]), hardline, '}'];
}

/** Whether a statement has several lines. Such statements have an empty line before them. */
function isLong({ value, comments = [] }: Statement): boolean {
  return comments.length > 0 || value.type === 'new';
}

function printObject(properties: readonly Property[]): Doc {
  if (properties.length === 0) return '{}';
  const docs = properties.map(({ key, value, comments }) => {
    const left = propertyKey(key);
    // prettier keeps the value on the line of a very short key
    const doc = isShorthand(key, value) ? key : group(assignment(`${left}:`, value, left.length <= 2));
    return withComments(comments, doc);
  });
  return group(['{', indent([line, join([',', line], docs)]), trailingComma, line, '}']);
}

function isShorthand(key: string, value: Expression): boolean {
  return value.type === 'name' && value.name === key && isIdentifier(key);
}

function assignment(left: string, value: Expression, hasShortKey: boolean): Doc {
  if (hasShortKey || !movesDown(value)) return [left, ' ', print(value)];
  return [left, group(indent([line, print(value)]))];
}

/**
 * Whether prettier puts the value on a separate line if it does not fit after the key, because it has hardly any other place to
 * break.
 */
function movesDown(value: Expression): boolean {
  if (value.type === 'literal') return typeof value.value === 'string' && !hasLines(value.value);
  return isPoorlyBreakable(value);
}

function isPoorlyBreakable(value: Expression): boolean {
  if (value.type === 'name') return true;
  if (value.type === 'member') return isPoorlyBreakable(value.object);
  if (value.type !== 'call') return false;
  const [argument, ...others] = value.arguments;
  const isPoor = argument === undefined || (others.length === 0 && isShortArgument(argument));
  return isPoor && isPoorlyBreakable(value.callee);
}

function isShortArgument(argument: Expression): boolean {
  if (argument.type === 'name') return argument.name.length <= printWidth / 4;
  if (argument.type !== 'literal') return false;
  return typeof argument.value !== 'string' || quoted(argument.value).length <= printWidth / 4;
}

function printList(items: readonly Item[]): Doc {
  if (items.length === 0) return '[]';
  const isNumbers =
    items.length > 1 &&
    items.every(({ value }) => value.type === 'literal' && typeof value.value === 'number');
  const hasComments = items.some(({ comments = [] }) => comments.length > 0);
  if (isNumbers && !hasComments) {
    const words = items.map(({ value }, index) =>
      layOut([print(value), index < items.length - 1 ? ',' : ''], Infinity),
    );
    return group(['[', indent([softline, { type: 'fill', words }, trailingComma]), softline, ']']);
  }
  const docs = items.map(({ value, comments }) => withComments(comments, group(print(value))));
  return group(
    ['[', indent([softline, join([',', line], docs)]), trailingComma, softline, ']'],
    isTable(items),
  );
}

/** Whether there are several lists, or several objects, with more than one entry each: prettier puts each on its own line. */
function isTable(items: readonly Item[]): boolean {
  const [first] = items;
  if (items.length < 2 || first === undefined) return false;
  return items.every(({ value }) => value.type === first.value.type && entriesOf(value) > 1);
}

function entriesOf(value: Expression): number {
  if (value.type === 'list') return value.items.length;
  return value.type === 'object' ? value.properties.length : 0;
}

function printArguments(args: readonly Expression[]): Doc {
  if (args.length === 0) return '()';
  const docs = args.map(print);
  const brokenOut = group(
    ['(', indent([softline, join([',', line], docs)]), trailingComma, softline, ')'],
    docs.some(willBreak),
  );
  const [last] = args.slice(-1);
  const [before] = args.slice(-2, -1);
  if (last === undefined || entriesOf(last) === 0 || (args.length > 1 && before?.type === last.type))
    return brokenOut;
  const head = docs.slice(0, -1);
  const tail = docs.at(-1) ?? '';
  if (head.some(willBreak)) return brokenOut;
  const around = (doc: Doc): Doc => ['(', join(', ', [...head, doc]), ')'];
  return firstThatFits([around(tail), around(forcedOpen(tail)), forcedOpen(brokenOut)]);
}

function forcedOpen(doc: Doc): Doc {
  return typeof doc === 'object' && 'type' in doc && doc.type === 'group'
    ? { ...doc, breaks: true }
    : group(doc, true);
}

/** Prints `a.b(…).c(…)`: on one line if it fits; otherwise each call from the third on is on its own line. */
function printChain(expression: Extract<Expression, { type: 'call' }>): Doc {
  const calls: Doc[] = [];
  let head: Expression = expression;
  while (head.type === 'call' && head.callee.type === 'member') {
    calls.unshift(['.', head.callee.member, printArguments(head.arguments)]);
    head = head.callee.object;
  }
  if (calls.length === 0) return [print(expression.callee), printArguments(expression.arguments)];
  const oneLine: Doc = [print(head), ...calls];
  // as prettier: a class and its first call stay together, and two calls are not yet a chain
  const isFactory = head.type === 'name' && /^[A-Z]/.test(head.name);
  const together = isFactory ? 1 : 0;
  if (calls.length <= together + 1) return group(oneLine);
  const expanded: Doc = [
    print(head),
    ...calls.slice(0, together),
    indent([hardline, join(hardline, calls.slice(together))]),
  ];
  return firstThatFits([oneLine, expanded]);
}
