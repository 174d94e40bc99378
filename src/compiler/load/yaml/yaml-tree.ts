import {
  Composer,
  isAlias,
  Parser,
  Schema,
  visit,
  type Alias,
  type ParsedNode,
  type YAMLParseError,
} from 'yaml';
import { tooDeepOffset } from '../nesting.ts';
import { YamlLexer } from './yaml-lexer.ts';

/** A YAML document as its nodes, which have positions. */
export interface YamlTree {
  /** The text that it was parsed from. */
  readonly text: string;
  /** Null if there are only comments. */
  readonly contents: ParsedNode | null;
  /** The node of each alias; an alias without an anchor before it is missing. */
  readonly anchors: ReadonlyMap<Alias, ParsedNode>;
  /** In the order of the text. */
  readonly errors: readonly YAMLParseError[];
  /** Syntax that is valid YAML, but that kubectl does not read: directives, and documents after an end marker. */
  readonly strayMarkers: readonly StrayMarker[];
  /** The position at which the document is nested too deeply to be read; it then has no contents. */
  readonly tooDeepAt?: number;
  /** The comments that belong to the document as a whole, without `#`. */
  readonly comments: { readonly before: string; readonly after: string };
}

export interface StrayMarker {
  readonly kind: 'directive' | 'document after end marker';
  readonly offset: number;
}

// Tags and values are resolved afterwards, by Go's rules: the library only has to find the structure.
const options = {
  schema: new Schema({ schema: 'failsafe', resolveKnownTags: false }),
  logLevel: 'silent',
  prettyErrors: false,
  strict: true,
  uniqueKeys: false,
} as const;

/** Parses the text of one document. Offsets in the result are offsets in this text. */
export function parseYamlTree(text: string): YamlTree {
  const composer = new Composer(options);
  const surprises: Surprises = { strayMarkers: [] };
  const documents = [...composer.compose(watched(new Parser(), text, surprises), true, text.length)];
  const errors = documents
    .flatMap((document) => document.errors)
    .filter((error) => !isCommentAfterEnd(error, text))
    .sort((a, b) => a.pos[0] - b.pos[0]);
  const contents = documents[0]?.contents ?? null;
  const comments = { before: documents[0]?.commentBefore ?? '', after: documents[0]?.comment ?? '' };
  return { text, contents, anchors: resolveAliases(contents, text), errors, ...surprises, comments };
}

/** go-yaml needs no space before a comment behind a quote, a bracket or the header of a block. */
function isCommentAfterEnd({ message, pos }: YAMLParseError, text: string): boolean {
  if (!message.startsWith('Comments must be separated')) return false;
  const before = text.slice(Math.max(0, pos[0] - 4), pos[0]);
  return /["'\]}]$|[|>][-+\d]{0,2}$/.test(before);
}

interface Surprises {
  readonly strayMarkers: StrayMarker[];
  tooDeepAt?: number;
}

function* watched(parser: Parser, text: string, surprises: Surprises) {
  let documents = 0;
  for (const token of tokensOf(parser, text)) {
    if (token.type === 'directive') surprises.strayMarkers.push({ kind: 'directive', offset: token.offset });
    if (token.type === 'document') {
      if (++documents === 2)
        surprises.strayMarkers.push({ kind: 'document after end marker', offset: token.offset });
      const tooDeepAt = tooDeepOffset(token);
      if (tooDeepAt !== undefined) {
        surprises.tooDeepAt = tooDeepAt;
        return;
      }
    }
    yield token;
  }
}

function* tokensOf(parser: Parser, text: string) {
  for (const lexeme of new YamlLexer().lex(text)) yield* parser.next(lexeme);
  yield* parser.end();
}

/** Resolves an alias to the last node before it that has its anchor: a later one with the same name does not count. */
function resolveAliases(contents: ParsedNode | null, text: string): Map<Alias, ParsedNode> {
  const targets = new Map<Alias, ParsedNode>();
  if (contents === null || !text.includes('&')) return targets;
  const anchors = new Map<string, ParsedNode>();
  visit(contents, {
    Node(_, node) {
      const parsed = node as ParsedNode;
      if (!isAlias(parsed)) {
        if (parsed.anchor !== undefined) anchors.set(parsed.anchor, parsed);
        return;
      }
      const target = anchors.get(parsed.source);
      if (target !== undefined) targets.set(parsed, target);
    },
  });
  return targets;
}
