import { canComplete, updateStrategyOf } from '../../../ocm/clusters/manifest-options.ts';
import { removalWords, removedField } from '../../../ocm/clusters/removed-field.ts';
import { listed } from '../../model/words.ts';
import { talliedPerPart, type Tallied } from '../templates/tally.ts';
import type { Rule } from '../rule.ts';
import { deliveriesOf, isReported, type Delivery } from './deliveries.ts';
import { found } from './report.ts';

/**
 * Reports objects that the agent updates in vain. The API server writes immutable fields into them, which the manifest does not have.
 * With strategy Update the agent sends the manifest as it is whenever the object has changed, as applyUnstructured, and the API server
 * rejects it each time.
 */
export const endlessUpdate: Rule = {
  codes: ['FW8314'],
  check: (input) => findings(deliveriesOf(input)),
};

/** The defaults of a StorageClass that storageClassNeedsRecreate of library-go compares with the manifest. */
const recreatingFields = ['reclaimPolicy', 'volumeBindingMode'];

const findings = talliedPerPart(updatedInVain);

function* updatedInVain(delivery: Delivery): Iterable<Tallied> {
  const { objects, options, clusters } = delivery;
  if (!isReported(delivery)) return;
  for (const { kindKey, object, resource, words, path } of objects) {
    if (kindKey === 'storage.k8s.io/StorageClass' && updateStrategyOf(options, resource) === 'Update') {
      const absent = recreatingFields.filter((name) => (object[name] ?? '') === '');
      if (absent.length > 0)
        yield found('FW8314', delivery, {
          path,
          message: `the work agent deletes ${words} and creates it again, whenever it looks: the API server writes ${listed(absent)}, which the manifest does not have`,
          hint: `write ${listed(absent)} into the manifest`,
          clusters: clusters.length,
        });
      continue;
    }
    const field = removedField(kindKey, object);
    if (field === undefined || updateStrategyOf(options, resource) !== 'Update') continue;
    if (canComplete(options, resource)) continue;
    yield found('FW8314', delivery, {
      path,
      message: `the work agent updates ${words} again and again, and the cluster refuses it: ${removalWords(field)}`,
      hint: 'add an entry to manifestConfigs with updateStrategy ServerSideApply or CreateOnly for this object',
      clusters: clusters.length,
    });
  }
}
