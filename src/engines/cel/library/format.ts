import { instanceOf, method, overload, text } from '../function.ts';
import type { FunctionDeclaration } from '../function.ts';
import { noSuchOverload } from '../values/comparison.ts';
import { namedFormats } from '../values/named-format.ts';
import type { FormatErrors } from '../values/named-format.ts';
import { listType, optionalType, stringType, structType } from '../check/types.ts';
import { CelList, CelOptional, UnpredictableList, none } from '../values/value.ts';
import type { CelBox } from '../values/box.ts';
import type { CelError } from '../error.ts';

class CelFormat implements CelBox {
  readonly typeName = 'kubernetes.NamedFormat';
  readonly name: string;
  readonly validate: (text: string) => FormatErrors;

  constructor(name: string, validate: (text: string) => FormatErrors) {
    this.name = name;
    this.validate = validate;
  }

  equals(other: unknown): boolean | CelError {
    return other instanceof CelFormat ? other.name === this.name : noSuchOverload;
  }
}

const formatType = structType('kubernetes.NamedFormat');
const format = instanceOf(formatType, CelFormat);
const formats: ReadonlyMap<string, CelFormat> = new Map(
  Array.from(namedFormats, ([key, { name, validate }]) => [key, new CelFormat(name, validate)]),
);

/** Kubernetes' format library. */
export const formatFunctions: readonly FunctionDeclaration[] = [
  ...Array.from(formats, ([key, value]) => ({
    name: `format.${key}`,
    overloads: [overload(`format.${key}`, [], formatType, () => value)],
  })),
  {
    name: 'format.named',
    overloads: [
      overload('format-named', [text], optionalType(formatType), (name) => {
        const namedFormat = formats.get(name);
        return namedFormat === undefined ? none : new CelOptional(namedFormat);
      }),
    ],
  },
  {
    name: 'validate',
    overloads: [
      method('format-validate', [format, text], optionalType(listType(stringType)), (named, value) => {
        const errors = named.validate(value);
        if (typeof errors === 'number')
          return new CelOptional(new UnpredictableList(errors, "it reads Go's message about a URL"));
        return errors.length === 0 ? none : new CelOptional(new CelList(errors));
      }),
    ],
  },
];
