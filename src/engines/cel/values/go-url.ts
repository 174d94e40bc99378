import { addToGroup } from '../../../base/collections/groups.ts';
import { parseAddress } from '../../../base/go/network-address.ts';
import { CannotTell } from '../error.ts';

/** A URL as Go's `net/url` parses it. Strings have one character per byte, see `toBytes`. */
export interface GoUrl {
  readonly scheme: string;
  readonly opaque: string;
  readonly user: string | undefined;
  readonly host: string;
  readonly hasAuthority: boolean;
  /** Decoded. */
  readonly path: string;
  /** As it was written. */
  readonly rawPath: string;
  readonly query: string;
  readonly hasEmptyQuery: boolean;
  readonly fragment: string;
}

/** Parses a URL as Go's `url.ParseRequestURI`, so it is absolute or starts with a slash. Returns whether it is valid. */
export function isRequestUri(text: string): boolean {
  return parse(toBytes(text), true) !== undefined;
}

/** Parses a URL as Go's `url.Parse`, if `isRequestUri` also accepts it. */
export function parseUrl(text: string): GoUrl | undefined {
  const bytes = toBytes(text);
  if (parse(bytes, true) === undefined) return undefined;
  const hash = bytes.indexOf('#');
  const url = parse(hash < 0 ? bytes : bytes.slice(0, hash), false);
  const fragment = hash < 0 ? '' : bytes.slice(hash + 1);
  if (url === undefined || unescape(fragment, 'fragment') === undefined) return undefined;
  return { ...url, fragment };
}

const empty: GoUrl = {
  scheme: '',
  opaque: '',
  user: undefined,
  host: '',
  hasAuthority: false,
  path: '',
  rawPath: '',
  query: '',
  hasEmptyQuery: false,
  fragment: '',
};

function parse(raw: string, viaRequest: boolean): GoUrl | undefined {
  // oxlint-disable-next-line no-control-regex
  if (/[\u0000-\u001f\u007f]/.test(raw) || (raw === '' && viaRequest)) return undefined;
  if (raw === '*') return { ...empty, path: '*', rawPath: '*' };
  if (raw.startsWith(':')) return undefined;
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(raw)?.[1] ?? '';
  const afterScheme = scheme === '' ? raw : raw.slice(scheme.length + 1);
  const mark = afterScheme.indexOf('?');
  const hasEmptyQuery = mark >= 0 && mark === afterScheme.length - 1;
  const query = mark < 0 ? '' : afterScheme.slice(mark + 1);
  let rest = mark < 0 ? afterScheme : afterScheme.slice(0, mark);
  const url = { ...empty, scheme: scheme.toLowerCase(), query, hasEmptyQuery };

  if (!rest.startsWith('/')) {
    if (scheme !== '') return { ...url, opaque: rest };
    if (viaRequest || rest.split('/')[0]?.includes(':')) return undefined;
  }
  let authority: { user: string | undefined; host: string } | undefined;
  if (rest.startsWith('//') && (scheme !== '' || (!viaRequest && !rest.startsWith('///')))) {
    const slash = rest.indexOf('/', 2);
    authority = parseAuthority(rest.slice(2, slash < 0 ? undefined : slash));
    if (authority === undefined) return undefined;
    rest = slash < 0 ? '' : rest.slice(slash);
  }
  const path = unescape(rest, 'path');
  if (path === undefined) return undefined;
  return { ...url, ...authority, hasAuthority: authority !== undefined, path, rawPath: rest };
}

