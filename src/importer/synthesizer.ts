import type { KubernetesObject } from '../base/objects/object-meta.ts';
import { admitObject } from '../compiler/admit/admit.ts';
import { convertAddOn } from '../compiler/admit/conversion/convert.ts';
import { withoutServerFields } from '../compiler/hub-metadata.ts';
import { goJson } from '../base/json/go-json.ts';
import { loadConstructs } from '../compiler/load/constructs.ts';
import type { Statement } from './code/expression.ts';

/** Runs statements with the constructs themselves. */
export interface Synthesizer {
  /**
   * Runs statements after the accepted ones, in empty charts. `charts` maps their variables to their namespaces. Renders the
   * construct in the variable `definition`.
   */
  run(
    statements: readonly Statement[],
    definition: string,
    charts: ReadonlyMap<string, string | undefined>,
  ): Rendering;
  /** Keeps the variables of the last statements for later statements. */
  accept(): void;
}

/** The manifest of a construct, or why there is none. */
export type Rendering = { readonly object: KubernetesObject } | { readonly error: string };

/** Returns the object as the hub stores it, without fields that the server writes. Add-ons are stored in v1alpha1. */
export function storedForm(admitted: KubernetesObject): string {
  return goJson(convertAddOn(withoutServerFields(admitted), 'v1alpha1'));
}

/** Returns a synthesized object as the API server completes it; undefined if it rejects the object. */
export function admitSynthesized(object: KubernetesObject): KubernetesObject | undefined {
  const [loaded] = loadConstructs([{ object, construct: 'import' }]).value;
  if (loaded === undefined) return undefined;
  const { object: admitted, valid } = admitObject(loaded);
  return valid ? admitted?.object : undefined;
}
