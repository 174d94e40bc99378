/**
 * A text before layout, in prettier's model of documents, after Wadler's "A prettier printer". A group is printed on one line if
 * it fits; otherwise its lines break.
 */
export type Doc =
  | string
  | readonly Doc[]
  | {
      readonly type: 'group';
      readonly contents: Doc;
      readonly breaks: boolean;
      readonly states?: readonly Doc[];
    }
  | { readonly type: 'indent'; readonly contents: Doc }
  | { readonly type: 'line'; readonly flat: '' | ' ' }
  | { readonly type: 'hard'; readonly literal: boolean }
  | { readonly type: 'if-break'; readonly broken: Doc; readonly flat: Doc }
  /** Words; each line takes as many as fit. */
  | { readonly type: 'fill'; readonly words: readonly string[] };

export const line: Doc = { type: 'line', flat: ' ' };
export const softline: Doc = { type: 'line', flat: '' };
export const hardline: Doc = { type: 'hard', literal: false };
/** A line break inside a template literal: the following text is not indented. */
export const literalLine: Doc = { type: 'hard', literal: true };
export const trailingComma: Doc = { type: 'if-break', broken: ',', flat: '' };

export function indent(contents: Doc): Doc {
  return { type: 'indent', contents };
}

export function group(contents: Doc, breaks = false): Doc {
  return { type: 'group', contents, breaks: breaks || willBreak(contents) };
}

/** Prints the first state that fits. Line breaks inside do not break it. */
export function firstThatFits(states: readonly [Doc, ...Doc[]]): Doc {
  return { type: 'group', contents: states[0], breaks: false, states };
}

export function join(separator: Doc, docs: readonly Doc[]): Doc {
  return docs.flatMap((doc, index) => (index === 0 ? [doc] : [separator, doc]));
}

/** Whether the text has line breaks at any width. */
export function willBreak(doc: Doc): boolean {
  if (typeof doc === 'string') return false;
  if (isConcat(doc)) return doc.some(willBreak);
  switch (doc.type) {
    case 'group':
      return doc.breaks || willBreak(doc.contents);
    case 'indent':
      return willBreak(doc.contents);
    case 'hard':
      return true;
    case 'line':
    case 'if-break':
    case 'fill':
      break;
  }
  return false;
}

interface Command {
  readonly indentation: number;
  readonly broken: boolean;
  readonly doc: Doc;
}

/** Prints a text in lines of at most `width` columns, if possible. */
export function layOut(root: Doc, width: number): string {
  const commands: Command[] = [{ indentation: 0, broken: true, doc: root }];
  // separate lines, so that trimming one does not read those before it again
  const lines: string[] = [];
  let current = '';
  let column = 0;
  // after a forced line break in a group that should be on one line, groups are measured again
  let measure = false;
  const write = (text: string): void => {
    current += text;
    column += columns(text);
  };
  const newLine = (indentation: number): void => {
    lines.push(withoutTrailingBlanks(current));
    current = ' '.repeat(indentation);
    column = indentation;
  };
  for (let command = commands.pop(); command !== undefined; command = commands.pop()) {
    const { indentation, broken, doc } = command;
    if (typeof doc === 'string') {
      write(doc);
    } else if (isConcat(doc)) {
      for (const part of doc.toReversed()) commands.push({ indentation, broken, doc: part });
    } else if (doc.type === 'indent') {
      commands.push({ indentation: indentation + 2, broken, doc: doc.contents });
    } else if (doc.type === 'if-break') {
      commands.push({ indentation, broken, doc: broken ? doc.broken : doc.flat });
    } else if (doc.type === 'group') {
      const breaking = doc.states?.at(-1) ?? doc.contents;
      if (!broken && !measure) {
        commands.push({ indentation, broken: doc.breaks, doc: doc.breaks ? breaking : doc.contents });
        continue;
      }
      measure = false;
      const fitting = doc.breaks
        ? undefined
        : (doc.states ?? [doc.contents]).find((state) => fits(state, commands, width - column));
      commands.push({ indentation, broken: fitting === undefined, doc: fitting ?? breaking });
    } else if (doc.type === 'hard') {
      if (doc.literal) {
        lines.push(current);
        current = '';
        column = 0;
      } else newLine(indentation);
      measure ||= !broken;
    } else if (doc.type === 'line') {
      if (broken) newLine(indentation);
      else write(doc.flat);
    } else {
      doc.words.forEach((word, index) => {
        if (index === 0) return write(word);
        if (broken && column + 1 + columns(word) > width) newLine(indentation);
        else write(' ');
        write(word);
      });
    }
  }
  return [...lines, current].join('\n');
}

function withoutTrailingBlanks(text: string): string {
  let end = text.length;
  while (text[end - 1] === ' ' || text[end - 1] === '\t') end--;
  return text.slice(0, end);
}

/** Whether the text fits up to the next possible line end. Reads no more of the text than fits on a line. */
function fits(doc: Doc, rest: readonly Command[], width: number): boolean {
  let left = remaining(doc, false, width);
  for (let index = rest.length - 1; left !== 'ended' && left >= 0; index--) {
    const command = rest[index];
    if (command === undefined) return true;
    left = remaining(command.doc, command.broken, left);
  }
  return left === 'ended';
}

/** Returns the columns that remain after the text, negative if it is too long; `ended` if the line can end in it. */
function remaining(doc: Doc, broken: boolean, left: number): number | 'ended' {
  if (typeof doc === 'string') return left - columns(doc);
  if (isConcat(doc)) {
    let rest: number | 'ended' = left;
    for (const part of doc) {
      rest = remaining(part, broken, rest);
      if (rest === 'ended' || rest < 0) return rest;
    }
    return rest;
  }
  switch (doc.type) {
    case 'indent':
      return remaining(doc.contents, broken, left);
    case 'if-break':
      return remaining(broken ? doc.broken : doc.flat, broken, left);
    case 'group': {
      const breaks = doc.breaks || broken;
      return remaining(breaks ? (doc.states?.at(-1) ?? doc.contents) : doc.contents, breaks, left);
    }
    case 'line':
      return broken ? 'ended' : left - doc.flat.length;
    case 'hard':
      return 'ended';
    case 'fill':
      break;
  }
  const [first = ''] = doc.words;
  if (!broken || doc.words.length < 2) return left - columns(doc.words.join(' '));
  const afterFirst = left - columns(first);
  return afterFirst < 0 ? afterFirst : 'ended';
}

function isConcat(doc: Doc): doc is readonly Doc[] {
  return Array.isArray(doc);
}

// East Asian wide and fullwidth characters, and most pictographs, take two columns; combining marks take none.
const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}|[\u{20000}-\u{3fffd}]/u;
const combining = /\p{Mark}/u;
// oxlint-disable-next-line no-control-regex -- ASCII is what it looks for
const ascii = /^[\u0000-\u007f]*$/;

function columns(text: string): number {
  if (ascii.test(text)) return text.length;
  let count = 0;
  for (const character of text) count += wide.test(character) ? 2 : combining.test(character) ? 0 : 1;
  return count;
}
