import { contextTag, tags } from './der-reader.ts';

/** Returns an element with its tag and length. */
export function element(tag: number, ...content: readonly Buffer[]): Buffer {
  const body = Buffer.concat(content);
  if (body.length < 0x80) return Buffer.concat([Buffer.from([tag, body.length]), body]);
  const octets = Math.ceil(body.length.toString(16).length / 2);
  const header = Buffer.alloc(2 + octets);
  header[0] = tag;
  header[1] = 0x80 + octets;
  header.writeUIntBE(body.length, 2, octets);
  return Buffer.concat([header, body]);
}

export function sequence(...content: readonly Buffer[]): Buffer {
  return element(tags.sequence, ...content);
}

/** Returns a set of values in the order that DER requires: that of their bytes. */
export function setOf(values: readonly Buffer[]): Buffer {
  return element(tags.set, ...values.toSorted((one, other) => one.compare(other)));
}

/** Returns an element in an explicit `[number]`. */
export function explicit(number: number, content: Buffer): Buffer {
  return element(contextTag(number, true), content);
}

export function objectIdentifier(dotted: string): Buffer {
  const [top = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return element(tags.objectIdentifier, ...[40 * top + second, ...rest].map(arcOctets));
}

/** Returns a non-negative integer, from its octets, most significant first. */
export function unsignedInteger(octets: Buffer): Buffer {
  const first = octets.findIndex((octet) => octet !== 0);
  const significant = first === -1 ? Buffer.from([0]) : octets.subarray(first);
  const needsSign = (significant[0] ?? 0) >= 0x80;
  return element(tags.integer, ...(needsSign ? [Buffer.from([0])] : []), significant);
}

/** Returns a bit string that fills its last octet. */
export function bitString(octets: Buffer): Buffer {
  return element(tags.bitString, Buffer.from([0]), octets);
}

/** Returns named bits, the lowest numbers first: zeros at the end are left out. */
export function namedBits(numbers: readonly number[]): Buffer {
  const last = Math.max(...numbers);
  const octets = Buffer.alloc(Math.floor(last / 8) + 1);
  for (const number of numbers) {
    const octet = Math.floor(number / 8);
    octets[octet] = (octets[octet] ?? 0) | (0x80 >> (number % 8));
  }
  return element(tags.bitString, Buffer.from([7 - (last % 8)]), octets);
}

export function octetString(content: Buffer): Buffer {
  return element(tags.octetString, content);
}

export function utf8String(text: string): Buffer {
  return element(tags.utf8String, Buffer.from(text, 'utf8'));
}

export function trueValue(): Buffer {
  return element(tags.boolean, Buffer.from([0xff]));
}

export function nullValue(): Buffer {
  return element(tags.null);
}

/** Returns a time in whole seconds: with a year of two digits from 1950 until 2049, as RFC 5280 requires. */
export function time(milliseconds: number): Buffer {
  const digits = new Date(milliseconds).toISOString().replaceAll(/[-:T]|\.\d+/g, '');
  const year = new Date(milliseconds).getUTCFullYear();
  const [tag, text] =
    year >= 1950 && year < 2050 ? [tags.utcTime, digits.slice(2)] : [tags.generalizedTime, digits];
  return element(tag, Buffer.from(text, 'ascii'));
}

function arcOctets(arc: number): Buffer {
  const octets = [arc % 128];
  for (let rest = Math.floor(arc / 128); rest > 0; rest = Math.floor(rest / 128))
    octets.unshift(0x80 + (rest % 128));
  return Buffer.from(octets);
}
