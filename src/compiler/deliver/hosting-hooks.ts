import { withAnnotations } from '../../ocm/annotations.ts';
import {
  deletedByAnnotation,
  deletedByCompanion,
  preDeleteHooksAnnotation,
} from '../../ocm/fleetwright-annotations.ts';
import type { ManifestWorkV1 } from '../../../schemas/types.gen.ts';
import type { ClusterRendering } from '../render/render-result.ts';

/**
 * Returns the works of an add-on for a cluster, of which the first one for its hosting cluster contains the hooks that the companion runs
 * there. All works for the hosting cluster remain until the hooks are complete, and have no owner, so the companion deletes them.
 */
export function withHostingHooks(rendered: ClusterRendering | undefined): readonly ManifestWorkV1[] {
  const { works = [], cluster, hostingHooks } = rendered ?? {};
  if (hostingHooks === undefined) return works;
  const isHosting = ({ metadata }: ManifestWorkV1): boolean => metadata.namespace !== cluster;
  const first = works.find(isHosting);
  return works.map((work) =>
    isHosting(work)
      ? withAnnotations(work, {
          [deletedByAnnotation]: deletedByCompanion,
          [preDeleteHooksAnnotation]: work === first ? hostingHooks : undefined,
        })
      : work,
  );
}
