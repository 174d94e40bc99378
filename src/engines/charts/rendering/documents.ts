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

/**
 * Splits a text at lines that begin with `---`, and removes the white space around the documents. As releaseutil.SplitManifests of
 * Helm: what follows `---` belongs to the next document, and a separator that directly follows another one, too.
 */
export function trimmedDocumentsOf(text: string): DocumentText[] {
  const documents: DocumentText[] = [];
  const end = text.trimEnd().length;
  let start = firstVisible(text, 0);
  if (text.startsWith('---', start)) start = firstVisible(text, start + 3);
  while (start < end) {
    const separator = text.indexOf('\n---', start);
    const next = separator < 0 ? end : Math.min(separator, end);
    const document = text.slice(start, next).trimEnd();
    if (document !== '') documents.push({ text: `${document}\n`, start });
    if (separator < 0) break;
    start = firstVisible(text, separator + 4);
  }
  return documents;
}

const visible = /[^\t\n\f\r ]/g;

function firstVisible(text: string, from: number): number {
  visible.lastIndex = from;
  return visible.exec(text)?.index ?? text.length;
}
