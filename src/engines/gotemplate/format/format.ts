import { typeName } from '../type-name.ts';
import { Integer, type Value } from '../value.ts';
import { noFlags, type Flags } from './flags.ts';
import { formatArgument } from './value.ts';

/** As fmt.Sprint of one value. */
export function formatValue(value: Value): string {
  return typeof value === 'string' ? value : formatArgument(value, 'v', noFlags());
}

/** As fmt.Sprint: a space between two values of which neither is a string. */
export function print(values: readonly Value[]): string {
  let text = '';
  let isAfterString = true;
  for (const value of values) {
    const isString = typeof value === 'string';
    text += (isAfterString || isString ? '' : ' ') + formatValue(value);
    isAfterString = isString;
  }
  return text;
}

/** As fmt.Sprintln. */
export function printLine(values: readonly Value[]): string {
  return `${values.map(formatValue).join(' ')}\n`;
}

/** As fmt.Sprintf. */
export function printFormat(format: string, values: readonly Value[]): string {
  return new FormatPrinter(format, values).print();
}

/** The bound of Go for widths and precisions. */
const largest = 1_000_000;

class FormatPrinter {
  readonly #format: string;
  readonly #values: readonly Value[];
  #at = 0;
  #argument = 0;
  /** Whether an argument was chosen by its number, such as `%[2]d`. */
  #isReordered = false;
  #isIndexValid = true;
  #isAfterIndex = false;

  constructor(format: string, values: readonly Value[]) {
    this.#format = format;
    this.#values = values;
  }

  print(): string {
    let text = '';
    while (this.#at < this.#format.length) {
      const percent = this.#format.indexOf('%', this.#at);
      const end = percent < 0 ? this.#format.length : percent;
      text += this.#format.slice(this.#at, end);
      this.#at = end + 1;
      if (percent >= 0) text += this.#verb();
    }
    return text + this.#extra();
  }

  #verb(): string {
    this.#isIndexValid = true;
    const flags = noFlags();
    this.#readFlags(flags);
    const early = this.#plainVerb();
    if (early !== undefined) return this.#printed(early, flags);
    this.#readIndex();
    let problem = this.#readWidth(flags);
    problem += this.#readPrecision(flags);
    if (!this.#isAfterIndex) this.#readIndex();
    if (this.#at >= this.#format.length) return `${problem}%!(NOVERB)`;
    const verb = String.fromCodePoint(this.#format.codePointAt(this.#at) ?? 0);
    this.#at += verb.length;
    if (verb === '%') return `${problem}%`;
    if (!this.#isIndexValid) return `${problem}%!${verb}(BADINDEX)`;
    if (this.#argument >= this.#values.length) return `${problem}%!${verb}(MISSING)`;
    return problem + this.#printed(verb, flags);
  }

  /** A verb in lower case right after the flags needs nothing else. */
  #plainVerb(): string | undefined {
    const verb = this.#format[this.#at] ?? '';
    if (!/[a-z]/.test(verb) || this.#argument >= this.#values.length) return undefined;
    this.#at += 1;
    return verb;
  }

  #printed(verb: string, flags: Flags): string {
    if (verb === 'v' || verb === 'w') {
      flags.sharpV = flags.sharp;
      flags.sharp = false;
      flags.plusV = flags.plus;
      flags.plus = false;
    }
    const value = this.#values[this.#argument];
    this.#argument += 1;
    return formatArgument(value ?? null, verb, flags);
  }

  #readFlags(flags: Flags): void {
    for (; this.#at < this.#format.length; this.#at++) {
      switch (this.#format[this.#at]) {
        case '#':
          flags.sharp = true;
          break;
        case '0':
          flags.zero = true;
          break;
        case '+':
          flags.plus = true;
          break;
        case '-':
          flags.minus = true;
          break;
        case ' ':
          flags.space = true;
          break;
        case undefined:
        default:
          return;
      }
    }
  }

  /** Reads the number of an argument, such as `[2]`. */
  #readIndex(): void {
    this.#isAfterIndex = false;
    if (this.#format[this.#at] !== '[') return;
    this.#isReordered = true;
    const rest = this.#format.slice(this.#at);
    const close = rest.length < 3 ? -1 : rest.indexOf(']');
    this.#at += close < 0 ? 1 : close + 1;
    const digits = close < 0 ? '' : rest.slice(1, close);
    const index = /^\d+$/.test(digits) ? Number(digits) - 1 : -1;
    const isNumber = /^\d+$/.test(digits) && Number(digits) <= largest * 10;
    this.#isAfterIndex = isNumber;
    if (isNumber && index >= 0 && index < this.#values.length) this.#argument = index;
    else this.#isIndexValid = false;
  }

  #readWidth(flags: Flags): string {
    if (this.#format[this.#at] !== '*') {
      flags.width = this.#readNumber();
      if (this.#isAfterIndex && flags.width !== undefined) this.#isIndexValid = false;
      return '';
    }
    this.#at += 1;
    flags.width = this.#argumentNumber();
    this.#isAfterIndex = false;
    if (flags.width === undefined) return '%!(BADWIDTH)';
    if (flags.width < 0) {
      flags.width = -flags.width;
      flags.minus = true;
      flags.zero = false;
    }
    return '';
  }

  #readPrecision(flags: Flags): string {
    if (this.#at + 1 >= this.#format.length || this.#format[this.#at] !== '.') return '';
    this.#at += 1;
    if (this.#isAfterIndex) this.#isIndexValid = false;
    this.#readIndex();
    if (this.#format[this.#at] !== '*') {
      flags.precision = this.#readNumber() ?? 0;
      return '';
    }
    this.#at += 1;
    const precision = this.#argumentNumber();
    flags.precision = precision === undefined || precision < 0 ? undefined : precision;
    this.#isAfterIndex = false;
    return flags.precision === undefined ? '%!(BADPREC)' : '';
  }

  /** Reads digits; beyond Go's bound the whole rest of the format counts as read. */
  #readNumber(): number | undefined {
    let value: number | undefined;
    for (; /\d/.test(this.#format[this.#at] ?? ''); this.#at++) {
      if ((value ?? 0) > largest) {
        this.#at = this.#format.length;
        return undefined;
      }
      value = (value ?? 0) * 10 + Number(this.#format[this.#at]);
    }
    return value;
  }

  /** The value of `*`: an argument that is an integer. */
  #argumentNumber(): number | undefined {
    if (this.#argument >= this.#values.length) return undefined;
    const value = this.#values[this.#argument];
    this.#argument += 1;
    if (!(value instanceof Integer)) return undefined;
    return value.value > largest || value.value < -largest ? undefined : Number(value.value);
  }

  #extra(): string {
    if (this.#isReordered || this.#argument >= this.#values.length) return '';
    const extra = this.#values
      .slice(this.#argument)
      .map((value) =>
        value === null || value === undefined ? '<nil>' : `${typeName(value)}=${formatValue(value)}`,
      );
    return `%!(EXTRA ${extra.join(', ')})`;
  }
}
