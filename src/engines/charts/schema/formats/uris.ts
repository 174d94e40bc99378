import { bytesOf, textOf } from '../../../gotemplate/index.ts';
import { hostName, parseUrl, UrlError, type GoUrl } from '../../functions/url-syntax.ts';
import { ipv6Problem } from './hosts.ts';

/** Returns why a text is not an absolute URI. IRIs are the same for Helm's validator. */
export function uriProblem(text: string): string | undefined {
  const url = parsedUrl(text);
  if (typeof url === 'string') return url;
  return url.scheme === '' ? 'relative url' : undefined;
}

/** Returns why a text is not a URI or a relative reference. */
export function uriReferenceProblem(text: string): string | undefined {
  if (text.includes('\\')) return 'contains \\';
  const url = parsedUrl(text);
  return typeof url === 'string' ? url : undefined;
}

/** Returns why a text is not a template of a URI. */
export function uriTemplateProblem(text: string): string | undefined {
  const url = parsedUrl(text);
  if (typeof url === 'string') return url;
  for (const token of url.rawPath.split('/')) {
    // The path has been parsed, so its escapes are valid.
    const braces = unescape(token).replaceAll(/[^{}]/g, '');
    if (/^(?:\{\})*$/.test(braces)) continue;
    return /^(?:\{\})*\{$/.test(braces) ? 'no matching closing brace' : 'nested curly braces';
  }
  return undefined;
}

/** Returns a URL, or why a text is not one. */
function parsedUrl(text: string): GoUrl | string {
  let url: GoUrl;
  try {
    url = parseUrl(Buffer.from(bytesOf(text)).toString('latin1'));
  } catch (error) {
    if (error instanceof UrlError) return error.message;
    throw error;
  }
  const name = hostName(url.host);
  if (!name.includes(':')) return url;
  if (!url.host.includes('[') || !url.host.includes(']')) return 'ipv6 address not enclosed in brackets';
  const problem = ipv6Problem(textOf(Buffer.from(name, 'latin1')));
  return problem === undefined ? url : `invalid ipv6 address: ${problem}`;
}

function unescape(bytes: string): string {
  return bytes.replaceAll(/%([\da-fA-F]{2})/g, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  );
}
