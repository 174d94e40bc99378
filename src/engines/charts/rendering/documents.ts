/** A document of a rendered template. */
export interface DocumentText {
  readonly text: string;
  /** Offset in the text of the template. */
  readonly start: number;
}

/** A separator with something behind it that is no comment. */
export interface SeparatorError {
  readonly message: string;
  readonly offset: number;
}

/** Splits a text at lines that begin with `---`. As the YAMLReader of k8s.io/apimachinery. */
export function documentsOf(text: string): DocumentText[] | SeparatorError {
  const documents: DocumentText[] = [];
  let start = 0;
  let at = 0;
  while (at < text.length) {
    const lineEnd = text.indexOf('\n', at);
    const next = lineEnd < 0 ? text.length : lineEnd + 1;
    if (text.startsWith('---', at)) {
      const rest = text.slice(at + 3, next).trim();
      if (rest !== '' && !rest.startsWith('#'))
        return { message: `invalid Yaml document separator: ${rest}`, offset: at };
      if (at > start) {
        documents.push({ text: text.slice(start, at), start });
        start = next;
      }
      // Go keeps a separator that has nothing before it.
    }
    at = next;
  }
  if (text.length > start) documents.push({ text: text.slice(start), start });
  return documents;
}
