import { isJsonMap } from '../../base/json/json-map.ts';
import type { KubernetesObject } from '../../base/objects/object-meta.ts';

/**
 * Returns the content that the API server stores for a configuration of a core kind, because the hub hashes the stored content: a
 * Secret has its texts as bytes and a type. As k8s.io/kubernetes pkg/apis/core/v1 Convert_v1_Secret_To_core_Secret,
 * SetDefaults_Secret. Objects of other kinds are returned unchanged.
 */
export function storedContent(object: KubernetesObject): KubernetesObject {
  const { apiVersion, kind, metadata, immutable } = object;
  if (apiVersion !== 'v1') return object;
  const common = { apiVersion, kind, metadata, ...(typeof immutable === 'boolean' && { immutable }) };
  if (kind === 'ConfigMap')
    return {
      ...common,
      ...filled('data', textsIn(object['data'])),
      ...filled('binaryData', bytesIn(object['binaryData'])),
    };
  if (kind !== 'Secret') return object;
  const { type } = object;
  const texts = Object.entries(textsIn(object['stringData'])).map(
    ([key, text]) => [key, Buffer.from(text, 'utf8').toString('base64')] as const,
  );
  return {
    ...common,
    ...filled('data', { ...bytesIn(object['data']), ...Object.fromEntries(texts) }),
    type: typeof type === 'string' && type !== '' ? type : 'Opaque',
  };
}

type Texts = Readonly<Record<string, string>>;

function textsIn(map: unknown): Texts {
  const entries = isJsonMap(map) ? Object.entries(map) : [];
  return Object.fromEntries(entries.map(([key, text]) => [key, typeof text === 'string' ? text : '']));
}

/** Returns the bytes as Go writes them after reading them: without line breaks. */
function bytesIn(map: unknown): Texts {
  const entries = Object.entries(textsIn(map));
  return Object.fromEntries(
    entries.map(([key, base64]) => [key, Buffer.from(base64, 'base64').toString('base64')]),
  );
}

/** Go omits empty maps. */
function filled(field: string, map: Texts): Readonly<Record<string, Texts>> {
  return Object.keys(map).length === 0 ? {} : { [field]: map };
}
