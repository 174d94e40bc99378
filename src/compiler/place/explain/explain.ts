import { formatFieldPath, type FieldPath } from '../../model/field-path.ts';
import { referenceTo } from '../../model/inventory.ts';
import { listed, quote } from '../../model/words.ts';
import type { Decision, Decisions, Reasoning } from '../decision.ts';
import type { SchedulerIndex } from '../scheduler-index.ts';
import { judgeTaint } from '../taints.ts';
import { explainChoice } from './explain-choice.ts';
import { explainPredicates } from './explain-predicates.ts';
import type { ExplanationStep, PlacementExplanation, Stage } from './explanation.ts';
import { verdictWords } from './words.ts';

type Step = Omit<ExplanationStep, 'path' | 'location'> & { readonly path?: FieldPath };

/**
 * Returns why a placement (`namespace/name`) selects a cluster, or which stage dropped it. Undefined if there is no such
 * placement. The cluster need not exist.
 */
export function explainPlacement(
  { byPlacement: decisions, scheduler: hub, now }: Decisions,
  placement: string,
  cluster: string,
): PlacementExplanation | undefined {
  const decision = decisions.get(placement);
  if (decision === undefined) return undefined;
  const { object, origin } = decision.placement;
  const selected = decision.selected.includes(cluster);
  const steps = [...stepsOf(decision, cluster, hub, now)];
  const last = steps.at(-1);
  return {
    placement: referenceTo(object),
    cluster,
    selected,
    summary: `${quote(placement)} ${selected ? 'selects' : 'does not select'} ${quote(cluster)}${last === undefined ? '' : `: ${last.text}`}`,
    steps: steps.map(({ path, ...step }) =>
      path === undefined
        ? step
        : Object.assign(step, { path: formatFieldPath(path), location: origin.locate(path) }),
    ),
  };
}

/** Returns the stages up to the one that drops the cluster. */
function* stepsOf(decision: Decision, cluster: string, hub: SchedulerIndex, now: number): Generator<Step> {
  if (decision.unscheduled !== undefined) {
    yield unscheduledStep(decision, cluster);
    return;
  }
  const { reasoning } = decision;
  if (reasoning === undefined) return;
  for (const step of stages(decision, reasoning, cluster, hub, now)) {
    yield step;
    if (!step.kept) return;
  }
}

function* stages(
  decision: Decision,
  reasoning: Reasoning,
  cluster: string,
  hub: SchedulerIndex,
  now: number,
): Generator<Step> {
  const number = hub.index.indexOf(cluster);
  if (number === undefined) {
    yield dropped('fleet', `the fleet has no cluster ${quote(cluster)}`);
    return;
  }
  yield setsStep(decision, reasoning, number, hub);
  const { scheduling } = reasoning;
  if (scheduling.misconfiguration?.plugin === 'Predicate') yield misconfiguredStep(decision);
  yield predicatesStep(reasoning, number, hub);
  if (scheduling.misconfiguration?.plugin === 'TaintToleration') yield misconfiguredStep(decision);
  yield taintsStep(reasoning, number, hub, now);
  if (scheduling.misconfiguration !== undefined) yield misconfiguredStep(decision);
  yield choiceStep(decision, reasoning, number, hub);
  yield groupStep(decision, cluster);
}

function unscheduledStep({ unscheduled, selected }: Decision, cluster: string): Step {
  const isSelected = selected.includes(cluster);
  return {
    stage: 'placement',
    kept: isSelected,
    text: `the hub does not decide again, because ${unscheduled?.message}; its earlier decision ${isSelected ? 'contains' : 'does not contain'} the cluster`,
    reasons: [],
    ...(unscheduled === undefined ? {} : { path: unscheduled.path }),
  };
}

function misconfiguredStep({ misconfiguration }: Decision): Step {
  const { message = '', path } = misconfiguration ?? {};
  return {
    stage: 'placement',
    kept: false,
    text: 'the hub reports the placement as misconfigured, and selects nothing',
    reasons: [message],
    ...(path === undefined ? {} : { path }),
  };
}

