import type { HubVersion } from '../../../ocm/hub-version.ts';
import type { Resolution } from '../../resolve.ts';
import { AddOnComparison } from '../compare-add-on.ts';
import type { AddOnChange } from '../add-on-plan.ts';
import { SelectionCauses } from '../causes/selection-causes.ts';
import { pairOf } from '../resolution-pair.ts';
import { ClusterAnswers } from './cluster-answers.ts';

/** The change of an add-on, with the answers of its clusters. */
export type AnsweredChange = Pick<AddOnChange, 'addOn' | 'groups'>;

/** Returns the changes of add-ons from one state to the next that some clusters refuse. */
export function refusedUpdates(
  base: Resolution,
  head: Resolution,
  hub: HubVersion,
): readonly AnsweredChange[] {
  const pair = pairOf(base, head, { hub });
  const causes = new SelectionCauses(base, head, { base: hub, head: hub });
  const answers = new ClusterAnswers(pair);
  return [...head.configuration.keys()]
    .filter((addOn) => base.configuration.has(addOn))
    .map((addOn) => answers.addTo({ addOn, groups: new AddOnComparison(addOn, pair, causes).groups() }))
    .filter(({ groups }) =>
      groups.some((group) => group.answers?.some(({ kind }) => kind === 'refused') === true),
    );
}
