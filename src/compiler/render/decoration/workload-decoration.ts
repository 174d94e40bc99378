import type { AddOnDeploymentConfigV1alpha1NodePlacement } from '../../../../schemas/types.gen.ts';
import {
  isGoJsonList,
  isGoJsonObject,
  type GoJsonObject,
  type GoJsonValue,
} from '../../../base/json/go-json.ts';
import { overrideImage, type ImageMirror } from './image-registries.ts';
import { nameOf } from '../../../base/objects/object-identity.ts';
import { resourcesFor, type ContainerResources } from './resource-requirements.ts';
import { convertTyped } from '../../../base/typed/typed-conversion.ts';
import type { WorkloadResource } from '../../../base/typed/workload-conversion.ts';

export interface EnvironmentVariable {
  readonly name: string;
  readonly value: string;
}

/** All changes that the hub makes to the pods of a template's Deployments and DaemonSets. */
export interface WorkloadDecoration {
  readonly environment: readonly EnvironmentVariable[];
  readonly mounts: readonly GoJsonObject[];
  readonly volumes: readonly GoJsonObject[];
  readonly nodePlacement?: AddOnDeploymentConfigV1alpha1NodePlacement;
  readonly registries: readonly ImageMirror[];
  readonly resources: readonly ContainerResources[];
}

/**
 * Decorates a workload after conversion through its Go struct. Changes only `containers`, never init or ephemeral containers.
 * Additions are written as Go writes them: without empty values.
 */
export function decorateWorkload(
  workload: GoJsonObject,
  resource: WorkloadResource,
  decoration: WorkloadDecoration,
): GoJsonObject {
  const spec = objectIn(workload, 'spec');
  const template = objectIn(spec, 'template');
  const pod = objectIn(template, 'spec');
  const id = `${resource}:${nameOf(workload)}`;
  const environment = decoration.environment.map(({ name, value }) =>
    value === '' ? { name } : { name, value },
  );
  const containers = pod['containers'];
  return {
    ...workload,
    spec: {
      ...spec,
      template: {
        ...template,
        spec: {
          ...placed(pod, decoration.nodePlacement),
          ...appended(pod, 'volumes', decoration.volumes),
          ...(isGoJsonList(containers)
            ? {
                containers: containers
                  .filter(isGoJsonObject)
                  .map((container) => decorateContainer(container, id, environment, decoration)),
              }
            : {}),
        },
      },
    },
  };
}

function decorateContainer(
  container: GoJsonObject,
  workloadId: string,
  environment: readonly GoJsonObject[],
  { mounts, registries, resources }: WorkloadDecoration,
): GoJsonObject {
  const { image: written, ...rest } = container;
  const image = overrideImage(typeof written === 'string' ? written : '', registries);
  const replaced = resourcesFor(resources, `${workloadId}:${textIn(container, 'name')}`);
  return {
    ...rest,
    ...appended(container, 'env', environment),
    ...appended(container, 'volumeMounts', mounts),
    ...(image === '' ? {} : { image }),
    ...(replaced === undefined ? {} : { resources: replaced }),
  };
}

// As OCM's nodePlacementDecorator, which checks the node selector twice: tolerations without a node selector are ignored.
function placed(
  pod: GoJsonObject,
  placement: AddOnDeploymentConfigV1alpha1NodePlacement | undefined,
): GoJsonObject {
  if (placement?.nodeSelector === undefined) return pod;
  const { nodeSelector: _selector, tolerations: _tolerations, ...rest } = pod;
  const { nodeSelector, tolerations } = placement;
  return {
    ...rest,
    ...(Object.keys(nodeSelector).length === 0 ? {} : { nodeSelector }),
    ...(tolerations === undefined || tolerations.length === 0
      ? {}
      : {
          tolerations: tolerations.map((toleration) => convertTyped('Toleration', { ...toleration }) ?? {}),
        }),
  };
}

function appended(object: GoJsonObject, field: string, items: readonly GoJsonValue[]): GoJsonObject {
  if (items.length === 0) return {};
  const existing = object[field];
  return { [field]: isGoJsonList(existing) ? [...existing, ...items] : items };
}

function objectIn(object: GoJsonObject, field: string): GoJsonObject {
  const value = object[field];
  return isGoJsonObject(value) ? value : {};
}

function textIn(object: GoJsonObject, field: string): string {
  const value = object[field];
  return typeof value === 'string' ? value : '';
}
