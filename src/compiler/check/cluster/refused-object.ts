import { getOrInsertComputed } from '../../../base/collections/get-or-insert.ts';
import { oncePerPart } from '../../../base/collections/joined-lists.ts';
import { goJson } from '../../../base/json/go-json.ts';
import type { JsonMap } from '../../../base/json/json-map.ts';
import type { FieldFault } from '../../../base/validation/field-fault.ts';
import { validationFaults } from '../../../base/validation/validation-faults.ts';
import { applyFaults } from '../../../ocm/clusters/apply-faults.ts';
import { updateStrategyOf } from '../../../ocm/clusters/manifest-options.ts';
import { manifestFaults } from '../manifests/manifest-faults.ts';
import { merged, tally, type Tallied } from '../templates/tally.ts';
import type { Rule } from '../rule.ts';
import { deliveriesOf, isReported, type DeliveredManifest, type Delivery } from './deliveries.ts';
import { found } from './report.ts';
import { isSent, isTried } from './sent-manifest.ts';

/**
 * Reports objects of built-in kinds that every API server refuses, because of what is in their fields. As the validation of
 * k8s.io/kubernetes.
 */
export const refusedObject: Rule = {
  codes: ['FW7139'],
  check: (input) => tally(reportsPerPart(deliveriesOf(input))),
};

const reportsPerPart = oncePerPart((part: readonly Delivery[]) => {
  const byText = new Map<string, readonly FieldFault[]>();
  return merged(
    part.flatMap((delivery) => getOrInsertComputed(reports, delivery, () => [...refused(delivery, byText)])),
  );
});

/** The findings depend on nothing but the delivery. */
const reports = new WeakMap<Delivery, readonly Tallied[]>();

/** Many classes of clusters get equal objects, which are validated once. */
type FaultsByText = Map<string, readonly FieldFault[]>;

function* refused(delivery: Delivery, byText: FaultsByText): Iterable<Tallied> {
  if (!isReported(delivery)) return;
  for (const manifest of delivery.objects) {
    if (!isSent(delivery, manifest)) continue;
    const faults = getOrInsertComputed(byText, goJson(manifest.object), () => faultsOf(manifest.object));
    const isApplied =
      updateStrategyOf(delivery.options, manifest.resource) === 'ServerSideApply' &&
      !isTried(delivery.options, manifest);
    for (const fault of isApplied ? applied(manifest.object, faults) : faults)
      yield finding(delivery, manifest, fault);
  }
}

/**
 * Returns what the API server says with server-side apply: first what it cannot merge, and then what no other manager can have
 * written.
 */
function applied(object: JsonMap, faults: readonly FieldFault[]): readonly FieldFault[] {
  const unmergeable = applyFaults(object);
  return unmergeable.length > 0 ? unmergeable : faults.filter(({ isMissing }) => !isMissing);
}

/** Kinds that a cluster does not serve and values of a wrong type are refused before, and have separate rules. */
function faultsOf(object: JsonMap): readonly FieldFault[] {
  const isUndecodable = manifestFaults(object, new Set()).some(({ code }) => code !== 'FW7132');
  return isUndecodable ? [] : validationFaults(object);
}

function finding(delivery: Delivery, { words, path }: DeliveredManifest, fault: FieldFault): Tallied {
  const where = fault.field === '' ? '' : `${fault.field}: `;
  return found('FW7139', delivery, {
    path: [...path, ...fault.path],
    message: `the API server refuses ${fault.isOfNew ? 'to create ' : ''}${words}: ${where}${fault.message}`,
    hint: 'correct the field in the manifest; kubectl apply --dry-run=server shows the same on a cluster',
    clusters: delivery.clusters.length,
  });
}
