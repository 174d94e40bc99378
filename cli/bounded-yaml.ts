import { parseDocument, visit, type Document, type ParseOptions } from 'yaml';
import { codes } from '../compiler/codes.ts';
import { nestingFault } from '../compiler/load/nesting.ts';
import { DiagnosedFailure } from './diagnosed-failure.ts';
import { CommandError } from './terminal.ts';

/**
 * Parses YAML that is not for the hub.
 *
 * @param file - its name in findings
 * @param trouble - what an error of its syntax begins with
 * @throws DiagnosedFailure where it is nested too deeply; CommandError where it is no YAML.
 */
export function parseYaml(
  file: string,
  text: string,
  { trouble, ...options }: ParseOptions & { readonly trouble: string },
): Document {
  // First, since the library has no bound but the stack.
  const fault = nestingFault(file, text);
  if (fault !== undefined) throw new DiagnosedFailure(fault, new Map([[file, text]]));
  const document = parseDocument(text, options);
  const [error] = document.errors;
  if (error !== undefined) throw new CommandError(`${trouble}: ${error.message.split('\n', 1)[0] ?? ''}`);
  if (hasMultiplyingAliases(document)) {
    const message = 'the aliases of this document multiply beyond measure';
    const location = { file, line: 1, column: 1 };
    throw new DiagnosedFailure(
      { code: 'FW1006', severity: codes.FW1006.severity, message, location },
      new Map([[file, text]]),
    );
  }
  return document;
}

/** The library counts the values that aliases stand for, and refuses more than a hundred times the document. */
function hasMultiplyingAliases(document: Document): boolean {
  let hasAlias = false;
  visit(document, {
    Alias: () => {
      hasAlias = true;
      return visit.BREAK;
    },
  });
  if (!hasAlias) return false;
  try {
    document.toJS();
    return false;
  } catch (error) {
    if (error instanceof ReferenceError) return true;
    throw error;
  }
}
