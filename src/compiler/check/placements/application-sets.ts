import { diagnostic } from '../../model/diagnostic.ts';
import { noDecisions } from '../../application-sets/generation-error.ts';
import { applicationGenerator } from '../../application-sets/generate-applications.ts';
import { namespaceOf } from '../../api/placement-references.ts';
import { objectKey } from '../../model/inventory.ts';
import { groupBy } from '../../../base/collections/groups.ts';
import { counted, listed, quote } from '../../model/words.ts';
import { pointAt } from '../../model/point-at.ts';
import type { Rule } from '../rule.ts';

/** The maximum number of Applications that a finding names. */
const namedApplications = 3;

/** Reports ApplicationSets from which Argo CD generates nothing or not everything, and those that are not evaluated. */
export const applicationSetRule: Rule = {
  codes: ['FW7031', 'FW7032'],
  *check(input) {
    const generator = applicationGenerator(input);
    for (const holder of generator.sets()) {
      const { error, unanswered, invalid } = generator.generate(holder);
      const title = `ApplicationSet "${objectKey(namespaceOf(holder), holder.object.metadata.name ?? '')}"`;
      const at = pointAt(holder, ['spec', 'generators']);
      if (unanswered !== undefined)
        yield diagnostic('FW7032', {
          message: `the Applications of ${title} are not known, because ${unanswered} is not evaluated`,
          ...at,
        });
      // A missing Placement has its own finding.
      if (error !== undefined && error !== noDecisions)
        yield diagnostic('FW7031', {
          message: `Argo CD generates nothing from ${title}, and keeps what exists: ${error}`,
          ...at,
        });
      for (const [reason, names] of groupBy([...invalid.keys()], (name) => invalid.get(name) ?? ''))
        yield diagnostic('FW7031', {
          message: `Argo CD neither creates nor updates ${counted(names.length, 'Application')} of ${title}, because ${reason}: ${someOf(names)}`,
          ...at,
        });
    }
  },
};

function someOf(names: readonly string[]): string {
  if (names.length <= namedApplications + 1) return listed(names);
  const named = names.slice(0, namedApplications).map(quote);
  return `${named.join(', ')} and ${names.length - namedApplications} more`;
}
