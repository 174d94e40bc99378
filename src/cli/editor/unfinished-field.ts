import { yamlFieldAt, type YamlField } from './yaml-field.ts';

/** What is inserted where a name is still missing. It must be no name that a user writes. */
const missingName = 'zzNameThatIsStillMissing';

/**
 * Returns the field that the user is writing at an offset: also a value that is still empty, an item of a list, and a key on a line without
 * its colon. The range is that of what is written so far.
 */
export function unfinishedFieldAt(text: string, offset: number): YamlField | undefined {
  const lineEnd = text.indexOf('\n', offset);
  const before = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset);
  const after = text.slice(offset, lineEnd < 0 ? text.length : lineEnd);
  // Without a colon, YAML takes a key for the next line of the value above.
  if (/^\s+[\w./-]*$/.test(before) && /^[\w./-]*\s*$/.test(after)) {
    const wordEnd = offset + after.trimEnd().length;
    const key = fieldWith(
      text,
      offset,
      wordEnd,
      before.trim() + after.trim() === '' ? `${missingName}:` : ':',
    );
    if (key?.isKey === true) return key;
  }
  const field = yamlFieldAt(text, offset);
  if (field !== undefined && field.range.end > field.range.start) return field;
  return fieldWith(text, offset, offset, missingName);
}

/** Returns the field at an offset as if a text had something inserted. Its range is that without the insertion. */
function fieldWith(text: string, offset: number, at: number, inserted: string): YamlField | undefined {
  const field = yamlFieldAt(`${text.slice(0, at)}${inserted}${text.slice(at)}`, offset);
  if (field === undefined) return undefined;
  const { start, end } = field.range;
  return { ...field, range: { start, end: end > at ? Math.max(at, end - inserted.length) : end } };
}
