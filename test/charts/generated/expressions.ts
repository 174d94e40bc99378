import type { Random } from '../../engines/charts/random.ts';
import { valuePaths } from './chart-values.ts';

/** The image of a chart with its registry and its tag. */
export const imageOfChart =
  'include "app.image" (dict "image" $.Values.image "global" $.Values.global "chart" $.Chart)';

/** Makes operands of templates, each of one type, so that most of them have no error. They read the data through `$`. */
export class Expressions {
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  /** Returns an operand that is a text. Calls are in parentheses. */
  text(depth = 2): string {
    const random = this.#random;
    if (depth <= 0 || random.chance(0.35)) return this.#textLeaf();
    const inner = (): string => this.text(depth - 1);
    return random.pick<() => string>([
      () => `(${inner()} | ${this.#textFilter()})`,
      () => `(${inner()} | ${this.#textFilter()} | ${this.#textFilter()})`,
      () => `(printf "%s-%s" ${inner()} ${inner()})`,
      () => `(printf "${this.#random.pick(['%q', '%v', '%10s|', '%-6s|', '%x', '%T'])}" ${inner()})`,
      () => `(printf "${random.pick(['%d', '%05d', '%x', '%v', '%T'])}" ${this.integer(depth - 1)})`,
      () => `(printf "${random.pick(['%.2f', '%g', '%e', '%8.3f', '%v'])}" (${this.number()} | float64))`,
      () => `(print ${inner()} ${this.integer(0)} ${this.flag(0)})`,
      () => `(default ${inner()} ${inner()})`,
      () => `(coalesce ${inner()} ${inner()} "last")`,
      () => `(ternary ${inner()} ${inner()} ${this.flag(depth - 1)})`,
      () => `(join "${random.pick([',', '-', ''])}" ${this.texts(depth - 1)})`,
      () =>
        `(${this.map(depth - 1)} | ${random.pick(['toJson', 'toYaml', 'toPrettyJson', 'toRawJson', 'toToml'])})`,
      () => `(${this.list(depth - 1)} | ${random.pick(['toJson', 'toYaml', 'toString'])})`,
      () => `(${this.any(depth - 1)} | ${random.pick(['toString', 'toJson', 'kindOf', 'typeOf', 'toYaml'])})`,
      () => `(include "app.${random.pick(['name', 'fullname', 'chart', 'labels', 'selectorLabels'])}" $)`,
      () => `(tpl $.Values.greeting $)`,
      () => `(include "app.render" (dict "value" ${this.any(depth - 1)} "context" $))`,
      () => `(${imageOfChart})`,
      () =>
        `(regexReplaceAll "${random.pick(['[aeiou]', '(\\\\w+)-(\\\\w+)', '^.'])}" ${inner()} "${random.pick(['_', '${2}.${1}', ''])}")`,
      () =>
        `(${this.date()} | date "${random.pick(['2006-01-02', 'Jan _2 15:04:05 2006', '02.01.06', 'Monday'])}")`,
      () => `(index (splitList "-" ${inner()}) 0)`,
      () => `(${inner()} | fromJsonArray | toString)`,
      () => `(get (dict "a" ${inner()}) "a")`,
      () => `(dig "nested" "b" "c" "none" $.Values.config | toString)`,
      () =>
        `((semver "${random.pick(['1.2.3', 'v1.30.1-rc.1+b'])}").${random.pick(['Major', 'Minor', 'Original'])} | toString)`,
    ])();
  }

