import {
  bytesOf,
  FunctionError,
  goFunction,
  kindName,
  mapEntries,
  textOf,
  type GoFunction,
  type ValueMap,
} from '../../gotemplate/index.ts';
import { hostName, parseUrl, UrlError, urlText, type GoUrl } from './url-syntax.ts';

const bytesText = (text: string): string => Buffer.from(bytesOf(text)).toString('latin1');
const plainText = (bytes: string): string => textOf(Buffer.from(bytes, 'latin1'));

/** Functions on URLs. */
export const urlFunctions: Readonly<Record<string, GoFunction>> = {
  urlParse: goFunction('string -> dict', ([text]) => {
    const url = parsed(text as string, 'unable to parse url');
    const { scheme, host, path, query, opaque, fragment, userinfo = '' } = url;
    const parts = { scheme, host, hostname: hostName(host), path, query, opaque, fragment, userinfo };
    return new Map(Object.entries(parts).map(([name, part]) => [name, plainText(part)]));
  }),
  urlJoin: goFunction('dict -> string', ([dict]) => {
    const part = (name: string): string => partOf(mapEntries(dict) ?? new Map(), name);
    const [scheme, host, path] = [part('scheme'), part('host'), part('path')];
    const [query, opaque, fragment] = [part('query'), part('opaque'), part('fragment')];
    const user = part('userinfo');
    const userinfo =
      user === ''
        ? undefined
        : parsed(`proto://${plainText(user)}@host`, 'unable to parse userinfo in dict').userinfo;
    return plainText(urlText({ scheme, host, path, rawPath: '', query, opaque, fragment, userinfo }));
  }),
};

function parsed(text: string, problem: string): GoUrl {
  try {
    return parseUrl(bytesText(text));
  } catch (error) {
    if (error instanceof UrlError) throw new FunctionError(`${problem}: ${error.message}`);
    throw error;
  }
}

function partOf(dict: ValueMap, name: string): string {
  if (!dict.has(name)) return '';
  const value = dict.get(name);
  if (value === null || value === undefined)
    throw new FunctionError('runtime error: invalid memory address or nil pointer dereference');
  if (typeof value !== 'string')
    throw new FunctionError(
      `unable to parse ${name} key, must be of type string, but ${kindName(value)} found`,
    );
  return bytesText(value);
}
