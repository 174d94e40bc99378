import type { RE2JS } from 're2js';
import type { AddOnDeploymentConfigV1alpha1ContainerResourceRequirements } from '../../../../schemas/types.gen.ts';
import type { GoJsonValue } from '../../../base/json/go-json.ts';
import type { RenderFault } from '../fault.ts';
import { idPattern } from './id-pattern.ts';
import { convertTyped } from '../../../base/typed/typed-conversion.ts';

/** The resources of the containers whose id matches. */
export interface ContainerResources {
  /** Undefined if Go cannot compile the pattern. The entry is then skipped. */
  readonly pattern: RE2JS | undefined;
  /** `resources` in the form that a container of the work has. */
  readonly resources: GoJsonValue;
}

/**
 * Parses the resource requirements of a configuration. As addon-framework GetRegexResourceRequirements.
 */
export function readResourceRequirements(
  requirements: readonly AddOnDeploymentConfigV1alpha1ContainerResourceRequirements[],
): readonly ContainerResources[] | RenderFault {
  const read: ContainerResources[] = [];
  for (const [index, { containerID, resources }] of requirements.entries()) {
    const path = ['spec', 'resourceRequirements', index];
    if (containerID.split(':').length !== 3)
      return { error: `invalid ContainerID: ${containerID}`, code: 'FW6003', path };
    const converted = convertTyped('ResourceRequirements', resources as unknown as GoJsonValue);
    if (converted === undefined) {
      return { error: `invalid quantity in the resources of ${containerID}`, code: 'FW6003', path };
    }
    read.push({ pattern: idPattern(containerID), resources: converted });
  }
  return read;
}

/** Returns the resources for a container such as `deployments:agent:main`. If several entries match, the last one counts. */
export function resourcesFor(
  requirements: readonly ContainerResources[],
  containerId: string,
): GoJsonValue | undefined {
  return requirements.findLast(({ pattern }) => pattern?.matcher(containerId).find() === true)?.resources;
}
