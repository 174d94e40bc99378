import { compareUtf8 } from '../../../base/json/go-json.ts';
import { diagnostic, type Diagnostic } from '../../model/diagnostic.ts';
import { noDecisions } from '../../application-sets/generation-error.ts';
import {
  applicationGenerator,
  type ApplicationGenerator,
} from '../../application-sets/generate-applications.ts';
import type { GeneratedApplication } from '../../application-sets/application.ts';
import { namespaceOf } from '../../api/placement-references.ts';
import { objectKey } from '../../model/inventory.ts';
import { groupBy } from '../../../base/collections/groups.ts';
import { counted, listed, quote } from '../../model/words.ts';
import { pointAt } from '../../model/point-at.ts';
import type { Rule } from '../rule.ts';

/** The maximum number of Applications that a finding names. */
const namedApplications = 3;

/**
 * Reports ApplicationSets from which Argo CD generates nothing or not everything, those that are not evaluated, and those that generate
 * the same Applications.
 */
export const applicationSetRule: Rule = {
  codes: ['FW7031', 'FW7032', 'FW7033'],
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
    yield* applicationsOfSeveralSets(generator);
  },
};

/** Reports pairs of ApplicationSets that generate Applications of the same names. Argo CD creates those of the one that it sees first. */
function* applicationsOfSeveralSets(generator: ApplicationGenerator): Generator<Diagnostic> {
  const byNamespace = groupBy([...generator.sets()], namespaceOf);
  for (const holders of byNamespace.values())
    for (const [index, second] of holders.entries()) {
      const { applications } = generator.generate(second);
      for (const first of holders.slice(0, index)) {
        const names = sharedNames(generator.generate(first).applications, applications);
        if (names.length === 0) continue;
        const [one, other] = [first, second].map(({ object }) => quote(object.metadata.name ?? ''));
        yield diagnostic('FW7033', {
          message: `ApplicationSets ${one} and ${other} generate ${counted(names.length, 'Application')} of the same name: ${someOf(names)}`,
          ...pointAt(second, ['spec', 'template', 'metadata', 'name']),
          related: [
            {
              message: 'the other one',
              location: first.origin.locate(['spec', 'template', 'metadata', 'name']),
            },
          ],
          hint: 'give the names of each ApplicationSet a prefix',
        });
      }
    }
}

/** Returns the names that are in both lists, which are sorted. Names with different prefixes cost nothing. */
function sharedNames(
  one: readonly GeneratedApplication[],
  other: readonly GeneratedApplication[],
): readonly string[] {
  const [first, last] = [other[0]?.name, other.at(-1)?.name];
  if (first === undefined || last === undefined) return [];
  const between = one.filter(({ name }) => compareUtf8(name, first) >= 0 && compareUtf8(name, last) <= 0);
  if (between.length === 0) return [];
  const names = new Set(other.map(({ name }) => name));
  return between.flatMap(({ name }) => (names.has(name) ? [name] : []));
}

function someOf(names: readonly string[]): string {
  if (names.length <= namedApplications + 1) return listed(names);
  const named = names.slice(0, namedApplications).map(quote);
  return `${named.join(', ')} and ${names.length - namedApplications} more`;
}
