import { parseDocument, type Document, type ParseOptions, type YAMLError } from 'yaml';
import { nestingFault } from '../compiler/load/nesting.ts';
import { aliasFault } from './alias-fault.ts';
import { DiagnosedFailure } from './diagnosed-failure.ts';
import { UserError } from './user-error.ts';

/**
 * For `toJS` of documents whose aliases `parseYaml` has counted: the library rejects far fewer aliases than kubectl
 * does.
 */
export const aliasesAreCounted = { maxAliasCount: -1 } as const;

/**
 * Parses YAML that is not sent to the hub.
 *
 * @param file - its name in findings
 * @param trouble - the beginning of a syntax error, or the text that makes it an error of the command
 * @throws DiagnosedFailure if it is nested too deeply or its aliases multiply; UserError if it is not valid YAML.
 */
export function parseYaml(
  file: string,
  text: string,
  { trouble, ...options }: ParseOptions & { readonly trouble: string | ((error: YAMLError) => Error) },
): Document {
  // Check this first, because the library has no bound but the stack.
  const fault = nestingFault(file, text);
  if (fault !== undefined) throw new DiagnosedFailure(fault, new Map([[file, text]]));
  const document = parseDocument(text, options);
  const [error] = document.errors;
  if (error !== undefined) {
    if (typeof trouble === 'function') throw trouble(error);
    throw new UserError(`${trouble}: ${error.message.split('\n', 1)[0] ?? ''}`);
  }
  const aliases = aliasFault(file, text, document);
  if (aliases !== undefined) throw new DiagnosedFailure(aliases, new Map([[file, text]]));
  return document;
}
