import {
  isCollection,
  isMap,
  isNode,
  isScalar,
  visit,
  type ErrorCode,
  type Pair,
  type YAMLMap,
  type YAMLParseError,
  type YAMLSeq,
} from 'yaml';
import type { DiagnosticCollector } from '../diagnostic-collector.ts';
import type { YamlTree } from './yaml-tree.ts';

interface Explanation {
  readonly message: string;
  readonly hint?: string;
}

const valueAndMapping: Explanation = {
  message: 'this key has a value and, below it, lines that are indented deeper',
  hint: 'a key has either a value on its line or a mapping below it',
};
const nothingBefore: Explanation = {
  message: 'this does not belong to anything before it',
  hint: 'look at its indentation, and at the brackets and quotes before it',
};
const blockHeader: Explanation = { message: 'the text of a block begins on the line after its | or >' };
const anythingElse: Explanation = {
  message: 'this is not YAML',
  hint: 'look at the quotes, brackets and indentation before it',
};

/**
 * The library's error codes and the messages for them. If there are several errors at one position, the first in this list
 * counts.
 */
const explanations: readonly (readonly [RegExp, Explanation])[] = [
  [/^A block sequence may not/, { message: 'a list is used as a key' }],
  [
    /^Nested mappings/,
    {
      message: 'a mapping begins in the middle of a line',
      hint: 'put a text that contains ": " in quotes, or begin the mapping on the next line',
    },
  ],
  [
    /^All mapping items/,
    {
      message: 'the indentation of this line matches no enclosing mapping',
      hint: 'give all keys of a mapping the same indentation',
    },
  ],
  [
    /^All sequence items/,
    {
      message: 'the indentation of this line matches no enclosing list',
      hint: 'give all items of a list the same indentation',
    },
  ],
  [
    /^Implicit map keys need/,
    {
      message: 'this is neither "key: value" nor an item of a list',
      hint: 'write a colon and a space after a key',
    },
  ],
  [
    /^Implicit keys/,
    {
      message: 'this line lacks a colon, or a key goes over several lines',
      hint: 'write each key and its colon on one line',
    },
  ],
  [
    /^Unexpected block-seq-ind/,
    { message: 'a list begins on the line of its key', hint: 'begin the list on the next line' },
  ],
  [
    /^Sequence item without/,
    {
      message: 'this is not an item of the enclosing list',
      hint: 'begin the item with "- ", or indent it like the key that it belongs to',
    },
  ],
  [
    /^Missing closing/,
    {
      message: 'the closing quote is missing',
      hint: 'write the same quote at the end of the text',
    },
  ],
  [
    /end with a [\]}]/,
    {
      message: 'the closing bracket is missing',
      hint: 'write ] or } where the list or mapping ends',
    },
  ],
  [
    /^Invalid escape sequence/,
    { message: 'this escape does not exist', hint: 'write \\\\ for a backslash, or use single quotes' },
  ],
  [
    /^Plain value cannot start with/,
    { message: 'a text without quotes cannot begin with this character', hint: 'put it in quotes' },
  ],
  [/^Missing , /, { message: 'a comma is missing' }],
  [/^Missing space after :/, { message: 'a space is missing after the colon' }],
  [/^Unexpected , in|^Unexpected empty item/, { message: 'there is an extra comma' }],
  [
    /^Block collections are/,
    { message: 'lists and mappings by indentation are not allowed inside [ ] or { }' },
  ],
  [
    /^Block scalar (?:values|lines)|^Block scalars with/,
    {
      message: 'the lines of this block scalar have different indentation',
      hint: 'indent every line at least as far as the first',
    },
  ],
  [/^Block scalar header|^Not a YAML token/, blockHeader],
  [/^Comments must be separated/, { message: 'a space is missing before the comment' }],
  [
    /^Missing newline after/,
    { message: 'a list begins on the line of its anchor or tag', hint: 'begin the list on the next line' },
  ],
  [/^Anchors and tags must|^Tags and anchors must/, { message: 'an anchor or tag is in the wrong place' }],
  [/^A node can have at most one/, { message: 'a value has more than one anchor or tag' }],
  [/^An alias node must not/, { message: 'an alias cannot have an anchor or a tag' }],
  [/^(?:Anchor|Alias) cannot be an empty/, { message: 'the name of the anchor is missing' }],
  [/^The : indicator must be/, { message: 'a key is longer than 1024 characters' }],
  [
    /at node end$/,
    {
      message: 'there is something after the end of this value',
      hint: 'put all of the value in quotes, or none of it',
    },
  ],
  [/in YAML (?:stream|document)/, nothingBefore],
];