function parseAuthority(authority: string): { user: string | undefined; host: string } | undefined {
  const at = authority.lastIndexOf('@');
  const host = parseHost(authority.slice(at + 1));
  if (host === undefined) return undefined;
  if (at < 0) return { user: undefined, host };
  const user = authority.slice(0, at);
  if (!/^[-A-Za-z0-9._:~!$&'()*+,;=%@]*$/.test(user) || unescape(user, 'path') === undefined)
    return undefined;
  return { user, host };
}

function parseHost(host: string): string | undefined {
  const open = host.lastIndexOf('[');
  if (open > 0) return undefined;
  if (open < 0) {
    // several colons are accepted, as in Go programs of older language versions
    const colon = host.lastIndexOf(':');
    if (colon >= 0 && !isOptionalPort(host.slice(colon))) return undefined;
    return unescape(host, 'host');
  }
  const close = host.lastIndexOf(']');
  if (close < 0 || !isOptionalPort(host.slice(close + 1))) return undefined;
  const literal = host.slice(1, close);
  const zone = literal.indexOf('%25');
  const address = unescape(zone < 0 ? literal : literal.slice(0, zone), 'host');
  const zoneName = zone < 0 ? '' : unescape(literal.slice(zone), 'zone');
  if (address === undefined || zoneName === undefined || zoneName === '%') return undefined;
  if (parseAddress(address)?.length !== 16) return undefined;
  return `[${address}${zoneName}]${host.slice(close + 1)}`;
}

function isOptionalPort(port: string): boolean {
  return /^(?::\d*)?$/.test(port);
}

type Part = 'path' | 'host' | 'zone' | 'query' | 'fragment';

/** The characters that a part may contain unescaped. */
const plain: Readonly<Record<Part, RegExp>> = {
  path: /[-A-Za-z0-9_.~$&+,/:;=@]/,
  host: /[-A-Za-z0-9_.~!$&'()*+,;=:[\]<>"]/,
  zone: /[-A-Za-z0-9_.~!$&'()*+,;=:[\]<>"]/,
  query: /[-A-Za-z0-9_.~]/,
  fragment: /[-A-Za-z0-9_.~$&+,/:;=?@!()*]/,
};

/** As Go's `unescape`; undefined if an escape is malformed, or a host has an invalid character. */
function unescape(text: string, part: Part): string | undefined {
  const inHost = part === 'host' || part === 'zone';
  let result = '';
  for (let index = 0; index < text.length; index++) {
    const character = text.charAt(index);
    if (character === '%') {
      const hex = text.slice(index + 1, index + 3);
      if (!/^[0-9a-fA-F]{2}$/.test(hex)) return undefined;
      const code = Number.parseInt(hex, 16);
      const decoded = String.fromCharCode(code);
      // hosts escape only non-ASCII characters, zones only characters that hosts need not escape; `%25` is for zones
      if (part === 'host' && code < 0x80 && hex !== '25') return undefined;
      if (part === 'zone' && hex !== '25' && decoded !== ' ' && !plain.host.test(decoded)) return undefined;
      result += decoded;
      index += 2;
    } else if (inHost && character < '\u0080' && !plain[part].test(character)) return undefined;
    else result += part === 'query' && character === '+' ? ' ' : character;
  }
  return result;
}

function escape(text: string, part: Part): string {
  return text.replaceAll(/[^]/g, (character) =>
    plain[part].test(character)
      ? character
      : `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  );
}

/** As `URL.EscapedPath()`: the original text, if that is a valid encoding. */
export function escapedPath({ path, rawPath }: GoUrl): string {
  return fromBytes(originalOr(path, rawPath, 'path'));
}

function originalOr(decoded: string, raw: string, part: 'path' | 'fragment'): string {
  if (decoded === '*') return '*';
  const valid = Array.from(raw).every(
    (character) => /[!$&'()*+,;=:@[\]%]/.test(character) || plain[part].test(character),
  );
  return valid ? raw : escape(decoded, part);
}

/** As `URL.Query()`, in the order of the text; parameters that Go cannot parse are left out. */
export function queryParameters({ query }: GoUrl): ReadonlyMap<string, readonly string[]> {
  const parameters = new Map<string, string[]>();
  for (const pair of query.split('&')) {
    if (pair === '' || pair.includes(';')) continue;
    const equals = pair.indexOf('=');
    const key = unescape(equals < 0 ? pair : pair.slice(0, equals), 'query');
    const value = unescape(equals < 0 ? '' : pair.slice(equals + 1), 'query');
    if (key === undefined || value === undefined) continue;
    addToGroup(parameters, fromBytes(key), fromBytes(value));
  }
  return parameters;
}

/** As `URL.Hostname()` and `URL.Port()`. */
export function splitHostPort({ host }: GoUrl): { readonly hostname: string; readonly port: string } {
  const colon = host.lastIndexOf(':');
  const hasPort = colon >= 0 && isOptionalPort(host.slice(colon));
  const hostname = hasPort ? host.slice(0, colon) : host;
  const bare = hostname.startsWith('[') && hostname.endsWith(']') ? hostname.slice(1, -1) : hostname;
  return { hostname: fromBytes(bare), port: hasPort ? host.slice(colon + 1) : '' };
}

/** As `URL.String()`, which is used to compare two URLs. */
export function formatUrl(url: GoUrl): string {
  let text = url.scheme === '' ? '' : `${url.scheme}:`;
  if (url.opaque !== '') text += url.opaque;
  else {
    const path = originalOr(url.path, url.rawPath, 'path');
    if (url.hasAuthority && (url.host !== '' || url.path !== '' || url.user !== undefined)) {
      text += `//${url.user === undefined ? '' : `${canonicalUser(url.user)}@`}${escape(url.host, 'host')}`;
      if (path !== '' && !path.startsWith('/') && url.host !== '') text += '/';
    }
    text += path;
  }
  if (url.hasEmptyQuery || url.query !== '') text += `?${url.query}`;
  if (url.fragment !== '')
    text += `#${originalOr(unescape(url.fragment, 'fragment') ?? '', url.fragment, 'fragment')}`;
  return text;
}

/** Escaped again, because Go stores it decoded. */
function canonicalUser(user: string): string {
  const colon = user.indexOf(':');
  const parts = colon < 0 ? [user] : [user.slice(0, colon), user.slice(colon + 1)];
  const allowed = /[-A-Za-z0-9_.~$&+,;=]/;
  return parts
    .map((part) =>
      (unescape(part, 'path') ?? '').replaceAll(/[^]/g, (character) =>
        allowed.test(character) ? character : escape(character, 'query'),
      ),
    )
    .join(':');
}

/** Encodes a text as UTF-8, one character per byte: Go's URLs consist of bytes. */
function toBytes(text: string): string {
  return Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join('');
}

/** @throws {CannotTell} if the decoded bytes are not valid text */
export function fromBytes(bytes: string): string {
  try {
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
    return decoder.decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)));
  } catch {
    throw new CannotTell('a part of a URL is no valid UTF-8');
  }
}
