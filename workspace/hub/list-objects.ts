import { isJsonMap } from '../../kubernetes/json-map.ts';
import { parseGoJson } from '../../kubernetes/go/parse-json.ts';
import type { KubernetesObject } from '../../kubernetes/object-meta.ts';
import type { Answer, HubConnection } from './hub-connection.ts';
import { beyondLimits, HubError } from './hub-error.ts';

/** A kind as the API serves it. */
export interface Resource {
  readonly apiVersion: string;
  readonly kind: string;
  readonly plural: string;
}

/** Maximum number of objects per page: those of 10,000 clusters are some twenty pages. */
const pageSize = 500;
/** How often a list is restarted when the API server has dropped its continue token. */
const mostBeginnings = 3;
/** Maximum number of pages of one kind: two million objects. */
const mostPages = 4_000;

interface Page {
  readonly items: readonly KubernetesObject[];
  /** The continue token of the next page; empty for the last page. */
  readonly next: string;
}

/**
 * Returns all objects of a kind in all namespaces, page by page, in the order of the API server; undefined if the hub
 * does not serve the kind.
 *
 * @throws HubError if the hub rejects the request or does not answer.
 */
export async function listObjects(
  connection: HubConnection,
  resource: Resource,
): Promise<readonly KubernetesObject[] | undefined> {
  for (let beginnings = 1; ; beginnings += 1) {
    const listed = await listOnce(connection, resource);
    if (listed !== 'expired') return listed;
    if (beginnings < mostBeginnings) continue;
    throw new HubError(
      'FW9005',
      `${connection.server} expires the list of ${resource.plural} before it is read, ${mostBeginnings} times in a row`,
      'the hub compacts its history faster than it answers; try again when it has less load',
    );
  }
}

async function listOnce(
  connection: HubConnection,
  resource: Resource,
): Promise<readonly KubernetesObject[] | 'expired' | undefined> {
  const { apiVersion, kind } = resource;
  const objects: KubernetesObject[] = [];
  const tokens = new Set<string>();
  let token = '';
  do {
    if (tokens.has(token) || tokens.size === mostPages)
      throw beyondLimits(`${connection.server} returns an endless list of ${resource.plural}`);
    tokens.add(token);
    const query = new URLSearchParams({
      limit: String(pageSize),
      ...(token === '' ? {} : { continue: token }),
    });
    const answer = await connection.get(`${pathOf(resource)}?${query.toString()}`);
    if (answer.status === 404) return undefined;
    if (answer.status === 410) return 'expired';
    const page = pageOf(read(connection, resource, 'list', answer));
    if (page === undefined) throw notAList(connection, resource);
    // Items of a list omit the apiVersion and kind of the list.
    for (const item of page.items) objects.push({ ...item, apiVersion, kind });
    token = page.next;
  } while (token !== '');
  return objects;
}

/** Returns the page of an answer; undefined for an answer that is not a list of objects with names. */
function pageOf(answer: object): Page | undefined {
  const { items, metadata = {} }: { items?: unknown; metadata?: unknown } = answer;
  if (!Array.isArray(items) || !items.every(isObject) || !isJsonMap(metadata)) return undefined;
  const { continue: next = '' } = metadata;
  return typeof next === 'string' ? { items, next } : undefined;
}

function isObject(item: unknown): item is KubernetesObject {
  if (!isJsonMap(item) || !isJsonMap(item['metadata'])) return false;
  const { name, namespace = '' } = item['metadata'];
  return typeof name === 'string' && typeof namespace === 'string';
}

function notAList({ server }: HubConnection, { plural }: Resource): HubError {
  return new HubError(
    'FW9005',
    `${server} did not return a list of ${plural}`,
    'is that the address of a Kubernetes API server?',
  );
}

/**
 * Returns one object; undefined if it does not exist, or the hub does not serve the kind. @throws HubError as
 * `listObjects`.
 */
