import { goJson } from '../../base/json/go-json.ts';
import type { KubernetesObject } from '../../base/objects/object-meta.ts';

/**
 * The JSON text of a manifest, split at its tags. OCM splits this text, not the parsed manifest, with fasttemplate. A tag can
 * therefore be in a key, and the name of a tag that is not closed within its string is the text up to the next `}}`.
 */
export interface ManifestText {
  /** The text before each tag, and after the last one: one more than there are tags. */
  readonly texts: readonly string[];
  /** The exact text between `{{` and `}}`: ` CLUSTER_NAME ` is not `CLUSTER_NAME`. */
  readonly tags: readonly string[];
  /** The text from a `{{` without a later `}}`. OCM's add-on manager panics on it. */
  readonly unclosed?: string;
}

/** Splits a manifest, in the API server's form, at its tags. */
export function cutManifest(manifest: KubernetesObject): ManifestText {
  const texts: string[] = [];
  const tags: string[] = [];
  let rest = goJson(manifest);
  for (;;) {
    const start = rest.indexOf('{{');
    if (start < 0) return { texts: [...texts, rest], tags };
    const end = rest.indexOf('}}', start + 2);
    if (end < 0) return { texts: [...texts, rest], tags, unclosed: rest.slice(start + 2) };
    texts.push(rest.slice(0, start));
    tags.push(rest.slice(start + 2, end));
    rest = rest.slice(end + 2);
  }
}

/** Returns the text with every tag replaced by its value. Unknown tags are removed. Values are inserted unescaped. */
export function substitute({ texts, tags }: ManifestText, values: ReadonlyMap<string, string>): string {
  let text = texts[0] ?? '';
  for (let i = 0; i < tags.length; i++) text += (values.get(tags[i] ?? '') ?? '') + (texts[i + 1] ?? '');
  return text;
}