function setsStep(
  { placement }: Decision,
  { scheduling }: Reasoning,
  cluster: number,
  { index, sets }: SchedulerIndex,
): Step {
  const { bound, eligible, available } = scheduling.candidates;
  const namespace = quote(placement.object.metadata.namespace ?? '');
  const setsOfCluster = sets.of(cluster);
  const through = setsOfCluster.filter((set) => eligible.includes(set));
  if (available.includes(cluster)) {
    const text = `it belongs to ${listed(through)}, which namespace ${namespace} is bound to`;
    return { stage: 'cluster sets', kept: true, text, reasons: [] };
  }
  const deleted = index.clusters[cluster]?.metadata.deletionTimestamp;
  if (deleted !== undefined) return dropped('fleet', `it was marked for deletion at ${deleted}`);
  if (bound.length === 0)
    return dropped('cluster sets', `namespace ${namespace} is not bound to any ManagedClusterSet`);
  const path: FieldPath =
    placement.object.spec.clusterSets === undefined ? ['spec'] : ['spec', 'clusterSets'];
  if (eligible.length === 0) {
    return {
      ...dropped(
        'cluster sets',
        `namespace ${namespace} is bound to ${listed(bound)}, but not to a set that the placement names`,
      ),
      path,
    };
  }
  const belongs =
    setsOfCluster.length === 0 ? 'it belongs to no set' : `it belongs to ${listed(setsOfCluster)}`;
  return {
    ...dropped('cluster sets', `${belongs}, and the placement takes clusters from ${listed(eligible)}`),
    path,
  };
}

function predicatesStep({ scheduling }: Reasoning, cluster: number, { index }: SchedulerIndex): Step {
  const { predicates, matching } = scheduling.candidates;
  if (predicates.length === 0) {
    return {
      stage: 'predicates',
      kept: true,
      text: 'there are no predicates, so every cluster passes',
      reasons: [],
    };
  }
  return {
    stage: 'predicates',
    kept: matching.includes(cluster),
    ...explainPredicates(predicates, cluster, index),
  };
}

function taintsStep(
  { scheduling }: Reasoning,
  cluster: number,
  { index }: SchedulerIndex,
  now: number,
): Step {
  const { tolerated, tolerations = [], isSelected } = scheduling;
  const taints = index.clusters[cluster]?.spec?.taints ?? [];
  const isTolerated = tolerated?.includes(cluster) ?? false;
  const verdicts = taints.map((taint) => ({
    taint,
    verdict: judgeTaint(taint, tolerations, isSelected(cluster), now),
  }));
  const refused = verdicts.find(({ verdict }) => !verdict.accepted);
  const reasons = verdicts
    .filter((judged) => judged !== refused)
    .map(({ taint, verdict }) => verdictWords(taint, verdict));
  if (refused === undefined) {
    const text = taints.length === 0 ? 'it has no taints' : 'none of its taints excludes it';
    return { stage: 'taints', kept: isTolerated, text, reasons };
  }
  const text = verdictWords(refused.taint, refused.verdict);
  return { stage: 'taints', kept: isTolerated, text, reasons, path: ['spec', 'tolerations'] };
}

function choiceStep(
  { placement }: Decision,
  reasoning: Reasoning,
  cluster: number,
  { index }: SchedulerIndex,
): Step {
  const { tolerated = [], selected } = reasoning.scheduling;
  const { numberOfClusters } = placement.object.spec;
  const isSelected = selected.includes(cluster);
  const remaining = tolerated.length === 1 ? '1 cluster is left' : `${tolerated.length} clusters are left`;
  if (numberOfClusters === undefined) {
    return {
      stage: 'choice',
      kept: isSelected,
      text: `${remaining}, and the placement selects all`,
      reasons: [],
    };
  }
  const path: FieldPath = ['spec', 'numberOfClusters'];
  if (numberOfClusters >= tolerated.length) {
    return {
      stage: 'choice',
      kept: isSelected,
      text: `${remaining}, and the placement selects up to ${numberOfClusters}`,
      reasons: [],
      path,
    };
  }
  return {
    stage: 'choice',
    kept: isSelected,
    ...explainChoice(reasoning.ranking(), cluster, numberOfClusters, index),
    path,
  };
}

function groupStep(decision: Decision, cluster: string): Step {
  const position = decision.groups.findIndex(({ clusters }) => clusters.includes(cluster));
  const group = decision.groups[position];
  if (group === undefined) {
    const { message = '', path } = decision.misconfiguration ?? {};
    const text =
      'the hub selects it, but writes no decision for it, because it reports the decision groups as misconfigured';
    return {
      ...dropped('decision group', text),
      reasons: [message],
      ...(path === undefined ? {} : { path }),
    };
  }
  const name = group.name === '' ? '' : ` ${quote(group.name)}`;
  const page = decision.objects.find(({ status }) =>
    status?.decisions.some(({ clusterName }) => clusterName === cluster),
  );
  const text = `it is in decision group ${position}${name}, named by PlacementDecision ${quote(page?.metadata.name ?? '')}`;
  return { stage: 'decision group', kept: true, text, reasons: [] };
}

function dropped(stage: Stage, text: string): Step {
  return { stage, kept: false, text, reasons: [] };
}
