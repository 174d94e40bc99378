import {
  escapedPath,
  formatUrl,
  fromBytes,
  isRequestUri,
  parseUrl,
  queryParameters,
  splitHostPort,
} from '../values/go-url.ts';
import type { GoUrl } from '../values/go-url.ts';
import { noSuchOverload } from '../values/comparison.ts';
import { instanceOf, method, overload, text } from '../function.ts';
import type { FunctionDeclaration } from '../function.ts';
import { boolType, listType, mapType, stringType, structType } from '../check/types.ts';
import { CelEntries, CelList } from '../values/value.ts';
import { CelError } from '../error.ts';
import type { CelBox } from '../values/box.ts';

class CelUrl implements CelBox {
  readonly typeName = 'kubernetes.URL';
  readonly url: GoUrl;

  constructor(url: GoUrl) {
    this.url = url;
  }

  equals(other: unknown): boolean | CelError {
    return other instanceof CelUrl ? formatUrl(this.url) === formatUrl(other.url) : noSuchOverload;
  }
}

const urlType = structType('kubernetes.URL');
const url = instanceOf(urlType, CelUrl);

function getter(name: string, id: string, read: (url: GoUrl) => string): FunctionDeclaration {
  return { name, overloads: [method(id, [url], stringType, (value) => read(value.url))] };
}

/** Kubernetes' URL library. */
export const urlFunctions: readonly FunctionDeclaration[] = [
  {
    name: 'url',
    overloads: [
      overload('string_to_url', [text], urlType, (value) => {
        const parsed = parseUrl(value);
        return parsed === undefined
          ? new CelError(`URL parse error during conversion from string: ${JSON.stringify(value)}`)
          : new CelUrl(parsed);
      }),
    ],
  },
  getter('getScheme', 'url_get_scheme', ({ scheme }) => scheme),
  getter('getHost', 'url_get_host', ({ host }) => fromBytes(host)),
  getter('getHostname', 'url_get_hostname', (value) => splitHostPort(value).hostname),
  getter('getPort', 'url_get_port', (value) => splitHostPort(value).port),
  getter('getEscapedPath', 'url_get_escaped_path', escapedPath),
  {
    name: 'getQuery',
    overloads: [
      method(
        'url_get_query',
        [url],
        mapType(stringType, listType(stringType)),
        (value) =>
          new CelEntries(
            Array.from(queryParameters(value.url), ([key, values]) => [key, new CelList(values)] as const),
          ),
      ),
    ],
  },
  { name: 'isURL', overloads: [overload('is_url_string', [text], boolType, isRequestUri)] },
];