  #textLeaf(): string {
    const random = this.#random;
    return random.chance(0.6)
      ? `$.Values.${random.pick(valuePaths.text)}`
      : random.pick([
          '$.Release.Name',
          '$.Release.Namespace',
          '$.Release.Service',
          '$.Chart.Name',
          '$.Chart.Version',
          '$.Chart.AppVersion',
          '$.Capabilities.KubeVersion.Version',
          '$.Template.Name',
          '"a text"',
          '"x-y_z"',
          '`raw`',
          '""',
          '($.Files.Get "files/plain.txt")',
          '($.Files.Get "files/absent.txt")',
        ]);
  }

  #textFilter(): string {
    return this.#random.pick([
      'upper',
      'lower',
      'title',
      'untitle',
      'trim',
      'trunc 7',
      'trunc -4',
      'trimSuffix "-"',
      'trimPrefix "a"',
      'trimAll "-"',
      'replace "." "-"',
      'quote',
      'squote',
      'b64enc',
      'b32enc',
      'sha256sum',
      'sha1sum | trunc 8',
      'adler32sum',
      'snakecase',
      'camelcase',
      'kebabcase',
      'swapcase',
      'initials',
      'nospace',
      'substr 0 3',
      'abbrev 9',
      'wrap 12',
      'indent 2',
      'nindent 4',
      'repeat 2',
      'default "none"',
      'cat "b"',
      'nospace | lower',
      'toString',
      'urlquery',
      'html',
      'js',
      'toJson',
    ]);
  }

  integer(depth = 2): string {
    const random = this.#random;
    if (depth <= 0 || random.chance(0.4))
      return random.pick([
        `($.Values.${random.pick(valuePaths.integer)} | int)`,
        '3',
        '0',
        '-2',
        '(len $.Values.hosts)',
      ]);
    const inner = (): string => this.integer(depth - 1);
    return random.pick<() => string>([
      () => `(add ${inner()} ${inner()})`,
      () => `(add1 ${inner()})`,
      () => `(sub ${inner()} ${inner()})`,
      () => `(mul ${inner()} 3)`,
      () => `(div ${inner()} 2)`,
      () => `(mod ${inner()} 4)`,
      () => `(max ${inner()} ${inner()} 1)`,
      () => `(min ${inner()} ${inner()})`,
      () => `(len ${random.pick([this.text(0), this.list(0), this.map(0)])})`,
      () => `(atoi "${random.pick(['12', '-3', 'x', '0x10'])}")`,
      () => `(${this.number()} | ${random.pick(['int', 'int64', 'toString | int'])})`,
      () => `($.Values.memory | toString | regexFind "[0-9]+" | int)`,
      () => `(ternary ${inner()} ${inner()} ${this.flag(0)})`,
    ])();
  }

  /** Returns a number that can have a fraction. */
  number(): string {
    const random = this.#random;
    return random.pick<() => string>([
      () => `$.Values.${random.pick(valuePaths.number)}`,
      () => `(${random.pick(['floor', 'ceil'])} $.Values.${random.pick(valuePaths.number)})`,
      () => `(round $.Values.${random.pick(valuePaths.number)} ${random.below(4)})`,
      () =>
        `(${random.pick(['addf', 'mulf', 'subf', 'divf'])} $.Values.numbers.fraction ${random.pick(['1.5', '3', '0.1'])})`,
      () => `$.Values.${random.pick(valuePaths.integer)}`,
    ])();
  }

  flag(depth = 2): string {
    const random = this.#random;
    if (depth <= 0 || random.chance(0.4))
      return random.pick([
        `$.Values.${random.pick(valuePaths.flag)}`,
        'true',
        'false',
        '(empty $.Values.none)',
      ]);
    const inner = (): string => this.flag(depth - 1);
    return random.pick<() => string>([
      () => `(eq ${this.text(0)} ${this.text(0)})`,
      () => `(ne ${this.text(0)} "a")`,
      () => `(gt ${this.integer(0)} ${this.integer(0)})`,
      () => `(and ${inner()} ${inner()} | not | not)`,
      () => `(or ${inner()} ${inner()} | empty)`,
      () => `(not ${random.pick([inner(), this.any(0)])})`,
      () => `(hasKey ${this.map(0)} "${random.pick(['a', 'team', 'mode'])}")`,
      () => `(has ${this.text(0)} ${this.texts(0)})`,
      () =>
        `(${random.pick(['contains', 'hasPrefix', 'hasSuffix'])} "${random.pick(['a', 'e', ''])}" ${this.text(0)})`,
      () =>
        `(semverCompare "${random.pick(['>=1.29-0', '<1.30.0', '^1.2', '~1.31.0 || >1.33'])}" $.Capabilities.KubeVersion.${random.pick(['Version', 'GitVersion'])})`,
      () =>
        `($.Capabilities.APIVersions.Has "${random.pick(['apps/v1', 'policy/v1beta1', 'batch/v1/CronJob', 'example.com/v1'])}")`,
      () => `(kindIs "${random.pick(['map', 'string', 'slice', 'float64', 'invalid'])}" ${this.any(0)})`,
      () => `(typeIs "string" ${this.any(0)})`,
      () => `(regexMatch "^[a-z.]+$" ${this.text(0)})`,
      () => `(deepEqual ${this.any(0)} ${this.any(0)})`,
      () => `(empty ${this.any(0)})`,
      () => `(all ${this.text(0)} ${this.text(0)})`,
    ])();
  }

  map(depth = 2): string {
    const random = this.#random;
    if (depth <= 0 || random.chance(0.4)) return `$.Values.${random.pick(valuePaths.map)}`;
    const inner = (): string => this.map(depth - 1);
    const copy = (): string => `(deepCopy ${this.map(0)})`;
    return random.pick<() => string>([
      () => `(dict "a" ${this.text(0)} "b" ${this.any(0)})`,
      () => `(merge (dict "own" ${this.text(0)}) ${inner()})`,
      () => `(merge ${copy()} ${inner()} ${this.map(0)})`,
      () => `(mergeOverwrite ${copy()} ${inner()})`,
      () => `(mustMergeOverwrite (dict) ${copy()} ${copy()})`,
      () => `(mergeOverwrite (deepCopy $.Values.config) $.Values.override)`,
      () => `(pick ${inner()} "a" "team" "LEVEL" "mode")`,
      () => `(omit ${inner()} "b" "requests")`,
      () => `(set ${copy()} "added" ${this.any(0)})`,
      () => `(unset ${copy()} "mode")`,
      () => `(include "app.labels" $ | fromYaml)`,
      () => `(${inner()} | toJson | fromJson)`,
      () => `(${inner()} | toYaml | fromYaml)`,
      () => `(tpl (toYaml $.Values.labels) $ | fromYaml)`,
      () => `(default ${inner()} $.Values.empty)`,
      () =>
        `(include "app.merged" (dict "values" (list $.Values.labels $.Values.override) "context" $) | fromYaml)`,
      () => `(urlParse "https://user:pw@${random.pick(['a.example.com:8443/p?q=1#f', 'b'])}")`,
    ])();
  }

  list(depth = 2): string {
    const random = this.#random;
    if (depth > 0 && random.chance(0.5)) return this.texts(depth);
    if (depth <= 0 || random.chance(0.5)) return `$.Values.${random.pick(valuePaths.list)}`;
    const inner = (): string => this.list(depth - 1);
    return random.pick<() => string>([
      () => `(list ${this.text(0)} ${this.any(0)})`,
      () => `(concat ${inner()} ${inner()})`,
      () => `(append ${inner()} ${this.any(0)})`,
      () => `(prepend ${inner()} ${this.text(0)})`,
      () => `(${random.pick(['reverse', 'uniq', 'compact', 'initial', 'rest'])} ${inner()})`,
      () => `(without ${inner()} ${this.text(0)})`,
      () => `(until ${random.pick(['3', '0', '(len $.Values.hosts)'])})`,
      () => `(untilStep 1 ${random.pick(['9', '2'])} 3)`,
      () => `(chunk 2 ${inner()})`,
      () => `(${inner()} | toJson | fromJsonArray)`,
      () => `(pluck "a" $.Values.labels $.Values.config.nested)`,
    ])();
  }

  /** Returns a list of texts. */
  texts(depth = 2): string {
    const random = this.#random;
    if (depth <= 0 || random.chance(0.4)) return `$.Values.${random.pick(valuePaths.texts)}`;
    return random.pick<() => string>([
      () => `(keys ${this.map(depth - 1)} | sortAlpha)`,
      () => `(splitList "${random.pick(['.', '-', ','])}" ${this.text(depth - 1)})`,
      () => `(sortAlpha ${this.texts(depth - 1)})`,
      () => `(list ${this.text(0)} ${this.text(0)})`,
      () => `(regexFindAll "[a-z]+" ${this.text(depth - 1)} -1)`,
      () => `(regexSplit "[-.]" ${this.text(depth - 1)} 3)`,
      () => `(${this.texts(depth - 1)} | uniq)`,
      () => `($.Files.Lines "files/plain.txt")`,
    ])();
  }

  any(depth = 1): string {
    const random = this.#random;
    return random.pick<() => string>([
      () => this.text(depth),
      () => this.integer(depth),
      () => this.number(),
      () => this.flag(depth),
      () => this.map(depth),
      () => this.list(depth),
      () => `$.Values.${random.pick(valuePaths.other)}`,
      () => '$.Values.missing',
    ])();
  }

  /** Returns a time that does not depend on the clock. */
  date(): string {
    const random = this.#random;
    return random.pick([
      '(toDate "2006-01-02" "2024-05-01")',
      '(toDate "2006-01-02T15:04:05Z07:00" $.Values.created)',
      '(dateModify "-36h30m" (toDate "2006-01-02" "2024-03-01"))',
      '(mustToDate "15:04 02.01.2006" "23:59 31.12.2023")',
      '(mustDateModify "720h" (toDate "2006-01-02T15:04:05Z07:00" $.Values.created))',
    ]);
  }
}
