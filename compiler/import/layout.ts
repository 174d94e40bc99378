/**
 * A text that is not laid out yet: prettier's model of documents, after Wadler's "A prettier printer". A group stands on one
 * line where it fits, else its lines break.
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
  /** Words, as many on a line as fit. */
  | { readonly type: 'fill'; readonly words: readonly string[] };

export const line: Doc = { type: 'line', flat: ' ' };
export const softline: Doc = { type: 'line', flat: '' };
export const hardline: Doc = { type: 'hard', literal: false };
/** A line break inside a template literal: what follows is not indented. */
export const literalLine: Doc = { type: 'hard', literal: true };
export const trailingComma: Doc = { type: 'if-break', broken: ',', flat: '' };

export function indent(contents: Doc): Doc {
  return { type: 'indent', contents };
}

export function group(contents: Doc, breaks = false): Doc {
  return { type: 'group', contents, breaks: breaks || willBreak(contents) };
}

/** The first of the states that fits. Line breaks inside do not break it. */
export function firstThatFits(states: readonly [Doc, ...Doc[]]): Doc {
  return { type: 'group', contents: states[0], breaks: false, states };
}

export function join(separator: Doc, docs: readonly Doc[]): Doc {
  return docs.flatMap((doc, index) => (index === 0 ? [doc] : [separator, doc]));
}

/** Whether the text has line breaks whatever the width. */
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

/** Lays a text out in lines of at most `width` columns, where that is possible. */
export function layOut(root: Doc, width: number): string {
  const commands: Command[] = [{ indentation: 0, broken: true, doc: root }];
  let out = '';
  let column = 0;
  // after a forced line break in what was to stand on one line, groups are measured anew
  let measure = false;
  const write = (text: string): void => {
    out += text;
    column += columns(text);
  };
  const newLine = (indentation: number): void => {
    out = `${out.replace(/[ \t]+$/, '')}\n${' '.repeat(indentation)}`;
    column = indentation;
  };
  for (let command = commands.pop(); command !== undefined; command = commands.pop()) {
    const { indentation, broken, doc } = command;
    const push = (next: Doc, isBroken = broken): void => {
      commands.push({ indentation, broken: isBroken, doc: next });
    };
    if (typeof doc === 'string') {
      write(doc);
    } else if (isConcat(doc)) {
      for (const part of doc.toReversed()) push(part);
    } else if (doc.type === 'indent') {
      commands.push({ indentation: indentation + 2, broken, doc: doc.contents });
    } else if (doc.type === 'if-break') {
      push(broken ? doc.broken : doc.flat);
    } else if (doc.type === 'group') {
      if (!broken && !measure) {
        push(doc.breaks ? (doc.states?.at(-1) ?? doc.contents) : doc.contents, doc.breaks);
        continue;
      }
      measure = false;
      const fitting = (doc.states ?? [doc.contents]).find((state) =>
        fits({ indentation, broken: false, doc: state }, commands, width - column),
      );
      if (fitting !== undefined && !doc.breaks) push(fitting, false);
      else push(doc.states?.at(-1) ?? doc.contents, true);
    } else if (doc.type === 'hard') {
      if (doc.literal) {
        out += '\n';
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
  return out;
}

/** Whether the text fits up to the next place where the line can end. */
function fits(first: Command, rest: readonly Command[], width: number): boolean {
  let left = width;
  let restIndex = rest.length;
  const commands = [first];
  while (left >= 0) {
    const command = commands.pop() ?? rest[--restIndex];
    if (command === undefined) return true;
    const { doc, broken } = command;
    const push = (next: Doc, isBroken = broken): void => {
      commands.push({ ...command, broken: isBroken, doc: next });
    };
    if (typeof doc === 'string') {
      left -= columns(doc);
    } else if (isConcat(doc)) {
      for (const part of doc.toReversed()) push(part);
    } else if (doc.type === 'indent') {
      push(doc.contents);
    } else if (doc.type === 'if-break') {
      push(broken ? doc.broken : doc.flat);
    } else if (doc.type === 'group') {
      const breaks = doc.breaks || broken;
      push(breaks ? (doc.states?.at(-1) ?? doc.contents) : doc.contents, breaks);
    } else if (doc.type === 'line') {
      if (broken) return true;
      left -= doc.flat.length;
    } else if (doc.type === 'hard') {
      return true;
    } else {
      left -= columns(broken ? (doc.words[0] ?? '') : doc.words.join(' '));
      if (broken && doc.words.length > 1) return left >= 0;
    }
  }
  return false;
}

function isConcat(doc: Doc): doc is readonly Doc[] {
  return Array.isArray(doc);
}

// East Asian wide and fullwidth characters, and most pictures, take two columns; combining marks none.
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
