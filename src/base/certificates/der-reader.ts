/** Bytes that are not the distinguished encoding (DER, X.690) of the expected value. */
export class MalformedDer extends Error {}

/** Identifier octets of the types that X.509 uses. */
export const tags = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  null: 0x05,
  objectIdentifier: 0x06,
  utf8String: 0x0c,
  printableString: 0x13,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
} as const;

/** Returns the identifier octet of a context-specific type, such as `[0]`. */
export function contextTag(number: number, constructed: boolean): number {
  return (constructed ? 0xa0 : 0x80) + number;
}

/**
 * Reads a sequence of DER elements one after another. Accepts nothing that another reader might read differently:
 * lengths are definite and as short as possible, and every element ends where its parent does. Each byte is read
 * once, and nothing is read deeper than the caller requests.
 */
export class DerReader {
  readonly #bytes: Buffer;
  #offset = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /** Whether everything is read. */
  get atEnd(): boolean {
    return this.#offset === this.#bytes.length;
  }

  /** Whether another element follows and has this tag. */
  follows(tag: number): boolean {
    return this.#bytes[this.#offset] === tag;
  }

  /** Returns the tag of the next element. */
  get nextTag(): number | undefined {
    return this.#bytes[this.#offset];
  }

  /** Returns the content of the next element, which must have this tag. */
  read(tag: number): Buffer {
    return this.#element(tag).content;
  }

  /** Returns the next element as it is written, with its tag and length. */
  readEncoded(tag: number): Buffer {
    return this.#element(tag).encoded;
  }

  /** Returns a reader of the content of the next element. */
  enter(tag: number): DerReader {
    return new DerReader(this.read(tag));
  }

  /** Verifies that nothing follows. */
  end(): void {
    if (!this.atEnd) throw new MalformedDer('there are extra bytes at the end');
  }

  #element(tag: number): { readonly content: Buffer; readonly encoded: Buffer } {
    const start = this.#offset;
    const actualTag = this.#bytes[start];
    if (actualTag === undefined) throw new MalformedDer('it ends too early');
    if (actualTag !== tag) throw new MalformedDer(`expected tag ${hex(tag)}, found ${hex(actualTag)}`);
    const { length, contentStart } = this.#length(start + 1);
    const end = contentStart + length;
    if (end > this.#bytes.length) throw new MalformedDer('an element is longer than what contains it');
    this.#offset = end;
    return {
      content: this.#bytes.subarray(contentStart, end),
      encoded: this.#bytes.subarray(start, end),
    };
  }

  #length(offset: number): { readonly length: number; readonly contentStart: number } {
    const first = this.#bytes[offset];
    if (first === undefined) throw new MalformedDer('it ends too early');
    if (first < 0x80) return { length: first, contentStart: offset + 1 };
    const octets = first - 0x80;
    const contentStart = offset + 1 + octets;
    if (octets === 0) throw new MalformedDer('an element of indefinite length');
    if (octets > 4 || contentStart > this.#bytes.length) {
      throw new MalformedDer('an element is longer than what contains it');
    }
    const length = this.#bytes.readUIntBE(offset + 1, octets);
    if (length < 0x80 || length < 2 ** (8 * (octets - 1))) {
      throw new MalformedDer('a length is not in its shortest form');
    }
    return { length, contentStart };
  }
}

/** Returns the dotted text of an object identifier. */
export function readObjectIdentifier(reader: DerReader): string {
  const content = reader.read(tags.objectIdentifier);
  const arcs: number[] = [];
  let arc = 0;
  let isStarted = false;
  for (const octet of content) {
    if (!isStarted && octet === 0x80)
      throw new MalformedDer('an object identifier is not in its shortest form');
    arc = arc * 128 + (octet & 0x7f);
    if (arc > Number.MAX_SAFE_INTEGER / 128) throw new MalformedDer('an object identifier is too large');
    isStarted = octet >= 0x80;
    if (isStarted) continue;
    arcs.push(arc);
    arc = 0;
  }
  const [first, ...rest] = arcs;
  if (isStarted || first === undefined) throw new MalformedDer('an object identifier is not complete');
  const top = Math.min(2, Math.floor(first / 40));
  return [top, first - 40 * top, ...rest].join('.');
}

/** Returns a boolean: true must be all ones. */
export function readBoolean(reader: DerReader): boolean {
  const content = reader.read(tags.boolean);
  if (content.length !== 1 || (content[0] !== 0 && content[0] !== 0xff)) {
    throw new MalformedDer('a boolean is neither true nor false');
  }
  return content[0] === 0xff;
}

/** Returns the octets of a bit string that fills its last octet. */
export function readOctetAlignedBits(reader: DerReader): Buffer {
  const content = reader.read(tags.bitString);
  if (content[0] !== 0) throw new MalformedDer('a bit string does not fill its last octet');
  return content.subarray(1);
}

function hex(tag: number): string {
  return `0x${tag.toString(16).padStart(2, '0')}`;
}