const byCode: Partial<Record<ErrorCode, Explanation>> = {
  TAG_RESOLVE_FAILED: { message: 'this tag is unknown' },
};

/**
 * Reports the first error of a document: later errors usually follow from it.
 *
 * @param text - the text that the tree was parsed from
 * @param base - the offset of that text in its file
 */
export function reportSyntaxError(
  tree: YamlTree,
  text: string,
  base: number,
  findings: DiagnosticCollector,
): void {
  // What follows an open quote or bracket is read as part of it, and has errors that would not be there otherwise.
  const first = tree.errors.find(({ message }) => isUnclosed(message)) ?? tree.errors[0];
  if (first === undefined) return;
  const tab = first.code === 'TAB_AS_INDENT' ? first.pos[0] : tabBefore(text, first.pos[0]);
  if (tab !== undefined) {
    findings.add('FW1002', base + tab, 'a tab is used for indentation', {
      hint: 'indent with spaces',
    });
    return;
  }
  const here = tree.errors.filter(({ pos }) => pos[0] === first.pos[0]);
  const { message, hint } = explain(first, here, text);
  const opening = isUnclosed(first.message) ? openedBefore(tree, first.pos[0]) : undefined;
  findings.add(
    'FW1001',
    base + (opening ?? firstCharacter(text, first.pos[0])),
    message,
    hint === undefined ? {} : { hint },
  );
}

function isUnclosed(message: string): boolean {
  return /^Missing closing|end with a [\]}]/.test(message);
}

function explain(first: YAMLParseError, here: readonly YAMLParseError[], text: string): Explanation {
  const says = (pattern: RegExp): boolean => here.some(({ message }) => pattern.test(message));
  if (says(/^Nested mappings/) && says(/^Implicit keys/)) return valueAndMapping;
  const startsLine = /(?:^|\n) *$/.test(text.slice(Math.max(0, first.pos[0] - 200), first.pos[0]));
  if (startsLine && says(/at node end$/)) return nothingBefore;
  return explanations.find(([pattern]) => says(pattern))?.[1] ?? byCode[first.code] ?? anythingElse;
}

/** Returns a tab in the leading white space of the line of an offset. */
function tabBefore(text: string, offset: number): number | undefined {
  const lineStart = offset === 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1;
  const tab = /^ *\t/.exec(text.slice(lineStart, offset + 1));
  return tab === null ? undefined : lineStart + tab[0].length - 1;
}

/** Returns the position of the innermost quote or bracket that is still open at an offset. */
function openedBefore({ contents }: YamlTree, offset: number): number | undefined {
  let opening: number | undefined;
  visit(contents, {
    Value(_, node) {
      const isQuoted = isScalar(node) && (node.type === 'QUOTE_DOUBLE' || node.type === 'QUOTE_SINGLE');
      const isBracket = isCollection(node) && node.flow === true && !isSinglePair(node);
      if ((isQuoted || isBracket) && node.range?.[1] === offset) opening = node.range[0];
    },
  });
  return opening;
}

/** Whether a mapping is an item of a list in brackets, as in `[a: b]`, without brackets around it. */
function isSinglePair(node: YAMLMap | YAMLSeq): boolean {
  const [first] = isMap(node) ? (node.items as readonly Pair[]) : [];
  return isNode(first?.key) && first.key.range?.[0] === node.range?.[0];
}

/** Returns the first character after white space. The library reports some errors at the leading white space of a line. */
function firstCharacter(text: string, offset: number): number {
  let at = offset;
  while (text[at] === ' ') at++;
  return text[at] === '\n' || at >= text.length ? offset : at;
}
