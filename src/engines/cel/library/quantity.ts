import {
  add,
  approximateFloat,
  asInteger,
  compareTo,
  fromInteger,
  parseQuantity,
  signOf,
  subtract,
} from '../../../base/quantity.ts';
import type { Quantity } from '../../../base/quantity.ts';
import { noSuchOverload } from '../values/comparison.ts';
import { instanceOf, int, method, overload, text } from '../function.ts';
import type { FunctionDeclaration } from '../function.ts';
import { boolType, doubleType, intType, structType } from '../check/types.ts';
import { CelError } from '../error.ts';
import type { CelBox } from '../values/box.ts';
import type { CelResult } from '../values/value.ts';

const typeName = 'kubernetes.Quantity';

/**
 * A quantity in an expression. If Go stores a quantity as a decimal, Kubernetes' library adds to it in place, and comparing with
 * such a quantity converts the other one to a decimal. Later parts of the expression see these changes, so this class reproduces
 * them.
 */
class CelQuantity implements CelBox {
  readonly typeName = typeName;
  /** Shared between quantities that have one decimal in Go. */
  readonly #cell: { quantity: Quantity };
  /** Results of `add` and `sub` are pointers. Quantities that are not pointers cannot be compared with them. */
  readonly #isPointer: boolean;

  constructor(cell: { quantity: Quantity }, isPointer: boolean) {
    this.#cell = cell;
    this.#isPointer = isPointer;
  }

  get quantity(): Quantity {
    return this.#cell.quantity;
  }

  equals(other: unknown): boolean | CelError {
    if (!(other instanceof CelQuantity) || other.#isPointer) return noSuchOverload;
    return this.compareTo(other) === 0;
  }

  compareTo(other: CelQuantity): -1 | 0 | 1 {
    const order = compareTo(this.quantity, other.quantity);
    if (other.quantity.decimal && !this.quantity.decimal)
      this.#cell.quantity = { ...this.quantity, decimal: true };
    return order;
  }

  combine(compute: (a: Quantity, b: Quantity) => Quantity, other: Quantity): CelQuantity {
    const result = compute(this.quantity, other);
    if (!this.quantity.decimal) return new CelQuantity({ quantity: result }, true);
    this.#cell.quantity = result;
    return new CelQuantity(this.#cell, true);
  }
}

const quantityType = structType(typeName);
const quantity = instanceOf(quantityType, CelQuantity);

function parse(value: string): CelResult {
  const parsed = parseQuantity(value);
  if (parsed.error !== undefined) return new CelError(parsed.error);
  return new CelQuantity({ quantity: parsed.quantity }, false);
}

/** Kubernetes' quantity library. */
export const quantityFunctions: readonly FunctionDeclaration[] = [
  { name: 'quantity', overloads: [overload('string_to_quantity', [text], quantityType, parse)] },
  {
    name: 'isQuantity',
    overloads: [
      overload('is_quantity_string', [text], boolType, (value) => parseQuantity(value).error === undefined),
    ],
  },
  {
    // the only one of them that is a function
    name: 'sign',
    overloads: [overload('quantity_sign', [quantity], intType, (value) => BigInt(signOf(value.quantity)))],
  },
  {
    name: 'isGreaterThan',
    overloads: [
      method('quantity_is_greater_than', [quantity, quantity], boolType, (a, b) => a.compareTo(b) > 0),
    ],
  },
  {
    name: 'isLessThan',
    overloads: [
      method('quantity_is_less_than', [quantity, quantity], boolType, (a, b) => a.compareTo(b) < 0),
    ],
  },
  {
    name: 'compareTo',
    overloads: [
      method('quantity_compare_to', [quantity, quantity], intType, (a, b) => BigInt(a.compareTo(b))),
    ],
  },
  {
    name: 'asApproximateFloat',
    overloads: [
      method('quantity_get_float', [quantity], doubleType, (value) => approximateFloat(value.quantity)),
    ],
  },
  {
    name: 'asInteger',
    overloads: [
      method(
        'quantity_get_int',
        [quantity],
        intType,
        (value) => asInteger(value.quantity) ?? new CelError('cannot convert value to integer'),
      ),
    ],
  },
  {
    name: 'isInteger',
    overloads: [
      method('quantity_is_integer', [quantity], boolType, (value) => asInteger(value.quantity) !== undefined),
    ],
  },
  {
    name: 'add',
    overloads: [
      method('quantity_add', [quantity, quantity], quantityType, (a, b) => a.combine(add, b.quantity)),
      method('quantity_add_int', [quantity, int], quantityType, (a, b) => a.combine(add, fromInteger(b))),
    ],
  },
  {
    name: 'sub',
    overloads: [
      method('quantity_sub', [quantity, quantity], quantityType, (a, b) => a.combine(subtract, b.quantity)),
      method('quantity_sub_int', [quantity, int], quantityType, (a, b) =>
        a.combine(subtract, fromInteger(b)),
      ),
    ],
  },
];