export async function getObject(
  connection: HubConnection,
  resource: Resource,
  name: string,
  namespace: string | undefined,
): Promise<KubernetesObject | undefined> {
  const answer = await connection.get(`${pathOf(resource, namespace)}/${encodeURIComponent(name)}`);
  return answer.status === 404
    ? undefined
    : (read(connection, resource, 'get', answer) as unknown as KubernetesObject);
}

/**
 * Returns the kinds of a group in the version that the hub prefers; an empty list if the hub does not serve the
 * group.
 */
export async function resourcesOf(connection: HubConnection, group: string): Promise<readonly Resource[]> {
  const version = group === '' ? 'v1' : await preferredVersion(connection, group);
  if (version === undefined) return [];
  const answer = await connection.get(`${root(version)}/${version}`);
  if (answer.status === 404) return [];
  const { resources }: { resources?: unknown } = read(connection, undefined, 'list', answer);
  return (Array.isArray(resources) ? resources : []).filter(isServed).map(({ name, kind }) => ({
    apiVersion: version,
    kind,
    plural: name,
  }));
}

/** Whether an entry of a discovery document is a kind, and not a subresource such as `status`. */
function isServed(entry: unknown): entry is { readonly name: string; readonly kind: string } {
  if (!isJsonMap(entry)) return false;
  const { name, kind } = entry;
  return typeof name === 'string' && !name.includes('/') && typeof kind === 'string';
}

async function preferredVersion(connection: HubConnection, group: string): Promise<string | undefined> {
  const answer = await connection.get(`/apis/${group}`);
  if (answer.status === 404) return undefined;
  const { preferredVersion: preferred }: { preferredVersion?: unknown } = read(
    connection,
    undefined,
    'list',
    answer,
  );
  const version = isJsonMap(preferred) ? preferred['groupVersion'] : undefined;
  return typeof version === 'string' ? version : undefined;
}

function pathOf({ apiVersion, plural }: Resource, namespace?: string): string {
  const inside = namespace === undefined ? '' : `namespaces/${encodeURIComponent(namespace)}/`;
  return `${root(apiVersion)}/${apiVersion}/${inside}${plural}`;
}

function root(apiVersion: string): string {
  return apiVersion.includes('/') ? '/apis' : '/api';
}

/** Returns the message of the API server's Status object when it rejects a request. */
function messageOf({ status, body }: Answer): string {
  try {
    const { message } = JSON.parse(body) as { readonly message?: unknown };
    if (typeof message === 'string' && message !== '') return message;
  } catch {
    // Proxies answer with HTML.
  }
  return `status ${status}`;
}

function read(
  { server }: HubConnection,
  resource: Resource | undefined,
  verb: 'list' | 'get',
  answer: Answer,
): object {
  if (answer.status === 401) {
    throw new HubError(
      'FW9006',
      `${server} rejected the credentials: ${messageOf(answer)}`,
      'the token or certificate of the kubeconfig is invalid or has expired; log in again',
    );
  }
  if (answer.status === 403) {
    const plural = resource?.plural ?? 'its kinds';
    const [group = ''] = resource?.apiVersion.includes('/') === true ? resource.apiVersion.split('/') : [];
    throw new HubError(
      'FW9007',
      `${server} does not allow this user to ${verb} ${plural}: ${messageOf(answer)}`,
      `grant it a ClusterRole with the rule apiGroups: ["${group}"], resources: ["${plural}"], verbs: ["get", "list"]`,
    );
  }
  if (answer.status === 200) {
    const parsed = parseGoJson(answer.body);
    if ('value' in parsed && typeof parsed.value === 'object' && parsed.value !== null) return parsed.value;
  }
  const what = answer.status === 200 ? 'did not return JSON' : `answers ${messageOf(answer)}`;
  const hint =
    answer.status >= 500
      ? 'the API server is unhealthy; try again later'
      : 'is that the address of a Kubernetes API server?';
  throw new HubError('FW9005', `${server} ${what}`, hint);
}
