import type { AddOnDeploymentConfigV1alpha1 } from '../../../schemas/types.gen.ts';
import type { Admitted } from '../../inventory.ts';
import type { RenderGroup } from '../../render/rendering.ts';
import { renderedSample } from './rendered-sample.ts';

/** A customized variable whose value stands in the manifests of a group. */
export interface UsedVariable {
  readonly config: Admitted<AddOnDeploymentConfigV1alpha1>;
  /** Its position in `spec.customizedVariables`. */
  readonly index: number;
  readonly name: string;
  readonly value: string;
  /** All variables that have a value, built-in ones too. */
  readonly values: ReadonlyMap<string, string>;
  /** Equal wherever it is the same variable of the same configuration. */
  readonly key: string;
}

/**
 * The customized variables that a group's template asks for, but those for which a built-in one or a later one counts. None
 * where the hub cannot render, which the render phase tells.
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
