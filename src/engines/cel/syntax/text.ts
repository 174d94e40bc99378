/** Returns the number of code points, which is the unit of CEL. */
export function codePointLength(text: string): number {
  let length = text.length;
  for (let index = 0; index < text.length - 1; index++) {
    const unit = text.charCodeAt(index);
    if (unit >= 0xd8_00 && unit <= 0xdb_ff) {
      length -= 1;
      index += 1;
    }
  }
  return length;
}

/** Converts unpaired surrogates to U+FFFD, as in Go, where text is UTF-8. */
export function wellFormed(text: string): string {
  return text.replaceAll(/\p{Surrogate}/gu, '\ufffd');
}
