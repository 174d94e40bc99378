/** A text that is not exactly one PEM block of the expected kind. */
export class MalformedPem extends Error {}

/**
 * Returns the bytes of the single block of a PEM text. Readers differ in what they accept before, after and between
 * blocks, and in headers, so only a line feed at the end is accepted.
 *
 * @param label The required label of the block, such as `CERTIFICATE REQUEST`.
 * @throws MalformedPem
 */
export function readPemBlock(text: string, label: string): Buffer {
  const [begin, end] = [`-----BEGIN ${label}-----\n`, `\n-----END ${label}-----`];
  const withoutNewline = text.endsWith('\n') ? text.slice(0, -1) : text;
  if (!withoutNewline.startsWith(begin)) {
    throw new MalformedPem(
      withoutNewline.includes(begin) ? `there is text before its ${label}` : `it is not a PEM block ${label}`,
    );
  }
  const body = withoutNewline.slice(begin.length, -end.length);
  if (!withoutNewline.endsWith(end) || body.includes('-----')) {
    throw new MalformedPem(
      body.includes('-----BEGIN') ? 'it is more than one PEM block' : `there is text after its ${label}`,
    );
  }
  const joined = body.replaceAll('\n', '');
  const bytes = Buffer.from(joined, 'base64');
  if (bytes.toString('base64') !== joined) throw new MalformedPem('its PEM block is not plain Base64');
  return bytes;
}

/** Returns a PEM block, with lines of 64 characters. */
export function writePemBlock(bytes: Buffer, label: string): string {
  const lines = bytes.toString('base64').match(/.{1,64}/g) ?? [];
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ''].join('\n');
}
