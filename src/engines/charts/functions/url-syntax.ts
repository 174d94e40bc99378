import { addressProblem } from '../../../base/go/address-problem.ts';
import { quoted, textOf } from '../../gotemplate/index.ts';

/** A `url.URL` of Go, without the original encodings of its parts. */
export interface GoUrl {
  readonly scheme: string;
  readonly host: string;
  readonly path: string;
  /** As in the text, if Go encodes the path in another way; else without characters. */
  readonly rawPath: string;
  readonly query: string;
  readonly opaque: string;
  readonly fragment: string;
  /** Encoded; undefined without user. */
  readonly userinfo: string | undefined;
}

export class UrlError extends Error {
  override readonly name = 'UrlError';
}

/** The parts of a URL, which encode different characters. */
type Part = 'host' | 'zone' | 'path' | 'user' | 'fragment';

/** The characters besides letters and digits that a part has as they are. As shouldEscape of net/url. */
const literals: Readonly<Record<Part, string>> = {
  host: '-_.~!$&\'()*+,;=:[]<>"',
  zone: '-_.~!$&\'()*+,;=:[]<>"',
  path: '-_.~$&+,/:;=@',
  user: '-_.~$&+,;=',
  fragment: '-_.~$&+,/:;=?@!()*',
};

function isLiteral(character: string, part: Part): boolean {
  return /[a-zA-Z0-9]/.test(character) || literals[part].includes(character);
}

/**
 * Encodes the bytes of a part, each of which is one code unit.
 *
 * @param part - decides which characters stay
 */
