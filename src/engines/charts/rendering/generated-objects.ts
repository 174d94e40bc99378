import { isDeepStrictEqual } from 'node:util';
import { isGoJsonObject, type GoJsonObject, type GoJsonValue } from '../../../base/json/go-json.ts';
import { kindKey } from '../../../base/names/resource-name.ts';
import { nameOf, namespaceOf } from '../../../base/objects/object-identity.ts';
import type { RenderedManifest } from './manifests.ts';

/**
 * A Secret with values that a random function decides, or one that reads the clock; or an object that trusts the authority of such a
 * certificate.
 */
export interface GeneratedObject {
  /** With samples in place of what is random. */
  readonly manifest: RenderedManifest;
  /** The keys of its values that are random, or the field with the certificate. Sorted. */
  readonly keys: readonly string[];
}

/** The field with the certificate of an authority. */
const trusted = 'caBundle';

/** Kinds that trust the authority of a certificate, and which nothing needs before its Secret is there. By group and kind. */
const trusting: ReadonlySet<string> = new Set([
  'admissionregistration.k8s.io/MutatingWebhookConfiguration',
  'admissionregistration.k8s.io/ValidatingWebhookConfiguration',
  'apiregistration.k8s.io/APIService',
]);

/** Returns the object if two renderings of a manifest are one Secret with other values, or trust another authority. */
export function generatedObject(one: RenderedManifest, other: RenderedManifest): GeneratedObject | undefined {
  const isSame =
    kindKey(one) === kindKey(other) &&
    nameOf(one.object) !== '' &&
    nameOf(one.object) === nameOf(other.object) &&
    namespaceOf(one.object) === namespaceOf(other.object);
  if (!isSame) return undefined;
  if (trusting.has(kindKey(one)))
    return isDeepStrictEqual(withoutTrust(one.object), withoutTrust(other.object))
      ? { manifest: one, keys: [trusted] }
      : undefined;
  if (kindKey(one) !== '/Secret') return undefined;
  const [before, after] = [valuesOf(one.object), valuesOf(other.object)];
  const keys = [...new Set([...before.keys(), ...after.keys()])].filter(
    (key) => !isDeepStrictEqual(before.get(key), after.get(key)),
  );
  return keys.length === 0 ? undefined : { manifest: one, keys: keys.sort() };
}

/**
 * Whether two renderings of a manifest differ only by annotations of Pods whose change does nothing but restart them: those that are one word,
 * such as a digest. A text with other parts, such as JSON, is for a program that reads it, and so is an annotation that the Pod itself reads.
 */
export function differOnlyByPodAnnotations(one: RenderedManifest, other: RenderedManifest): boolean {
  return isDeepStrictEqual(withoutRestarts(one.object), withoutRestarts(other.object));
}

function withoutTrust(value: GoJsonValue): GoJsonValue {
  if (Array.isArray(value)) return (value as readonly GoJsonValue[]).map(withoutTrust);
  if (!isGoJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, name === trusted ? '' : withoutTrust(inner)]),
  );
}

function valuesOf(secret: GoJsonObject): ReadonlyMap<string, GoJsonValue> {
  return new Map(
    [secret['data'], secret['stringData']].flatMap((values) =>
      isGoJsonObject(values) ? Object.entries(values) : [],
    ),
  );
}

/** Returns a value with nothing in place of the words that are annotations in templates of Pods. */
function withoutRestarts(value: GoJsonValue): GoJsonValue {
  if (Array.isArray(value)) return (value as readonly GoJsonValue[]).map(withoutRestarts);
  if (!isGoJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      name === 'template' && isPodTemplate(inner) ? withoutWords(inner) : withoutRestarts(inner),
    ]),
  );
}

function isPodTemplate(value: GoJsonValue): value is GoJsonObject {
  if (!isGoJsonObject(value)) return false;
  const { spec } = value;
  return isGoJsonObject(spec) && Array.isArray(spec['containers']) && !readsAnnotations(spec);
}

/** Whether a volume or a variable of a Pod has its annotations. */
function readsAnnotations(value: GoJsonValue): boolean {
  if (Array.isArray(value)) return (value as readonly GoJsonValue[]).some(readsAnnotations);
  if (!isGoJsonObject(value)) return false;
  const { fieldPath } = value;
  if (typeof fieldPath === 'string' && fieldPath.startsWith('metadata.annotations')) return true;
  return Object.values(value).some(readsAnnotations);
}

const word = /^(?:sha\d+:)?[\w-]+=*$/;

function withoutWords(template: GoJsonObject): GoJsonObject {
  const { metadata } = template;
  const annotations = isGoJsonObject(metadata) ? metadata['annotations'] : undefined;
  if (!isGoJsonObject(metadata) || !isGoJsonObject(annotations)) return template;
  const remaining = Object.entries(annotations).map(([name, text]) => [
    name,
    typeof text === 'string' && word.test(text) ? '' : text,
  ]);
  return {
    ...template,
    metadata: { ...metadata, annotations: Object.fromEntries(remaining) as GoJsonObject },
  };
}
