import { parseDocument, type Document, type ParseOptions, type YAMLError } from 'yaml';
import { nestingFault } from '../compiler/load/nesting.ts';
import { aliasFault } from './alias-fault.ts';
import { DiagnosedFailure } from './diagnosed-failure.ts';
import { CommandError } from './terminal.ts';

/** For `toJS` of documents whose aliases `parseYaml` has counted: the library refuses far fewer than kubectl does. */
export const aliasesAreCounted = { maxAliasCount: -1 } as const;

/**
 * Parses YAML that is not for the hub.
 *
 * @param file - its name in findings
 * @param trouble - what an error of its syntax begins with, or what makes it an error of the command
 * @throws DiagnosedFailure where it is nested too deeply or its aliases multiply; CommandError where it is no YAML.
 */
export function parseYaml(
  file: string,
  text: string,
  { trouble, ...options }: ParseOptions & { readonly trouble: string | ((error: YAMLError) => Error) },
): Document {
  // First, since the library has no bound but the stack.
  const fault = nestingFault(file, text);
  if (fault !== undefined) throw new DiagnosedFailure(fault, new Map([[file, text]]));
  const document = parseDocument(text, options);
  const [error] = document.errors;
  if (error !== undefined) {
    if (typeof trouble === 'function') throw trouble(error);
    throw new CommandError(`${trouble}: ${error.message.split('\n', 1)[0] ?? ''}`);
  }
  const aliases = aliasFault(file, text, document);
  if (aliases !== undefined) throw new DiagnosedFailure(aliases, new Map([[file, text]]));
  return document;
}
