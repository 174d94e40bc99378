import { ProxyError } from './error.ts';
import { isWithoutProxy } from './no-proxy.ts';

/** The proxy in a kubeconfig. */
export interface KubeconfigProxy {
  readonly proxyUrl: string | undefined;
  /** Its location, for errors. */
  readonly location: string;
}

/**
 * Returns the proxy for an API server, as client-go finds it: `proxy-url` of the kubeconfig if it is set, otherwise
 * that of the environment, by the rules of Go's `httpproxy`. `HTTPS_PROXY` is for `https`, `HTTP_PROXY` for `http`,
 * and variables in upper case take precedence. There are two differences: an invalid proxy is an error, where Go uses
 * none, and `REQUEST_METHOD` does not matter, because this never runs as a CGI program.
 *
 * @throws ProxyError if the value is not the URL of a proxy
 */
export function proxyTo(
  server: URL,
  { proxyUrl, location }: KubeconfigProxy,
  environment: Readonly<Record<string, string | undefined>>,
): URL | undefined {
  if (proxyUrl !== undefined) return parsed(proxyUrl, location);
  const [name, value] = variable(server.protocol === 'http:' ? 'HTTP_PROXY' : 'HTTPS_PROXY', environment);
  if (value === '' || isWithoutProxy(server, variable('NO_PROXY', environment)[1])) return undefined;
  const isUrl = /^[a-z][a-z0-9+.-]*:\/\//i.test(value);
  return parsed(isUrl ? value : `http://${value}`, name);
}

/** Returns a variable in upper case, otherwise in lower case; an empty one is not set. */
function variable(
  name: string,
  environment: Readonly<Record<string, string | undefined>>,
): readonly [name: string, value: string] {
  const used = environment[name] ? name : name.toLowerCase();
  return [used, environment[used] ?? ''];
}

const schemes = new Set(['http:', 'https:', 'socks5:', 'socks5h:']);

/** Parses the URL. The value may contain a password: errors never show it. */
function parsed(text: string, location: string): URL {
  if (/[\s\p{Cc}]/u.test(text)) throw new ProxyError(`${location} has a space or a line break in it`);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !schemes.has(url.protocol) || url.hostname === '')
    throw new ProxyError(`${location} is not a valid proxy URL`);
  if (![url.username, url.password].every(isDecodable))
    throw new ProxyError(`${location} has a % in its user name or password that is not a valid escape`);
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
