/**
 * Returns the lines of a text that arrives in chunks; an unfinished last one is left out. The time is linear in the
 * length of the text.
 */
export async function* splitLines(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  let begun: string[] = [];
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf('\n'); end >= 0; end = chunk.indexOf('\n', start)) {
      begun.push(chunk.slice(start, end));
      const line = begun.join('');
      begun = [];
      start = end + 1;
      if (line !== '') yield line;
    }
    if (start < chunk.length) begun.push(chunk.slice(start));
  }
}
