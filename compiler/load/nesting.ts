import { Parser, type CST } from 'yaml';
import type { Diagnostic } from '../diagnostic.ts';
import { Findings } from './findings.ts';
import { SourceFile } from './source-file.ts';

/** Deeper nesting than this is refused: no object needs it, and no phase should have to fear for its stack. */
export const deepestNesting = 500;

/** What is said of deeper nesting, in every way of writing. */
export const tooDeep = `this is nested more than ${deepestNesting} levels deep`;
export const tooDeepHint =
  'nothing of Kubernetes is nested so deeply: look for brackets that are not closed, and for what holds itself';

type Collection = CST.BlockMap | CST.BlockSequence | CST.FlowCollection;

function isCollection(token: CST.Token | null | undefined): token is Collection {
  return token?.type === 'block-map' || token?.type === 'block-seq' || token?.type === 'flow-collection';
}

interface Nested {
  readonly token: Collection;
  /** How many lists and mappings are around it. */
  readonly depth: number;
}

/** Says where a YAML text is nested too deeply, for readers that leave all else to the library; undefined where it is not. */
export function nestingFault(file: string, text: string): Diagnostic | undefined {
  const findings = new Findings(new SourceFile(file, text));
  for (const token of new Parser().parse(text)) {
    const offset = token.type === 'document' ? tooDeepOffset(token) : undefined;
    if (offset === undefined) continue;
    findings.add('FW1001', offset, tooDeep, { hint: tooDeepHint });
    break;
  }
  return findings.diagnostics[0];
}

/**
 * The offset of the first list or mapping of a YAML document that has too many others around it; undefined where there is
 * none. It needs no stack, which whatever makes nodes of the tokens does.
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
