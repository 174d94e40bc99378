import { copyExpression } from './expression.ts';
import type { ComprehensionExpression, Expression } from './expression.ts';
import type { ExpressionFault } from './source.ts';
import type { CelValue } from '../values/value.ts';

/** The variable in which a comprehension collects its result; no expression can name it. */
const accumulator = '@result';

/** The expansion of a macro call, its error, or undefined if it is not a macro. */
export type Expansion = Expression | { readonly fault: ExpressionFault } | undefined;

/** Expands `has`, `all`, `exists`, `exists_one`, `map`, `filter`, `optMap` and `optFlatMap`, as cel-go's parser. */
export function expandMacro(
  offset: number,
  name: string,
  target: Expression | undefined,
  args: readonly Expression[],
): Expansion {
  const [first, second, third] = args;
  if (first === undefined) return undefined;
  if (target === undefined) return name === 'has' && args.length === 1 ? expandHas(offset, first) : undefined;
  if (second === undefined || args.length > 3 || (third !== undefined && name !== 'map')) return undefined;
  switch (name) {
    case 'all':
    case 'exists':
    case 'exists_one':
      return expandQuantifier(offset, name, target, first, second);
    case 'map':
      return third === undefined
        ? expandMap(offset, target, first, undefined, second)
        : expandMap(offset, target, first, second, third);
    case 'filter':
      return expandMap(offset, target, first, second, first);
    case 'optMap':
    case 'optFlatMap':
      return expandOptional(offset, name, target, first, second);
    default:
      return undefined;
  }
}

function expandHas(offset: number, field: Expression): Expansion {
  if (field.kind !== 'select') return fault(field, 'invalid argument to has() macro');
  return { ...field, offset, testOnly: true };
}

function fault({ offset }: Expression, message: string): { readonly fault: ExpressionFault } {
  return { fault: { offset, message } };
}

/** Returns the name of the loop's variable, or the error. */
function loopVariable(variable: Expression, notAName: string): string | { readonly fault: ExpressionFault } {
  if (variable.kind !== 'ident') return fault(variable, notAName);
  if (variable.name === accumulator || variable.name === '__result__')
    return fault(variable, 'iteration variable overwrites accumulator variable');
  return variable.name;
}

function expandQuantifier(
  offset: number,
  name: 'all' | 'exists' | 'exists_one',
  range: Expression,
  variable: Expression,
  predicate: Expression,
): Expansion {
  const iterVar = loopVariable(variable, 'argument must be a simple name');
  if (typeof iterVar !== 'string') return iterVar;
  const build = new Builder(offset);
  switch (name) {
    case 'all':
      return build.comprehension(range, iterVar, {
        accuInit: build.literal(true),
        condition: build.call('@not_strictly_false', build.accu()),
        step: build.call('_&&_', build.accu(), predicate),
        result: build.accu(),
      });
    case 'exists':
      return build.comprehension(range, iterVar, {
        accuInit: build.literal(false),
        condition: build.call('@not_strictly_false', build.call('!_', build.accu())),
        step: build.call('_||_', build.accu(), predicate),
        result: build.accu(),
      });
    case 'exists_one':
      break;
  }
  return build.comprehension(range, iterVar, {
    accuInit: build.literal(0n),
    condition: build.literal(true),
    step: build.call('_?_:_', predicate, build.call('_+_', build.accu(), build.literal(1n)), build.accu()),
    result: build.call('_==_', build.accu(), build.literal(1n)),
  });
}

function expandMap(
  offset: number,
  range: Expression,
  variable: Expression,
  predicate: Expression | undefined,
  transform: Expression,
): Expansion {
  const iterVar = loopVariable(variable, 'argument is not an identifier');
  if (typeof iterVar !== 'string') return iterVar;
  const build = new Builder(offset);
  const appended = build.call('_+_', build.accu(), build.list(transform));
  return build.comprehension(range, iterVar, {
    accuInit: build.list(),
    condition: build.literal(true),
    step: predicate === undefined ? appended : build.call('_?_:_', predicate, appended, build.accu()),
    result: build.accu(),
  });
}

/**
 * Expands `optMap` and `optFlatMap`. The variable holds the optional's value, as the accumulator of a loop over an empty list.
 */
function expandOptional(
  offset: number,
  name: 'optMap' | 'optFlatMap',
  target: Expression,
  variable: Expression,
  mapped: Expression,
): Expansion {
  if (variable.kind !== 'ident')
    return fault(variable, `${name}() variable name must be a simple identifier`);
  const build = new Builder(offset);
  const bound: ComprehensionExpression = {
    kind: 'comprehension',
    offset,
    iterVar: '#unused',
    range: build.list(),
    accuVar: variable.name,
    accuInit: build.method(copyExpression(target), 'value'),
    condition: build.literal(false),
    step: { kind: 'ident', offset, name: variable.name },
    result: mapped,
  };
  return build.call(
    '_?_:_',
    build.method(target, 'hasValue'),
    name === 'optMap' ? build.call('optional.of', bound) : bound,
    build.call('optional.none'),
  );
}

/** Builds the parts that are not in the text. Errors in them are reported at the macro call. */
class Builder {
  readonly #offset: number;

  constructor(offset: number) {
    this.#offset = offset;
  }

  literal(value: CelValue): Expression {
    return { kind: 'literal', offset: this.#offset, value };
  }

  accu(): Expression {
    return { kind: 'ident', offset: this.#offset, name: accumulator };
  }

  list(...elements: readonly Expression[]): Expression {
    return {
      kind: 'list',
      offset: this.#offset,
      elements: elements.map((value) => ({ value, optional: false })),
    };
  }

  call(name: string, ...args: readonly Expression[]): Expression {
    return { kind: 'call', offset: this.#offset, name, args };
  }

  method(target: Expression, name: string): Expression {
    return { kind: 'call', offset: this.#offset, name, target, args: [] };
  }

  comprehension(
    range: Expression,
    iterVar: string,
    parts: Pick<ComprehensionExpression, 'accuInit' | 'condition' | 'step' | 'result'>,
  ): Expression {
    return { kind: 'comprehension', offset: this.#offset, range, iterVar, accuVar: accumulator, ...parts };
  }
}
