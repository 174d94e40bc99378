import { isIP, isIPv4 } from 'node:net';
import { domainToASCII } from 'node:url';

/** Four bytes, or sixteen: an IPv4 address that is written as IPv6 is an IPv4 address. */
type Address = readonly number[];

interface Destination {
  readonly host: string;
  readonly port: string;
  readonly address: Address | undefined;
}

/**
 * Whether requests to a server bypass the proxy, as Go's `httpproxy` decides it: those to this machine, and to the
 * entries of `NO_PROXY`. Entries are separated by commas. An entry is a domain, which includes its subdomains; with
 * `.` or `*.` before it, only the subdomains; an address; or a network in CIDR notation. Domains and addresses may
 * have a port. `*` matches everything, and an invalid entry matches nothing. Names are not resolved.
 */
export function isWithoutProxy(server: URL, noProxy: string): boolean {
  const host = server.hostname.replace(/^\[|\]$/g, '');
  const destination: Destination = {
    host,
    port: server.port || (server.protocol === 'http:' ? '80' : '443'),
    address: addressOf(host),
  };
  if (host === 'localhost' || isLoopback(destination.address)) return true;
  const entries = noProxy.split(',').map((entry) => entry.trim().toLowerCase());
  return entries.some((entry) => entry === '*' || isNamed(destination, entry));
}

function isNamed({ host, port: ownPort, address }: Destination, entry: string): boolean {
  const network = networkOf(entry);
  if (network !== undefined) return address !== undefined && isWithin(address, network);
  const [name, port] = nameAndPort(entry);
  if (name === '' || (port !== '' && port !== ownPort)) return false;
  const named = addressOf(name);
  if (named !== undefined) return address !== undefined && isWithin(address, wholeOf(named));
  // An address is never a name, whatever it ends with.
  return address === undefined && isBelow(host, name);
}

function isBelow(host: string, name: string): boolean {
  const below = name.startsWith('*.') ? name.slice(1) : name;
  const suffix = asAscii(below.startsWith('.') ? below : `.${below}`);
  return host.endsWith(suffix) || (!below.startsWith('.') && host === suffix.slice(1));
}

function asAscii(name: string): string {
  // With one of these characters it is no name: the library would convert a part of it.
  return /^\p{ASCII}*$|[/?#@%\\]/u.test(name) ? name : domainToASCII(name) || name;
}

/** Splits `HOST:PORT` or `[HOST]:PORT`; any other text is a name without a port. */
function nameAndPort(entry: string): readonly [name: string, port: string] {
  const [, bracketed, plain, port] = /^(?:\[([^[\]]*)\]|([^:[\]]*)):([^:[\]]*)$/.exec(entry) ?? [];
  return port === undefined ? [entry, ''] : [bracketed ?? plain ?? '', port];
}

function isLoopback(address: Address | undefined): boolean {
  if (address?.length === 4) return address[0] === 127;
  return address !== undefined && address.every((byte, index) => byte === (index === 15 ? 1 : 0));
}

interface Network {
  readonly address: Address;
  /** The number of significant bits of the address. */
  readonly bits: number;
}

function wholeOf(address: Address): Network {
  return { address, bits: address.length * 8 };
}

function networkOf(entry: string): Network | undefined {
  const [, text = '', length = ''] = /^([^/]+)\/(\d+)$/.exec(entry) ?? [];
  const whole = bytesOf(text);
  const bits = Number(length);
  if (whole === undefined || bits > whole.length * 8) return undefined;
  const isIPv4Form = whole.length === 16 && bits >= 96 && isMapped(whole);
  return isIPv4Form ? { address: whole.slice(12), bits: bits - 96 } : { address: whole, bits };
}

function isWithin(address: Address, network: Network): boolean {
  if (address.length !== network.address.length) return false;
  return address.every((byte, index) => {
    const bits = Math.min(8, Math.max(0, network.bits - index * 8));
    return (byte ^ (network.address[index] ?? 0)) >> (8 - bits) === 0;
  });
}

function addressOf(text: string): Address | undefined {
  const bytes = bytesOf(text);
  return bytes !== undefined && isMapped(bytes) ? bytes.slice(12) : bytes;
}

function isMapped(bytes: Address): boolean {
  return bytes.length === 16 && bytes.slice(0, 12).every((byte, index) => byte === (index < 10 ? 0 : 255));
}

/** Parses an address; one with a zone is not valid. */
function bytesOf(text: string): Address | undefined {
  if (isIPv4(text)) return text.split('.').map(Number);
  if (isIP(text) === 0 || text.includes('%')) return undefined;
  // In URLs an address can be written in two ways: with a gap and without.
  const [head = '', tail] = new URL(`http://[${text}]`).hostname.slice(1, -1).split('::');
  const [before, after] = [bytesOfGroups(head), bytesOfGroups(tail ?? '')];
  return [...before, ...Array<number>(16 - before.length - after.length).fill(0), ...after];
}

function bytesOfGroups(groups: string): number[] {
  const values = groups === '' ? [] : groups.split(':').map((group) => parseInt(group, 16));
  return values.flatMap((value) => [value >> 8, value & 255]);
}
