import { goJson } from '../../../base/json/go-json.ts';
import { isJsonMap, type JsonMap } from '../../../base/json/json-map.ts';
import type { FieldPath } from '../../model/field-path.ts';
import type { HubVersion } from '../../../ocm/hub-version.ts';
import { manifestLimit } from '../../render/works/manifest-limit.ts';

/** Why OCM's webhook rejects manifests. */
export interface ManifestsRejection {
  /** The webhook's own words. */
  readonly message: string;
  /** The field, below the list of manifests. */
  readonly path: FieldPath;
  /** Another manifest that the rejection is about. */
  readonly first?: number;
  readonly hint: string;
}

/** Returns why OCM's webhook rejects the manifests of a work. As ValidateManifests, which stops at the first fault. */
export function manifestsRejection(
  manifests: readonly unknown[],
  hub: Pick<HubVersion, 'rejectsDuplicateManifests'>,
): ManifestsRejection | undefined {
  // as validateRequest of the webhook, before ValidateManifests
  if (manifests.length === 0)
    return { message: 'manifests should not be empty', path: [], hint: 'add a manifest, or remove the work' };
  const size = manifests.reduce<number>((sum, manifest) => sum + rawSize(manifest), 0);
  if (size > manifestLimit)
    return {
      message: `the size of manifests is ${size} bytes which exceeds the ${manifestLimit} limit`,
      path: [],
      hint: 'distribute the manifests to several works, or let the cluster fetch the content',
    };
  const indexes = new Map<string, number>();
  for (const [index, manifest] of manifests.entries()) {
    const rejection =
      nameRejection(manifest, index) ??
      (hub.rejectsDuplicateManifests ? duplicateRejection(manifest, index, indexes) : undefined);
    if (rejection !== undefined) return rejection;
  }
  return undefined;
}

/** As validateManifest. */
function nameRejection(manifest: unknown, index: number): ManifestsRejection | undefined {
  const { name, generateName } = metadataOf(manifest);
  const hint = 'write metadata.name; a work cannot generate names';
  if (typeof name !== 'string' || name === '')
    return { message: 'name must be set in manifest', path: [index, 'metadata'], hint };
  if (typeof generateName === 'string' && generateName !== '') {
    const path = [index, 'metadata', 'generateName'];
    return { message: 'generateName must not be set in manifest', path, hint: 'remove generateName' };
  }
  return undefined;
}

/** As extractManifestInfo, whose key has the version of the kind. */
function duplicateRejection(
  manifest: unknown,
  index: number,
  indexes: Map<string, number>,
): ManifestsRejection | undefined {
  const [apiVersion, kind] = ['apiVersion', 'kind'].map((field) => textOf(mapOf(manifest)[field]));
  const [namespace, name] = ['namespace', 'name'].map((field) => textOf(metadataOf(manifest)[field]));
  const key = `${apiVersion}/${kind}/${namespace}/${name}`;
  const first = indexes.get(key);
  if (first === undefined) {
    indexes.set(key, index);
    return undefined;
  }
  const message = `duplicate manifest for resource ${namespace}/${name} with resource type ${apiVersion}.${kind}`;
  return { message, path: [index], first, hint: 'remove one of the two manifests' };
}

/** As Size of runtime.RawExtension: tag, length and the text that the API server sends to the webhook. */
function rawSize(manifest: unknown): number {
  const bytes = Buffer.byteLength(goJson(manifest));
  return 1 + varintLength(bytes) + bytes;
}

function varintLength(value: number): number {
  return value < 0x80 ? 1 : 1 + varintLength(Math.floor(value / 0x80));
}

function metadataOf(manifest: unknown): JsonMap {
  return mapOf(mapOf(manifest)['metadata']);
}

function mapOf(value: unknown): JsonMap {
  return isJsonMap(value) ? value : {};
}

/** The API server has checked that these fields are texts, if they are present. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
