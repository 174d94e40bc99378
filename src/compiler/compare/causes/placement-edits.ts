import type { PlacementV1beta1Spec } from '../../../../schemas/types.gen.ts';
import type { Decision } from '../../place/decision.ts';
import type { Stage } from '../../place/explain/explanation.ts';
import { compareValues } from '../compare-values.ts';
import type { Cause } from '../change.ts';

const shown: Readonly<Partial<Record<keyof PlacementV1beta1Spec, { words: string; plural?: true }>>> = {
  predicates: { words: 'the predicates', plural: true },
  tolerations: { words: 'the tolerations', plural: true },
  clusterSets: { words: 'the cluster sets', plural: true },
  numberOfClusters: { words: 'numberOfClusters' },
  prioritizerPolicy: { words: 'the prioritizer policy' },
  spreadPolicy: { words: 'the spread policy' },
  decisionStrategy: { words: 'the decision strategy' },
};

/** The fields of a Placement that each stage reads. */
const readAt: Readonly<Record<Stage, readonly (keyof PlacementV1beta1Spec)[]>> = {
  fleet: [],
  'cluster sets': ['clusterSets'],
  predicates: ['predicates'],
  taints: ['tolerations'],
  choice: ['numberOfClusters', 'prioritizerPolicy', 'spreadPolicy'],
  'decision group': ['decisionStrategy'],
  placement: [
    'clusterSets',
    'predicates',
    'tolerations',
    'prioritizerPolicy',
    'numberOfClusters',
    'decisionStrategy',
  ],
};

/** Returns the edits of a Placement in the fields that a stage reads, each at the first value that is different. */
export function placementEdits(key: string, base: Decision, head: Decision, stage: Stage): Cause[] {
  const causes: Cause[] = [];
  for (const field of readAt[stage]) {
    const [first] = compareValues(base.placement.object.spec[field], head.placement.object.spec[field]);
    if (first === undefined) continue;
    const gone = head.placement.object.spec[field] === undefined;
    const { origin } = gone ? base.placement : head.placement;
    causes.push({
      kind: 'placement edited',
      text: `${shown[field]?.words ?? field} of Placement "${key}" ${shown[field]?.plural === true ? 'were' : 'was'} edited`,
      side: gone ? 'base' : 'head',
      location: origin.locate(['spec', field, ...('after' in first ? first.fieldPath : [])]),
    });
  }
  return causes;
}
