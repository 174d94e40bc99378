import type { ErrorCode, YAMLParseError } from 'yaml';
import type { Findings } from './findings.ts';
import { deepestNesting } from './nesting.ts';

interface Explanation {
  readonly message: string;
  readonly hint?: string;
}

/** What the library says, and how we say it. The first pattern that matches counts. */
const explanations: readonly (readonly [RegExp, Explanation])[] = [
  [
    /^All mapping items/,
    {
      message: 'this line is indented like no mapping around it',
      hint: 'give all keys of a mapping the same indentation',
    },
  ],
  [
    /^All sequence items/,
    {
      message: 'this line is indented like no list around it',
      hint: 'give all items of a list the same indentation',
    },
  ],
  [
    /^Nested mappings/,
    {
      message: 'a mapping begins in the middle of a line',
      hint: 'put a text that contains ": " in quotes, or begin the mapping on the next line',
    },
  ],
  [
    /^Implicit keys need to be on a single line|^Implicit keys of flow/,
    {
      message: 'a key goes over several lines',
      hint: 'a line without ": " may have come between, or a quote may be missing',
    },
  ],
  [
    /^Implicit map keys need/,
    {
      message: 'this is neither "key: value" nor an item of a list',
      hint: 'write a colon and a space after a key',
    },
  ],
  [/^A block sequence may not/, { message: 'a list stands where a key is expected' }],
  [
    /^Unexpected block-seq-ind/,
    { message: 'a list begins on the line of its key', hint: 'begin the list on the next line' },
  ],
  [
    /^Sequence item without/,
    {
      message: 'this is no item of the list around it',
      hint: 'begin the item with "- ", or indent it like the key that it belongs to',
    },
  ],
  [/^Missing closing 'quote/, { message: "the closing ' is missing" }],
  [/^Missing closing "quote/, { message: 'the closing " is missing' }],
  [
    /^Invalid escape sequence/,
    { message: 'this escape does not exist', hint: 'write \\\\ for a backslash, or use single quotes' },
  ],
  [
    /^Plain value cannot start with/,
    { message: 'a text without quotes cannot begin with this character', hint: 'put it in quotes' },
  ],
  [
    /must end with a \}|end with a \}/,
    { message: 'the closing } is missing, or stands further left than its mapping' },
  ],
  [
    /must end with a \]|end with a \]/,
    { message: 'the closing ] is missing, or stands further left than its list' },
  ],
  [/^Missing , or :|^Missing , between/, { message: 'a comma is missing' }],
  [/^Missing space after :/, { message: 'a space is missing after the colon' }],
  [/^Unexpected , in|^Unexpected empty item/, { message: 'a comma too many' }],
  [
    /^Block collections are not allowed/,
    { message: 'lists and mappings by indentation cannot stand inside [ ] or { }' },
  ],
  [
    /^Block scalar (?:values|lines)|^Block scalars with/,
    {
      message: 'the lines of this block of text are not indented alike',
      hint: 'indent every line at least as far as the first',
    },
  ],
  [/^Block scalar header/, { message: 'the text of a block begins on the line after its | or >' }],
  [/^Comments must be separated/, { message: 'a space is missing before the comment' }],
  [
    /^Missing newline after block sequence props/,
    { message: 'a list begins on the line of its anchor or tag', hint: 'begin the list on the next line' },
  ],
  [
    /^Anchors and tags must be after|^Tags and anchors must be separated/,
    { message: 'an anchor or tag stands at the wrong place' },
  ],
  [/^A node can have at most one/, { message: 'a value has more than one anchor or tag' }],
  [/^An alias node must not/, { message: 'an alias cannot have an anchor or tag of its own' }],
  [/^(?:Anchor|Alias) cannot be an empty/, { message: 'the name of the anchor is missing' }],
  [/^The : indicator must be/, { message: 'a key is longer than 1024 characters' }],
  [
    /at node end$/,
    {
      message: 'something stands behind the end of this value',
      hint: 'put all of the value in quotes, or none of it',
    },
  ],
  [
    /in YAML (?:stream|document)/,
    {
      message: 'this belongs to nothing before it',
      hint: 'look at its indentation, and at the brackets and quotes before it',
    },
  ],
  [/^Not a YAML token/, { message: 'the text of a block begins on the line after its | or >' }],
  [/^Unexpected doc-end/, { message: 'the document ends before it begins' }],
];

const byCode: Partial<Record<ErrorCode, Explanation>> = {
  RESOURCE_EXHAUSTION: { message: `this value is nested more than ${deepestNesting} levels deep` },
  TAG_RESOLVE_FAILED: { message: 'this tag is not known' },
};

const anythingElse: Explanation = {
  message: 'this is not YAML',
  hint: 'look at the quotes, brackets and indentation before it',
};

/**
 * Reports the first error of a document: those after it mostly follow from it.
 *
 * @param text - the text that was parsed
 * @param base - the offset of that text in its file
 */
export function reportSyntaxError(
  error: YAMLParseError,
  text: string,
  base: number,
  findings: Findings,
): void {
  const [at] = error.pos;
  const tab = error.code === 'TAB_AS_INDENT' ? at : tabBefore(text, at);
  if (tab !== undefined) {
    findings.add('FW1002', base + tab, 'a tab stands where the indentation should be', {
      hint: 'indent with spaces',
    });
    return;
  }
  const found = explanations.find(([pattern]) => pattern.test(error.message))?.[1] ?? byCode[error.code];
  const { message, hint } = found ?? anythingElse;
  findings.add('FW1001', base + at, message, hint === undefined ? {} : { hint });
}

/** A tab in the white space that the line of an offset begins with. */
function tabBefore(text: string, offset: number): number | undefined {
  const lineStart = offset === 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1;
  const tab = /^ *\t/.exec(text.slice(lineStart, offset + 1));
  return tab === null ? undefined : lineStart + tab[0].length - 1;
}
