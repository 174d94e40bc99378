import type { ManifestWorkV1, ManifestWorkV1ResourceIdentifier } from '../../../../schemas/types.gen.ts';
import { conditionOf } from '../../../base/objects/condition.ts';
import type { Stored } from '../../../client/object.ts';
import { jobFailedValue } from '../../../ocm/hook-work.ts';

/** What a cluster reports about the hooks of a work. */
export type HookProgress =
  | { readonly state: 'running' }
  | { readonly state: 'complete' }
  /** @property failed - `Job agents/bye` */
  | { readonly state: 'failed'; readonly failed: string };

/**
 * Returns the state of the hooks of a work. As addon-framework hookWorkIsCompleted: all of them must be complete. A hook that failed is
 * never complete by itself.
 */
export function hookProgress(work: Stored<ManifestWorkV1>): HookProgress {
  const hooks = (work.spec?.manifestConfigs ?? []).map(({ resourceIdentifier }) => resourceIdentifier);
  const failed = hooks.find(
    (hook) =>
      valueOf(work, hook, jobFailedValue) === 'True' ||
      (hook.resource === 'pods' && valueOf(work, hook, 'PodPhase') === 'Failed'),
  );
  if (failed !== undefined) {
    const { resource, namespace = '', name } = failed;
    return { state: 'failed', failed: `${resource === 'pods' ? 'Pod' : 'Job'} ${namespace}/${name}` };
  }
  const isComplete =
    conditionOf(work.status?.conditions, 'Available')?.status === 'True' &&
    hooks.length > 0 &&
    hooks.every((hook) => isHookComplete(work, hook));
  return { state: isComplete ? 'complete' : 'running' };
}

function isHookComplete(work: Stored<ManifestWorkV1>, hook: ManifestWorkV1ResourceIdentifier): boolean {
  switch (hook.resource) {
    case 'jobs':
      return valueOf(work, hook, 'JobComplete') === 'True';
    case 'pods':
      return valueOf(work, hook, 'PodPhase') === 'Succeeded';
    default:
      return false;
  }
}

function valueOf(
  work: Stored<ManifestWorkV1>,
  hook: ManifestWorkV1ResourceIdentifier,
  value: string,
): string | undefined {
  const report = work.status?.resourceStatus?.manifests?.find(({ resourceMeta }) =>
    (['group', 'resource', 'namespace', 'name'] as const).every(
      (field) => (resourceMeta[field] ?? '') === (hook[field] ?? ''),
    ),
  );
  return report?.statusFeedback?.values?.find(({ name }) => name === value)?.fieldValue.string;
}
