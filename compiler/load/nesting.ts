import type { CST } from 'yaml';

/** Deeper nesting than this is refused: no object needs it, and no phase should have to fear for its stack. */
export const deepestNesting = 500;

/** What is said of deeper nesting, in every way of writing. */
export const tooDeep = `this is nested more than ${deepestNesting} levels deep`;

type Collection = CST.BlockMap | CST.BlockSequence | CST.FlowCollection;

function isCollection(token: CST.Token | null | undefined): token is Collection {
  return token?.type === 'block-map' || token?.type === 'block-seq' || token?.type === 'flow-collection';
}

interface Nested {
  readonly token: Collection;
  /** How many lists and mappings are around it. */
  readonly depth: number;
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
