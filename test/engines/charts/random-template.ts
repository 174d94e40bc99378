import type { TemplateCase } from './case.ts';
import { Random } from './random.ts';

/** The data of the random templates: every type, nil, and names that objects of JavaScript inherit. */
export const sampleData: unknown = {
  text: 'hello',
  empty: '',
  accents: 'h\u00e9llo w\u00f6rld \u{1f600} "q" <b>&\'',
  lines: 'first\nsecond\n\tthird\n',
  number: 42,
  negative: -7,
  zero: 0,
  fraction: 3.25,
  large: 12345678,
  huge: 1e25,
  small: 0.00001234,
  yes: true,
  no: false,
  nothing: null,
  list: ['b', 'a', 'c'],
  numbers: [3, 1, 2],
  none: [],
  mixed: [1, 'two', null, true, [1, 2], { k: 'v' }],
  map: { b: 'x', a: 'y', 'with space': 1, B: null },
  blank: {},
  nested: { map: { list: [{ name: 'n1', value: 1 }, { name: 'n2' }], text: 'deep' }, nil: null },
  constructor: 'plain key',
  __proto__key: { toString: 'also plain' },
};

const fields = [
  ...Object.keys(sampleData as object),
  'nested.map.text',
  'nested.map.list',
  'nested.nil',
  'nested.nil.deeper',
  'nested.missing.deeper',
  'map.a',
  'map.missing',
  'missing',
  'text.field',
  'toString',
  'list.length',
];
const literals = [
  '1',
  '0',
  '-3',
  '2.5',
  '1e3',
  '0x1F',
  '0b11',
  '017',
  '1_000',
  "'a'",
  "'\\n'",
  '"s"',
  '"a b"',
  '`raw`',
  '"\\t\\u00e9\\x41"',
  'true',
  'false',
  'nil',
  '.',
  '$',
  '1i',
  '99999999999999999999',
  '1.5e300',
  '0x1p4',
];
/** Operands by type, so that most templates have no error. */
const typed = {
  text: [
    '.text',
    '.empty',
    '.accents',
    '.lines',
    '"a b"',
    '`raw`',
    '$.text',
    '.nested.map.text',
    'print .list',
  ],
  number: ['.number', '.negative', '.zero', '.fraction', '.large', '.huge', '.small'],
  integer: ['1', '0', '-3', '0x1F', "'a'", 'len .list', '1_000'],
  bool: ['.yes', '.no', 'true', 'false', 'not .nothing'],
  collection: ['.list', '.numbers', '.map', '.none', '.blank', '.mixed', '.nested.map', '.nested.map.list'],
};
const comparisons = ['eq', 'ne', 'lt', 'le', 'gt', 'ge'];
const verbs = Array.from('vdsqxXobOceEfFgGtTUwz%');

/** Makes templates from the grammar of the language, some of them with errors. */
class TemplateMaker {
  readonly #random: Random;
  #variables: string[] = ['$'];
  readonly #templates: string[] = [];
  /** Whether operands have the types that functions require. */
  readonly #isTyped: boolean;
  #named = 0;
  #loops = 0;

  constructor(seed: number) {
    this.#random = new Random(seed);
    this.#isTyped = this.#random.chance(0.75);
  }

  make(): TemplateCase {
    const random = this.#random;
    const text = this.#nodes(3);
    const missingKey = this.#isTyped
      ? random.pick(['default', 'zero'] as const)
      : random.pick(['default', 'default', 'zero', 'error'] as const);
    return {
      templates: [
        { name: 'main', text: random.chance(this.#isTyped ? 0.02 : 0.1) ? this.#damaged(text) : text },
      ],
      execute: 'main',
      missingKey,
      data: sampleData,
    };
  }

  /** Cuts or inserts something, which mostly makes a syntax error. */
  #damaged(text: string): string {
    const at = this.#random.below(text.length + 1);
    const insert = this.#random.pick([
      '',
      '{{',
      '}}',
      '(',
      ')',
      '|',
      '"',
      '$x',
      ' .',
      '{{end}}',
      '{{else}}',
      '\n',
      '@',
      '\u00e9',
    ]);
    return text.slice(0, at) + insert + text.slice(at + this.#random.below(3));
  }

  #nodes(depth: number): string {
    const variables = [...this.#variables];
    let text = this.#text();
    for (let count = this.#random.below(4) + 1; count > 0; count--) text += this.#node(depth) + this.#text();
    this.#variables = variables;
    return text;
  }

  #text(): string {
    return this.#random.pick(['', ' ', '\n', 'text', ' a: b\n', '\t- x ', '\u00e9 \n\n  ']);
  }

