import { groupResource } from '../../../base/names/resource-name.ts';
import type { ConfigReference } from '../../configure/resolved-add-on.ts';
import { objectKey } from '../../model/inventory.ts';
import { addOnCondition, causeOf, type CauseRule } from '../evidence.ts';

/** The add-on as a whole: one fault keeps the hub from configuring any cluster. */
export const stalledRule: CauseRule = ({ addOn, cluster, position, progress }) => {
  if (progress === 'unexpected') return undefined;
  const stop = position.stopOf(cluster);
  const error = addOn.stalled ?? (stop?.reason === 'error' ? stop.message : undefined);
  return error === undefined ? undefined : causeOf('rollout-error', error);
};

/** A configuration that the hub cannot hash, or does not accept. */
export const configurationRule: CauseRule = (evidence) => {
  const { expected, observed, progress } = evidence;
  if (progress === 'Succeeded' || progress === 'missing') return undefined;
  const condition = addOnCondition(evidence, 'Progressing');
  if (condition?.reason === 'ConfigurationUnsupported')
    return causeOf('configuration-unsupported', condition.message, condition.lastTransitionTime);
  const missing = expected?.effective.references.find(
    (reference) => reference.specHash === '' && !isHashedOnHub(reference, observed),
  );
  if (missing === undefined) return undefined;
  const { group, resource, namespace, name } = missing;
  return causeOf(
    'configuration-missing',
    `${groupResource(group, resource)} ${objectKey(namespace, name)} has no hash, because the hub does not have it or does not watch its kind`,
  );
};

type Observed = Parameters<CauseRule>[0]['observed'];

/** Companions and managers can hash objects that are not read here, such as Secrets. */
function isHashedOnHub(
  { group, resource, namespace = '', name }: ConfigReference,
  observed: Observed,
): boolean {
  return (observed?.status?.configReferences ?? []).some(
    ({ group: itsGroup = '', resource: itsResource, desiredConfig }) =>
      itsGroup === group &&
      itsResource === resource &&
      desiredConfig?.name === name &&
      (desiredConfig.namespace ?? '') === namespace &&
      (desiredConfig.specHash ?? '') !== '',
  );
}