function escape(bytes: string, part: Part): string {
  return Array.from(bytes, (byte) =>
    isLiteral(byte, part) ? byte : `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  ).join('');
}

function unescape(bytes: string, part: Part): string {
  const isHost = part === 'host' || part === 'zone';
  return bytes.replaceAll(/%(?:([\da-fA-F]{2})|.{0,2})|./gs, (character, digits: string | undefined) => {
    if (!character.startsWith('%')) {
      if (isHost && character < '\u0080' && !isLiteral(character, part))
        throw new UrlError(`invalid character ${quoteBytes(character)} in host name`);
      return character;
    }
    if (digits === undefined) throw new UrlError(`invalid URL escape ${quoteBytes(character)}`);
    const byte = String.fromCharCode(Number.parseInt(digits, 16));
    const isAllowed =
      !isHost ||
      character === '%25' ||
      (part === 'host' ? byte >= '\u0080' : byte === ' ' || isLiteral(byte, 'host'));
    if (!isAllowed) throw new UrlError(`invalid URL escape ${quoteBytes(character)}`);
    return byte;
  });
}

function quoteBytes(bytes: string): string {
  return quoted(textOf(Buffer.from(bytes, 'latin1')));
}

/**
 * Parses a URL as url.Parse of net/url.
 *
 * @param text - one code unit for each byte
 * @throws {UrlError} with Go's message
 */
export function parseUrl(text: string): GoUrl {
  const [address = '', ...fragments] = text.split('#');
  const fragment = fragments.join('#');
  const url = located(address, () => parseAddress(address));
  return fragment === '' ? url : { ...url, fragment: located(text, () => unescape(fragment, 'fragment')) };
}

function located<T>(text: string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof UrlError)) throw error;
    throw new UrlError(`parse ${quoteBytes(text)}: ${error.message}`);
  }
}

function parseAddress(text: string): GoUrl {
  // oxlint-disable-next-line no-control-regex -- Go refuses them
  if (/[\u0000-\u001f\u007f]/.test(text)) throw new UrlError('net/url: invalid control character in URL');
  const empty = {
    scheme: '',
    host: '',
    path: '',
    rawPath: '',
    query: '',
    opaque: '',
    fragment: '',
    userinfo: undefined,
  };
  if (text === '*') return { ...empty, path: '*' };
  if (text.startsWith(':')) throw new UrlError('missing protocol scheme');
  const name = /^([a-zA-Z][-a-zA-Z0-9+.]*):/.exec(text)?.[1];
  const scheme = name?.toLowerCase() ?? '';
  const [rest = '', ...queries] = text.slice(name === undefined ? 0 : name.length + 1).split('?');
  const url = { ...empty, scheme, query: queries.join('?') };
  if (!rest.startsWith('/')) {
    if (scheme !== '') return { ...url, opaque: rest };
    if ((rest.split('/')[0] ?? '').includes(':'))
      throw new UrlError('first path segment in URL cannot contain colon');
  }
  const hasAuthority = rest.startsWith('//') && (scheme !== '' || !rest.startsWith('///'));
  if (!hasAuthority) return { ...url, ...parsePath(rest) };
  const slash = rest.indexOf('/', 2);
  const end = slash < 0 ? rest.length : slash;
  return {
    ...url,
    ...parseAuthority(scheme, rest.slice(2, end)),
    ...parsePath(rest.slice(end)),
  };
}

function parsePath(text: string): Pick<GoUrl, 'path' | 'rawPath'> {
  const path = unescape(text, 'path');
  return { path, rawPath: escape(path, 'path') === text ? '' : text };
}

function parseAuthority(scheme: string, authority: string): Pick<GoUrl, 'host' | 'userinfo'> {
  const at = authority.lastIndexOf('@');
  const host = parseHost(scheme, authority.slice(at + 1));
  if (at < 0) return { host, userinfo: undefined };
  const user = authority.slice(0, at);
  if (!/^[-A-Za-z0-9._:~!$&'()*+,;=%@]*$/.test(user)) throw new UrlError('net/url: invalid userinfo');
  const colon = user.indexOf(':');
  const parts = colon < 0 ? [user] : [user.slice(0, colon), user.slice(colon + 1)];
  return { host, userinfo: parts.map((part) => escape(unescape(part, 'user'), 'user')).join(':') };
}

function parseHost(scheme: string, host: string): string {
  const open = host.lastIndexOf('[');
  if (open > 0) throw new UrlError('invalid IP-literal');
  if (open === 0) return parseIpLiteral(host);
  const isStrict = scheme === 'http' || scheme === 'https';
  const colon = isStrict ? host.indexOf(':') : host.lastIndexOf(':');
  if (colon >= 0) checkPort(host.slice(colon));
  return unescape(host, 'host');
}

function checkPort(port: string): void {
  if (!/^(?::\d*)?$/.test(port)) throw new UrlError(`invalid port ${quoteBytes(port)} after host`);
}

function parseIpLiteral(host: string): string {
  const close = host.lastIndexOf(']');
  if (close < 0) throw new UrlError("missing ']' in host");
  const port = host.slice(close + 1);
  checkPort(port);
  const name = host.slice(1, close);
  const zone = name.indexOf('%25');
  const address =
    zone < 0
      ? unescape(name, 'host')
      : unescape(name.slice(0, zone), 'host') + unescape(name.slice(zone), 'zone');
  const problem = addressProblem(textOf(Buffer.from(address, 'latin1')));
  if (problem !== undefined) throw new UrlError(`invalid host: ${problem}`);
  if (!address.includes(':')) throw new UrlError('invalid IP-literal');
  return `[${address}]${port}`;
}

/** Returns the host without its port and brackets. As URL.Hostname. */
export function hostName(host: string): string {
  return host.replace(/:\d*$/, '').replace(/^\[(.*)\]$/s, '$1');
}

/** As URL.String. */
export function urlText(url: GoUrl): string {
  const start = url.scheme === '' ? '' : `${url.scheme}:`;
  const end =
    (url.query === '' ? '' : `?${url.query}`) +
    (url.fragment === '' ? '' : `#${escape(url.fragment, 'fragment')}`);
  if (url.opaque !== '') return start + url.opaque + end;
  const hasUser = url.userinfo !== undefined;
  let text = start;
  if ((url.scheme !== '' && url.path !== '') || url.host !== '' || hasUser) text += '//';
  if (hasUser) text += `${url.userinfo}@`;
  text += escape(url.host, 'host');
  const path = url.path === '*' ? '*' : escape(url.path, 'path');
  if (path !== '' && !path.startsWith('/') && url.host !== '') text += '/';
  if (text === '' && (path.split('/')[0] ?? '').includes(':')) text = './';
  return text + path + end;
}
