import type { Diagnostic, Inventory } from '../../compiler/index.ts';
import { diagnostic } from '../../compiler/model/diagnostic.ts';
import { pointAt } from '../../compiler/model/point-at.ts';
import { rolloutAnnotation } from '../../ocm/fleetwright-annotations.ts';
import { isPromoted } from '../../ocm/promoted-rollout.ts';

/**
 * Reports the add-ons of an app whose waves are those of a promotion that does not exist: all their clusters would get a change at once.
 *
 * @param file - the promotion file that the app needs
 */
export function missingPromotion(
  { clusterManagementAddOns }: Pick<Inventory, 'clusterManagementAddOns'>,
  app: string,
  file: string,
): readonly Diagnostic[] {
  return [...clusterManagementAddOns.values()]
    .filter(({ object, source }) => source === 'app' && isPromoted(object))
    .map((addOn) =>
      diagnostic('FW8162', {
        message: `a promotion releases the waves of add-on "${addOn.object.metadata.name ?? ''}", but ${file} does not exist, so all clusters would change at once`,
        ...pointAt(addOn, ['metadata', 'annotations', rolloutAnnotation]),
        hint: `create ${file} with apiVersion fleetwright.dev/v1alpha1, kind Promotion, metadata.name ${app} and spec {}; or use another rollout`,
      }),
    );
}
