import { Parser, type CST } from 'yaml';
import type { Diagnostic } from '../model/diagnostic.ts';
import { DiagnosticCollector } from './diagnostic-collector.ts';
import { SourceFile } from './source-file.ts';

/** The maximum nesting depth. No object needs more, and it keeps every phase from a stack overflow. */
export const deepestNesting = 500;

/** The message for deeper nesting, in every syntax. */
export const tooDeep = `this is nested more than ${deepestNesting} levels deep`;
export const tooDeepHint =
  'Kubernetes objects are never nested so deeply: look for unclosed brackets, and for values that contain themselves';

type Collection = CST.BlockMap | CST.BlockSequence | CST.FlowCollection;

function isCollection(token: CST.Token | null | undefined): token is Collection {
  return token?.type === 'block-map' || token?.type === 'block-seq' || token?.type === 'flow-collection';
}

interface Nested {
  readonly token: Collection;
  /** The number of lists and mappings around it. */
  readonly depth: number;
}

/**
 * Reports a YAML text that is nested too deeply, for readers that leave everything else to the library; undefined if it is not.
 */
export function nestingFault(file: string, text: string): Diagnostic | undefined {
  const findings = new DiagnosticCollector(new SourceFile(file, text));
  for (const token of new Parser().parse(text)) {
    const offset = token.type === 'document' ? tooDeepOffset(token) : undefined;
    if (offset === undefined) continue;
    findings.add('FW1001', offset, tooDeep, { hint: tooDeepHint });
    break;
  }
  return findings.diagnostics[0];
}

/**
 * Returns the offset of the first list or mapping of a YAML document that has too many others around it; undefined if there is
 * none. It does not recurse, unlike any code that creates nodes from the tokens.
 */
export function tooDeepOffset({ value }: CST.Document): number | undefined {
  const waiting: Nested[] = isCollection(value) ? [{ token: value, depth: 0 }] : [];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { token, depth } = next;
    if (depth >= deepestNesting) return token.offset;
    for (const { key, sep, value } of token.items.toReversed()) {
      // A list in brackets can have mappings of one key without braces.
      const isPair =
        token.type === 'flow-collection' && token.start.type === 'flow-seq-start' && sep !== undefined;
      const inside = depth + (isPair ? 2 : 1);
      if (isCollection(value)) waiting.push({ token: value, depth: inside });
      if (isCollection(key)) waiting.push({ token: key, depth: inside });
    }
  }
  return undefined;
}
