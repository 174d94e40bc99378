import { int, method, text } from '../function.ts';
import type { FunctionDeclaration } from '../function.ts';
import { findAll, findFirst } from '../values/regular-expression.ts';
import { listType, stringType } from '../check/types.ts';
import { CelList } from '../values/value.ts';
import { CelError } from '../error.ts';
import type { CelResult } from '../values/value.ts';

/** Kubernetes' regex library. `matches` is one of CEL's own functions, in `standard.ts`. */
export const regexFunctions: readonly FunctionDeclaration[] = [
  { name: 'find', overloads: [method('string_find_string', [text, text], stringType, findFirst)] },
  {
    name: 'findAll',
    overloads: [
      method('string_find_all_string', [text, text], listType(stringType), (string, pattern) =>
        listOfAll(string, pattern, -1n),
      ),
      method('string_find_all_string_int', [text, text, int], listType(stringType), listOfAll),
    ],
  },
];

function listOfAll(string: string, pattern: string, most: bigint): CelResult {
  const matches = findAll(string, pattern, most < 0n ? Infinity : Number(most));
  return matches instanceof CelError ? matches : new CelList(matches);
}
