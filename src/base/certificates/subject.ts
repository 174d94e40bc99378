import { type DerReader, MalformedDer, readObjectIdentifier, tags } from './der-reader.ts';
import { element, objectIdentifier, sequence, setOf, utf8String } from './der-writer.ts';
import { oids } from './object-identifiers.ts';

/** The subject of a certificate, as Kubernetes reads it: a user, its groups, and units that it ignores. */
export interface Subject {
  readonly commonName: string;
  /** The user's groups. */
  readonly organizations: readonly string[];
  readonly organizationalUnits: readonly string[];
}

/** A name as it is written: its attributes of any type, in order. */
export interface RequestedName {
  readonly attributes: readonly NameAttribute[];
}

/** One attribute of a name. */
export interface NameAttribute {
  /** Dotted object identifier. */
  readonly type: string;
  readonly value: string;
}

/**
 * Reads a name. An entry of several attributes is accepted if all are of one type, as Go writes the groups of a user.
 *
 * @throws MalformedDer
 */
export function readName(reader: DerReader): RequestedName {
  const entries = reader.enter(tags.sequence);
  const attributes: NameAttribute[] = [];
  while (!entries.atEnd) {
    const entry = entries.enter(tags.set);
    if (entry.atEnd) throw new MalformedDer('a name has an entry without attributes');
    const ofEntry: NameAttribute[] = [];
    while (!entry.atEnd) {
      const attribute = entry.enter(tags.sequence);
      ofEntry.push({ type: readObjectIdentifier(attribute), value: readText(attribute) });
      attribute.end();
    }
    if (new Set(ofEntry.map(({ type }) => type)).size > 1) {
      throw new MalformedDer('a name has an entry of attributes of several types');
    }
    attributes.push(...ofEntry);
  }
  return { attributes };
}

/** Returns all values of an attribute type, in order. */
export function valuesOf({ attributes }: RequestedName, type: string): readonly string[] {
  return attributes.filter((attribute) => attribute.type === type).map(({ value }) => value);
}

/** Returns the name of a subject: organizations, units, common name unless it is empty, with one entry per type as Go writes them. */
export function writeName({ organizations, organizationalUnits, commonName }: Subject): Buffer {
  return sequence(
    ...entry(oids.organization, organizations),
    ...entry(oids.organizationalUnit, organizationalUnits),
    ...entry(oids.commonName, commonName === '' ? [] : [commonName]),
  );
}

function entry(type: string, values: readonly string[]): readonly Buffer[] {
  if (values.length === 0) return [];
  return [setOf(values.map((value) => sequence(objectIdentifier(type), text(value))))];
}

const printable = /^[A-Za-z0-9 '()+,\-./:=?]*$/;

function text(value: string): Buffer {
  return printable.test(value)
    ? element(tags.printableString, Buffer.from(value, 'ascii'))
    : utf8String(value);
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Returns the text of an attribute. Of the many string types, only the two in use are read, because readers differ in
 * the others.
 */
function readText(reader: DerReader): string {
  if (reader.follows(tags.printableString)) {
    const value = reader.read(tags.printableString).toString('latin1');
    if (!printable.test(value))
      throw new MalformedDer('a printable string has characters that it may not have');
    return value;
  }
  if (!reader.follows(tags.utf8String)) {
    throw new MalformedDer('a name has text that is neither a printable nor a UTF-8 string');
  }
  try {
    return utf8.decode(reader.read(tags.utf8String));
  } catch (error) {
    if (error instanceof TypeError) throw new MalformedDer('a UTF-8 string is not UTF-8');
    throw error;
  }
}
