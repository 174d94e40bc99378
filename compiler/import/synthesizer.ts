import type { KubernetesObject } from '../../schemas/object-meta.ts';
import { admitObject } from '../admit/admit.ts';
import { convertAddOn } from '../admit/convert.ts';
import { withoutServerFields } from '../emit/emit.ts';
import { goJson } from '../../encoding/go-json.ts';
import { loadConstructs } from '../load/constructs.ts';
import type { Statement } from './expression.ts';

/** Creates what statements say, with the constructs themselves. */
export interface Synthesizer {
  /**
   * Runs statements after those that were kept, in empty charts, which are given by their variables with their namespaces.
   * Renders the construct that the variable `definition` holds then.
   */
  run(
    statements: readonly Statement[],
    definition: string,
    charts: ReadonlyMap<string, string | undefined>,
  ): Rendering;
  /** Lets later statements use the variables of the last ones. */
  keep(): void;
}

/** The manifest of a construct, or why there is none. */
export type Rendering = { readonly object: KubernetesObject } | { readonly error: string };

/** The object as the hub stores it, which is in v1alpha1 for add-ons, without what is the server's to write. */
export function storedForm(admitted: KubernetesObject): string {
  return goJson(convertAddOn(withoutServerFields(admitted), 'v1alpha1'));
}

/** A synthesized object as the API server completes it; undefined where it rejects the object. */
export function admitSynthesized(object: KubernetesObject): KubernetesObject | undefined {
  const [loaded] = loadConstructs([{ object, construct: 'import' }]).value;
  if (loaded === undefined) return undefined;
  const { object: admitted, valid } = admitObject(loaded);
  return valid ? admitted?.object : undefined;
}
