import { goQuote } from '../go/quote.ts';
import { printedValue } from './go-struct.ts';

/**
 * The path to a field as the API server prints it, with the path in the object. As field.Path of apimachinery.
 * Most fields have no fault, so that both are computed on demand.
 */
export class Field {
  readonly #parent: Field | undefined;
  readonly #printed: string;
  readonly #steps: readonly (string | number)[] | string | number;

  private constructor(
    parent: Field | undefined,
    printed: string,
    steps: readonly (string | number)[] | string | number,
  ) {
    this.#parent = parent;
    this.#printed = printed;
    this.#steps = steps;
  }

  static readonly root: Field = new Field(undefined, '', []);

  /** Returns the path of a field. Some validations print another name than that of the object, which `steps` has. */
  child(name: string, steps: readonly (string | number)[] | string = name): Field {
    return new Field(this, `.${name}`, steps);
  }

  index(index: number): Field {
    return new Field(this, `[${index}]`, index);
  }

  key(name: string, steps: readonly (string | number)[] | string = name): Field {
    return new Field(this, `[${name}]`, steps);
  }

  /** `spec.ports[0].name`, or `data[a/b]` for a key of a map. */
  get text(): string {
    const before = this.#parent?.text ?? '';
    return before === '' ? this.#printed.replace(/^\./, '') : before + this.#printed;
  }

  /** The keys and indices from the root of the object. */
  get steps(): readonly (string | number)[] {
    return [...(this.#parent?.steps ?? []), ...[this.#steps].flat()];
  }
}

/** A fault that the API server finds in an object, in its own words. As field.Error of apimachinery. */
export interface FieldFault {
  /** The field as the API server names it: `spec.template.spec.containers[0].image`. */
  readonly field: string;
  /** The keys and indices from the root of the object to the field, or to what it would be in. */
  readonly path: readonly (string | number)[];
  /** `Required value`, or `Invalid value: "a b": …`. */
  readonly message: string;
  /** Whether something is missing, which another field manager could have written. */
  readonly isMissing: boolean;
  /** Whether the API server refuses it only in a new object. */
  readonly isOfNew: boolean;
}

/** A value without which the object is not complete. */
export function required(field: Field, detail = ''): FieldFault {
  return fault(field, 'Required value', detail, true);
}

/** A value that is malformed, or contradicts another one. */
export function invalid(field: Field, value: unknown, detail: string): FieldFault {
  return fault(field, `Invalid value: ${printedValue(value)}`, detail);
}

/** The same, once for each message. */
export function invalidEach(field: Field, value: unknown, details: readonly string[]): readonly FieldFault[] {
  return details.map((detail) => invalid(field, value, detail));
}

/** A value that contradicts what is absent elsewhere in the object, and that another field manager could have written. */
export function incomplete(field: Field, value: unknown, detail: string): FieldFault {
  return fault(field, `Invalid value: ${printedValue(value)}`, detail, true);
}

/** A reference to something that the object does not have. */
export function notFound(field: Field, value: unknown): FieldFault {
  return fault(field, `Not found: ${printedValue(value)}`, '', true);
}

/** A value that is not one of a list. */
export function notSupported(field: Field, value: unknown, supported: readonly string[]): FieldFault {
  const detail = `supported values: ${supported.map(goQuote).join(', ')}`;
  return fault(field, `Unsupported value: ${printedValue(value)}`, detail);
}

/** A value that occurs twice. */
export function duplicate(field: Field, value: unknown): FieldFault {
  return fault(field, `Duplicate value: ${printedValue(value)}`, '');
}

/** A value that may not be set here. */
export function forbidden(field: Field, detail: string): FieldFault {
  return fault(field, 'Forbidden', detail);
}

/** A value with more bytes than are allowed. */
export function tooLong(field: Field, limit: number): FieldFault {
  return fault(field, 'Too long', `may not be more than ${limit} bytes`);
}

/** A value that the API server cannot decode, so that it validates nothing else. It reports no field for it. */
export function undecodable(field: Field, detail: string): FieldFault {
  return fault(field, detail, '');
}

/** Marks faults that the API server refuses only in a new object. */
export function ofNew(faults: readonly FieldFault[]): readonly FieldFault[] {
  return faults.map((each) => ({ ...each, isOfNew: true }));
}

function fault(field: Field, problem: string, detail: string, isMissing = false): FieldFault {
  return {
    field: field.text,
    path: field.steps,
    message: detail === '' ? problem : `${problem}: ${detail}`,
    isMissing,
    isOfNew: false,
  };
}
