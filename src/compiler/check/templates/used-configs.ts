import { oncePer } from '../../../base/collections/once-per.ts';
import type { AddOnDeploymentConfigV1alpha1 } from '../../../../schemas/types.gen.ts';
import type { Admitted } from '../../model/inventory.ts';
import type { RenderGroup, Rendering } from '../../render/render-result.ts';

/** A configuration that templates are rendered with. */
export interface UsedConfig {
  readonly config: Admitted<AddOnDeploymentConfigV1alpha1>;
  /** The render groups that use it, by template and annotation. */
  readonly groups: readonly RenderGroup[];
}

/** Returns every AddOnDeploymentConfig that a template is rendered with, once. */
export function usedConfigs({ groups }: Rendering): Iterable<UsedConfig> {
  return usedIn(groups);
}

const usedIn = oncePer((groups: Rendering['groups']): Iterable<UsedConfig> => {
  const used = new Map<Admitted<AddOnDeploymentConfigV1alpha1>, RenderGroup[]>();
  for (const group of groups) {
    if (group.config === undefined) continue;
    const use = used.get(group.config);
    if (use === undefined) used.set(group.config, [group]);
    else use.push(group);
  }
  return [...used].map(([config, groups]) => ({ config, groups }));
});