  #action(inside: string): string {
    const random = this.#random;
    return `{{${random.chance(0.2) ? '- ' : random.pick(['', ' '])}${inside}${random.chance(0.2) ? ' -' : random.pick(['', ' '])}}}`;
  }

  #node(depth: number): string {
    const random = this.#random;
    const kind = depth <= 0 ? random.below(5) : random.below(13);
    switch (kind) {
      case 5:
        return this.#branch('if', depth);
      case 6:
        return this.#branch('with', depth);
      case 7:
      case 8:
        return this.#range(depth);
      case 9:
        return this.#define(depth);
      case 10:
        return random.pick(['{{/* a comment */}}', '{{- /* a\ncomment */ -}}', '{{/* a comment */ -}}']);
      case 11:
        return this.#loops > 0
          ? `{{if ${this.#pipeline(1)}}}{{${random.pick(['break', 'continue'])}}}{{end}}`
          : this.#declaration();
      case 12:
        return this.#declaration();
      default:
        return this.#action(this.#pipeline(2));
    }
  }

  #declaration(): string {
    const random = this.#random;
    if (random.chance(0.3) && this.#variables.length > 1)
      return this.#action(`${random.pick(this.#variables.slice(1))} = ${this.#pipeline(2)}`);
    const name = random.pick(['$x', '$y', '$z']);
    const text = this.#action(`${name} := ${this.#pipeline(2)}`);
    this.#variables.push(name);
    return text;
  }

  #branch(keyword: 'if' | 'with', depth: number): string {
    const random = this.#random;
    const variables = [...this.#variables];
    const declared = random.chance(0.2) ? '$v := ' : '';
    let text = this.#action(`${keyword} ${declared}${this.#pipeline(2)}`);
    if (declared !== '') this.#variables.push('$v');
    text += this.#nodes(depth - 1);
    if (random.chance(0.3))
      text += this.#action(`else ${keyword} ${this.#pipeline(1)}`) + this.#nodes(depth - 1);
    if (random.chance(0.4)) text += this.#action('else') + this.#nodes(depth - 1);
    this.#variables = variables;
    return text + this.#action('end');
  }

  #range(depth: number): string {
    const random = this.#random;
    const variables = [...this.#variables];
    const declared = random.pick(['', '', '$e := ', '$k, $e := ', '$i, $_ := ']);
    const picked = random.pick([
      '.list',
      '.numbers',
      '.map',
      '.nested.map.list',
      '.mixed',
      '.none',
      '.nothing',
      '3',
      '(len .text)',
      ...(this.#isTyped ? [] : [this.#pipeline(1), '.text', '.number', '$']),
    ]);
    // Inside of loops only `$` is always the data.
    const over = this.#isTyped ? picked.replace('.', '$.') : picked;
    const isCounted = this.#isTyped && (over === '3' || over.startsWith('(')) && declared.includes(',');
    let text = this.#action(`range ${isCounted ? '' : declared}${isCounted ? '$.list' : over}`);
    if (isCounted) return text + this.#nodes(0) + this.#action('end');
    for (const [name] of declared.matchAll(/\$\w+/g)) this.#variables.push(name);
    this.#loops += 1;
    text += this.#nodes(depth - 1);
    this.#loops -= 1;
    if (random.chance(0.3)) text += this.#action('else') + this.#nodes(depth - 1);
    this.#variables = variables;
    return text + this.#action('end');
  }

  #define(depth: number): string {
    const random = this.#random;
    const call = `template "${random.pick(this.#isTyped ? this.#templates : [...this.#templates, 'undefined'])}" ${this.#argument()}`;
    if (random.chance(0.5) && this.#templates.length > 0) return this.#action(call);
    const name = `t${String(this.#named)}`;
    this.#named += 1;
    const outer = { variables: this.#variables, loops: this.#loops };
    this.#variables = ['$'];
    this.#loops = 0;
    const body = this.#nodes(depth - 1);
    this.#variables = outer.variables;
    this.#loops = outer.loops;
    this.#templates.push(name);
    return `${this.#action(`block "${name}" ${this.#argument()}`)}${body}${this.#action('end')}`;
  }

  /** What a called template receives: in it, `$` is that. */
  #argument(): string {
    return this.#isTyped ? '$' : this.#pipeline(1);
  }

  #pipeline(depth: number): string {
    if (this.#isTyped) return this.#typedPipeline(depth);
    let text = this.#command(depth);
    while (this.#random.chance(0.2)) text += ` | ${this.#call(depth, true)}`;
    return text;
  }

  #typedPipeline(depth: number): string {
    const random = this.#random;
    let text = random.chance(0.4) ? this.#typedOperand() : this.#typedCall(depth);
    while (random.chance(0.2))
      text += ` | ${random.pick(['printf "%v"', 'printf "%6.2q|%T" "x"', 'print', 'html', 'js', 'urlquery', 'println "p"', 'not', 'and 1', 'or ""'])}`;
    return text;
  }

  /** Fields of dot are there only outside of loops and `with`: from `$` they always are. */
  #typedOperand(type: keyof typeof typed = this.#random.pick(typeNames)): string {
    const random = this.#random;
    if (random.chance(0.1)) return random.pick(this.#variables);
    if (random.chance(0.1))
      return random.pick(['.', '$.missing', '$.nothing', '$.nested.nil', '$.constructor']);
    return inParentheses(random.pick(typed[type]).replaceAll(/(^|[ (])\./g, '$1$.'));
  }

  #typedCall(depth: number): string {
    const random = this.#random;
    const inner = (type?: keyof typeof typed): string =>
      depth > 0 && random.chance(0.2) ? `(${this.#typedPipeline(depth - 1)})` : this.#typedOperand(type);
    switch (random.below(8)) {
      case 0:
      case 1:
        return `printf ${this.#format()}${random.some(3, () => ` ${inner()}`).join('')}`;
      case 2:
        return `${random.pick(['print', 'println', 'html', 'js', 'urlquery'])} ${inner()} ${inner()}`;
      case 3:
        return random.pick([
          'len $.list',
          'len $.accents',
          'index $.map "a"',
          'index $.mixed 5 "k"',
          'slice $.accents 1 5',
          'slice $.list 1',
        ]);
      case 4:
        return `${random.pick(['and', 'or'])} ${inner()} ${inner()}`;
      case 5:
        return `not ${inner()}`;
      case 6: {
        const type = random.pick(['text', 'number', 'integer'] as const);
        const operand = (): string =>
          inParentheses(random.pick(typed[type]).replaceAll(/(^|[ (])\./g, '$1$.'));
        return `${random.pick(comparisons)} ${operand()} ${operand()}`;
      }
      default:
        return `eq ${random.pick(['.', '$.nothing', '$.missing', 'true'])} ${random.pick(['nil', '$.nothing', '$.missing'])}`;
    }
  }

  #command(depth: number): string {
    return this.#random.chance(0.45) ? this.#operand(depth) : this.#call(depth, false);
  }

  #operand(depth: number): string {
    const random = this.#random;
    const choice = random.below(10);
    if (choice < 4) return `.${random.pick(fields)}`;
    if (choice < 6) return random.pick(literals);
    if (choice < 7)
      return random.pick(this.#variables) + random.pick(['', '', '.text', '.name', '.nested.map']);
    if (choice < 9 && depth > 0)
      return `(${this.#pipeline(depth - 1)})${random.pick(['', '', '', '.text', '.a.b'])}`;
    return `.${random.pick(fields)}`;
  }

  /** A call of a function; in a pipeline the last argument comes from the command before. */
  #call(depth: number, isPiped: boolean): string {
    const random = this.#random;
    const args = (count: number): string =>
      Array.from({ length: Math.max(0, count - (isPiped ? 1 : 0)) }, () => ` ${this.#operand(depth)}`).join(
        '',
      );
    const most = random.chance(0.05) ? random.below(4) : undefined;
    switch (random.below(12)) {
      case 0:
        return `printf ${this.#format()}${args(random.below(3))}`;
      case 1:
        return `${random.pick(['print', 'println', 'html', 'js', 'urlquery'])}${args(1 + random.below(3))}`;
      case 2:
        return `len${args(most ?? 1)}`;
      case 3:
        return `index${args(most ?? 1 + random.below(3))}`;
      case 4:
        return `index ${random.pick(['.list 1', '.map "a"', '.mixed 5 "k"', '.nested "map" "list" 0'])}${args(isPiped ? 1 : 0)}`;
      case 5:
        return `slice ${random.pick(['.text', '.list', '.accents'])}${args(random.below(2))} ${random.pick(['0', '1', '2', '1 2', '3 1', '9', '0 4'])}`;
      case 6:
        return `not${args(most ?? 1)}`;
      case 7:
        return `${random.pick(['and', 'or'])}${args(most ?? 1 + random.below(3))}`;
      case 8:
      case 9:
        return `${random.pick(comparisons)}${args(most ?? 2)}`;
      case 10:
        return `eq${args(1 + random.below(3))}`;
      default:
        return random.pick([
          `printf "%v"${args(1)}`,
          `call${args(1)}`,
          `undefinedFunction${args(1)}`,
          `printf "%T"${args(1)}`,
        ]);
    }
  }

  #format(): string {
    const random = this.#random;
    const pieces = random.some(3, () => {
      const flags = random.some(2, () => random.pick(Array.from('+-# 0'))).join('');
      const width = random.pick(['', '', '', '5', '12', '*', '[1]', '[2]*', '3']);
      const precision = random.pick(['', '', '', '.2', '.0', '.', '.10', '.*']);
      return `${random.pick(['', ' ', 'x', '%%'])}%${flags}${width}${precision}${random.pick(verbs)}`;
    });
    return `"${pieces.join(random.pick(['', ' ', '|']))}"`;
  }
}

const typeNames = Object.keys(typed) as (keyof typeof typed)[];

/** A call is an operand only in parentheses. */
function inParentheses(text: string): string {
  return /^\w+ [^ ]/.test(text) ? `(${text})` : text;
}

/** Returns a case that a seed decides. */
export function randomTemplate(seed: number): TemplateCase {
  return new TemplateMaker(seed).make();
}
