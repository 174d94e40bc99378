/** The bytes of an IP address, 4 or 16. */
export type Address = readonly number[];

/** An IP address and the number of its bits that identify the network. */
export interface Network {
  readonly address: Address;
  readonly bits: number;
}

/** Parses an address as Go's `netip.ParseAddr`, but rejects zones; undefined if it is invalid. */
export function parseAddress(text: string): Address | undefined {
  const separator = /[.:%]/.exec(text)?.[0];
  if (separator === '.') return parseIPv4(text);
  return separator === ':' ? parseIPv6(text) : undefined;
}

function parseIPv4(text: string): Address | undefined {
  const parts = text.split('.');
  if (parts.length !== 4 || !parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part))) return undefined;
  const bytes = parts.map(Number);
  return bytes.every((byte) => byte <= 255) ? bytes : undefined;
}

function parseIPv6(text: string): Address | undefined {
  const halves = text.split('::');
  if (halves.length > 2) return undefined;
  const groups = halves.map((half, index) => parseGroups(half, index === halves.length - 1));
  const [head, tail] = groups;
  if (groups.length === 1) return head?.length === 16 ? head : undefined;
  // `::` represents at least one group of zeros
  if (head === undefined || tail === undefined || head.length + tail.length > 14) return undefined;
  return [...head, ...Array.from({ length: 16 - head.length - tail.length }, () => 0), ...tail];
}

/** Returns the bytes of groups such as `2001:db8`; the last may be an IPv4 address. */
function parseGroups(text: string, isLast: boolean): number[] | undefined {
  if (text === '') return [];
  const bytes: number[] = [];
  const groups = text.split(':');
  for (const [index, group] of groups.entries()) {
    if (/^[0-9a-fA-F]{1,4}$/.test(group)) {
      const value = Number.parseInt(group, 16);
      bytes.push(value >> 8, value & 0xff);
      continue;
    }
    const ipv4 = isLast && index === groups.length - 1 ? parseIPv4(group) : undefined;
    if (ipv4 === undefined) return undefined;
    bytes.push(...ipv4);
  }
  return bytes;
}

/** Whether it is an IPv4 address mapped to IPv6: `::ffff:1.2.3.4`. */
export function isMappedIPv4(address: Address): boolean {
  return (
    address.length === 16 &&
    address.slice(0, 10).every((byte) => byte === 0) &&
    address[10] === 0xff &&
    address[11] === 0xff
  );
}

/** Returns the canonical text of an address, as RFC 5952. */
export function formatAddress(address: Address): string {
  if (address.length === 4) return address.join('.');
  const groups = Array.from(
    { length: 8 },
    (_, index) => ((address[2 * index] ?? 0) << 8) | (address[2 * index + 1] ?? 0),
  );
  const { start, length } = longestZeros(groups);
  const hex = groups.map((group) => group.toString(16));
  if (length < 2) return hex.join(':');
  return `${hex.slice(0, start).join(':')}::${hex.slice(start + length).join(':')}`;
}

function longestZeros(groups: readonly number[]): { start: number; length: number } {
  let best = { start: 0, length: 0 };
  let length = 0;
  for (const [index, group] of groups.entries()) {
    length = group === 0 ? length + 1 : 0;
    if (length > best.length) best = { start: index - length + 1, length };
  }
  return best;
}

/** Parses a network as Go's `netip.ParsePrefix`; undefined if it is invalid. */
export function parseNetwork(text: string): Network | undefined {
  const slash = text.lastIndexOf('/');
  const address = parseAddress(text.slice(0, Math.max(0, slash)));
  const bits = text.slice(slash + 1);
  if (slash < 0 || address === undefined || !/^(?:0|[1-9]\d{0,2})$/.test(bits)) return undefined;
  return Number(bits) <= address.length * 8 ? { address, bits: Number(bits) } : undefined;
}

/** Returns the address with all bits after the first `bits` set to zero. */
export function mask(address: Address, bits: number): Address {
  return address.map((byte, index) => {
    const prefixBits = Math.min(8, Math.max(0, bits - index * 8));
    return byte & (0xff << (8 - prefixBits)) & 0xff;
  });
}

export function containsAddress({ address, bits }: Network, other: Address): boolean {
  return address.length === other.length && isSameAddress(mask(address, bits), mask(other, bits));
}

export function isSameAddress(a: Address, b: Address): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}
