import { parseDocument, type Document, type ParseOptions, type YAMLError } from 'yaml';
import { nestingFault } from '../../compiler/load/nesting.ts';
import { aliasFault } from './alias-fault.ts';
import { DiagnosedError } from '../diagnosed-error.ts';
import { UserError } from '../user-error.ts';

/**
 * For `toJS` of documents whose aliases `parseYaml` has counted: the library rejects far fewer aliases than kubectl
 * does.
 */
export const aliasesAreCounted = { maxAliasCount: -1 } as const;

/**
 * Parses YAML that is not sent to the hub.
 *
 * @param file - its name in findings
 * @param syntaxError - the beginning of the message about a syntax error, or a function that returns the error to throw
 * @throws DiagnosedError if it is nested too deeply or its aliases multiply; UserError if it is not valid YAML.
 */
export function parseYaml(
  file: string,
  text: string,
  {
    syntaxError,
    ...options
  }: ParseOptions & { readonly syntaxError: string | ((error: YAMLError) => Error) },
): Document {
  // Check this first, because the library has no bound but the stack.
  const fault = nestingFault(file, text);
  if (fault !== undefined) throw new DiagnosedError(fault, new Map([[file, text]]));
  const document = parseDocument(text, options);
  const [error] = document.errors;
  if (error !== undefined) {
    if (typeof syntaxError === 'function') throw syntaxError(error);
    throw new UserError(`${syntaxError}: ${error.message.split('\n', 1)[0] ?? ''}`);
  }
  const aliases = aliasFault(file, text, document);
  if (aliases !== undefined) throw new DiagnosedError(aliases, new Map([[file, text]]));
  return document;
}
