import { ProxyError } from './error.ts';
import { isWithoutProxy } from './no-proxy.ts';

/** What a kubeconfig says of a proxy. */
export interface GivenProxy {
  readonly proxyUrl: string | undefined;
  /** Where it says so, for errors. */
  readonly place: string;
}

/**
 * The proxy on the way to an API server, as client-go finds it: `proxy-url` of the kubeconfig wherever there is one, else what
 * the environment says, by the rules of Go's `httpproxy`. `HTTPS_PROXY` is for `https`, `HTTP_PROXY` for `http`, and the
 * variables in upper case come first. Two things differ: a proxy that means nothing is an error, where Go does without, and
 * `REQUEST_METHOD` does not matter, since this never runs as a CGI program.
 *
 * @throws ProxyError where what it is to be is no URL of a proxy
 */
export function proxyTo(
  server: URL,
  { proxyUrl, place }: GivenProxy,
  environment: Readonly<Record<string, string | undefined>>,
): URL | undefined {
  if (proxyUrl !== undefined) return parsed(proxyUrl, place);
  const [name, value] = variable(server.protocol === 'http:' ? 'HTTP_PROXY' : 'HTTPS_PROXY', environment);
  if (value === '' || isWithoutProxy(server, variable('NO_PROXY', environment)[1])) return undefined;
  const isUrl = /^[a-z][a-z0-9+.-]*:\/\//i.test(value);
  return parsed(isUrl ? value : `http://${value}`, name);
}

/** A variable in upper case, else in lower case: one that is empty is not set. */
function variable(
  name: string,
  environment: Readonly<Record<string, string | undefined>>,
): readonly [name: string, value: string] {
  const used = environment[name] ? name : name.toLowerCase();
  return [used, environment[used] ?? ''];
}

const schemes = new Set(['http:', 'https:', 'socks5:', 'socks5h:']);

/** What stands there may be a password: errors never show it. */
function parsed(text: string, place: string): URL {
  if (/[\s\p{Cc}]/u.test(text)) throw new ProxyError(`${place} has a space or a line break in it`);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !schemes.has(url.protocol) || url.hostname === '')
    throw new ProxyError(`${place} is no URL of a proxy`);
  if (![url.username, url.password].every(isDecodable))
    throw new ProxyError(`${place} has a % in its user name or password that stands for no character`);
  return url;
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
