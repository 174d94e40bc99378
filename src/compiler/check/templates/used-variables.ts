import type { AddOnDeploymentConfigV1alpha1 } from '../../../../schemas/types.gen.ts';
import type { Admitted } from '../../model/inventory.ts';
import type { RenderGroup } from '../../render/render-result.ts';
import { renderedSample } from './rendered-sample.ts';

/** A customized variable whose value is in the manifests of a group. */
export interface UsedVariable {
  readonly config: Admitted<AddOnDeploymentConfigV1alpha1>;
  /** Its position in `spec.customizedVariables`. */
  readonly index: number;
  readonly name: string;
  readonly value: string;
  /** All variables that have a value, including built-in ones. */
  readonly values: ReadonlyMap<string, string>;
  /** Equal for the same variable of the same configuration. */
  readonly key: string;
}

/**
 * Returns the customized variables that a group's template uses, except those that a built-in or a later one overrides. Empty if
 * the hub cannot render, which the render phase reports.
 */
export function* usedVariables(group: RenderGroup): Iterable<UsedVariable> {
  const { config, manifests, clusters } = group;
  const { values } = manifests.variables(clusters[0] ?? '') ?? {};
  if (config === undefined || values === undefined || renderedSample(group).length === 0) return;
  const tags = new Set(manifests.texts.flatMap((text) => text.tags));
  const { namespace = '', name: configName = '' } = config.object.metadata;
  for (const [index, { name, value = '' }] of (config.object.spec.customizedVariables ?? []).entries()) {
    if (!tags.has(name) || values.get(name) !== value) continue;
    yield { config, index, name, value, values, key: `${namespace}/${configName}/${index}` };
  }
}
