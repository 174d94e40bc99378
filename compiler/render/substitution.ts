import { goJson } from '../../encoding/go-json.ts';
import type { KubernetesObject } from '../../schemas/object-meta.ts';

/**
 * The JSON text of a manifest, cut at its tags. OCM cuts this text, not the parsed manifest, with fasttemplate; so a tag may
 * stand in a key, and one that is not closed within its string takes the text up to the next `}}` for its name.
 */
export interface ManifestText {
  /** The text before each tag, and after the last one: one more than there are tags. */
  readonly texts: readonly string[];
  /** What stands between `{{` and `}}`, to the letter: ` CLUSTER_NAME ` is not `CLUSTER_NAME`. */
  readonly tags: readonly string[];
  /** The text from a `{{` on that no `}}` follows anywhere. OCM's add-on manager panics on it. */
  readonly unclosed?: string;
}

/** Cuts a manifest, as the API server shows it, at its tags. */
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

/** The text with every tag replaced by its value; unknown tags vanish. Values are inserted as they are, unescaped. */
export function substitute({ texts, tags }: ManifestText, values: ReadonlyMap<string, string>): string {
  let text = texts[0] ?? '';
  for (let i = 0; i < tags.length; i++) text += (values.get(tags[i] ?? '') ?? '') + (texts[i + 1] ?? '');
  return text;
}
