import {
  contextTag,
  DerReader,
  MalformedDer,
  readBoolean,
  readObjectIdentifier,
  tags,
} from './der-reader.ts';
import { element, namedBits, objectIdentifier, octetString, sequence, trueValue } from './der-writer.ts';
import { oids } from './object-identifiers.ts';

/** An extension in a request. */
export interface RequestedExtension {
  /** Dotted object identifier. */
  readonly type: string;
  readonly critical: boolean;
  /** DER of the value. */
  readonly value: Buffer;
}

/** Bits of the key usage extension. */
export const keyUsageBits = { digitalSignature: 0, keyEncipherment: 2, keyCertSign: 5 } as const;

/** @throws MalformedDer also if an extension is requested twice. */
export function readExtensions(reader: DerReader): readonly RequestedExtension[] {
  const list = reader.enter(tags.sequence);
  const extensions: RequestedExtension[] = [];
  const seen = new Set<string>();
  while (!list.atEnd) {
    const fields = list.enter(tags.sequence);
    const type = readObjectIdentifier(fields);
    const critical = fields.follows(tags.boolean) && readBoolean(fields);
    const value = fields.read(tags.octetString);
    fields.end();
    if (seen.has(type)) throw new MalformedDer(`the extension ${type} is repeated`);
    seen.add(type);
    extensions.push({ type, critical, value });
  }
  return extensions;
}

/** One alternative name: its DNS name, or only the kind of name. */
export type AlternativeName =
  { readonly kind: 'DNS'; readonly name: string } | { readonly kind: 'email' | 'URI' | 'IP' | 'other' };

const kindsByTag: ReadonlyMap<number, 'email' | 'URI' | 'IP'> = new Map([
  [contextTag(1, false), 'email'],
  [contextTag(6, false), 'URI'],
  [contextTag(7, false), 'IP'],
]);

/** Reads a subjectAltName extension. */
export function readAlternativeNames(value: Buffer): readonly AlternativeName[] {
  const names = enterWhole(value);
  const alternativeNames: AlternativeName[] = [];
  while (names.nextTag !== undefined) {
    const { nextTag } = names;
    const content = names.read(nextTag);
    alternativeNames.push(
      nextTag === contextTag(2, false)
        ? { kind: 'DNS', name: content.toString('latin1') }
        : { kind: kindsByTag.get(nextTag) ?? 'other' },
    );
  }
  return alternativeNames;
}

/** Whether a basicConstraints extension is that of a certificate authority, or limits the length of a path to one. */
export function isAuthority(value: Buffer): boolean {
  // An empty extension means an end entity: CA:FALSE is the default, which DER leaves out.
  return !enterWhole(value).atEnd;
}

/** Whether a keyUsage extension requests only the bits that clients need. */
export function isClientKeyUsage(value: Buffer): boolean {
  const reader = new DerReader(value);
  const [unused = 8, bits = 0, ...more] = reader.read(tags.bitString);
  reader.end();
  const allowed = (0x80 >> keyUsageBits.digitalSignature) | (0x80 >> keyUsageBits.keyEncipherment);
  return more.length === 0 && unused < 8 && (bits & ~allowed) === 0;
}

/** Returns the purposes of an extKeyUsage extension, as dotted object identifiers. */
export function readExtendedKeyUsages(value: Buffer): readonly string[] {
  const purposes = enterWhole(value);
  const usages: string[] = [];
  while (!purposes.atEnd) usages.push(readObjectIdentifier(purposes));
  return usages;
}

/** Returns an extension of a certificate or a request. */
export function extension(type: string, value: Buffer, { critical = false } = {}): Buffer {
  return sequence(objectIdentifier(type), ...(critical ? [trueValue()] : []), octetString(value));
}

/** Returns the keyUsage of a client's certificate. */
export function clientKeyUsage(): Buffer {
  return namedBits([keyUsageBits.digitalSignature, keyUsageBits.keyEncipherment]);
}

/** Returns the keyUsage of a certificate for TLS, or of an authority. */
export function tlsKeyUsage(isAuthority: boolean): Buffer {
  const { digitalSignature, keyEncipherment, keyCertSign } = keyUsageBits;
  return namedBits([digitalSignature, keyEncipherment, ...(isAuthority ? [keyCertSign] : [])]);
}

/** Returns the subjectAltName of DNS names. */
export function dnsNames(names: readonly string[]): Buffer {
  return alternativeNames(names, []);
}

/**
 * Returns a subjectAltName.
 *
 * @param addresses - the octets of each IP address
 */
export function alternativeNames(names: readonly string[], addresses: readonly Buffer[]): Buffer {
  return sequence(
    ...names.map((name) => element(contextTag(2, false), Buffer.from(name, 'ascii'))),
    ...addresses.map((address) => element(contextTag(7, false), address)),
  );
}

/** Returns the extKeyUsage of a certificate for TLS servers and clients. */
export function tlsAuthentication(): Buffer {
  return sequence(objectIdentifier(oids.serverAuth), objectIdentifier(oids.clientAuth));
}

/** Returns the extKeyUsage of a client's certificate. */
export function clientAuthentication(): Buffer {
  return sequence(objectIdentifier(oids.clientAuth));
}

function enterWhole(value: Buffer): DerReader {
  const outer = new DerReader(value);
  const inner = outer.enter(tags.sequence);
  outer.end();
  return inner;
}
