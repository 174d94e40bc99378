import { compareUtf8 } from '../../../base/json/go-json.ts';
import { diagnostic, type Diagnostic } from '../../model/diagnostic.ts';
import { noDecisions } from '../../application-sets/generation-error.ts';
import {
  applicationGenerator,
  type ApplicationGenerator,
} from '../../application-sets/generate-applications.ts';
import { namespaceOf } from '../../api/placement-references.ts';
import { objectKey, type Admitted } from '../../model/inventory.ts';
import { getOrInsertComputed } from '../../../base/collections/get-or-insert.ts';
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
  const shared = new Map<Admitted, Map<Admitted, string[]>>();
  for (const holders of groupBy([...generator.sets()], namespaceOf).values())
    for (const overlapping of overlappingSets(holders, generator)) {
      const owners = new Map<string, Admitted>();
      for (const holder of overlapping)
        for (const { name } of generator.generate(holder).applications) {
          const owner = owners.get(name);
          if (owner === undefined) owners.set(name, holder);
          else
            getOrInsertComputed(
              getOrInsertComputed(shared, holder, () => new Map<Admitted, string[]>()),
              owner,
              () => [],
            ).push(name);
        }
    }
  for (const [second, byFirst] of shared)
    for (const [first, names] of byFirst) {
      const [one, other] = [first, second].map(({ object }) => quote(object.metadata.name ?? ''));
      yield diagnostic('FW7033', {
        message: `ApplicationSets ${one} and ${other} generate ${counted(names.length, 'Application')} of the same name: ${someOf(names)}`,
        ...pointAt(second, namePath),
        related: [{ message: 'the other one', location: first.origin.locate(namePath) }],
        hint: 'give the names of each ApplicationSet a prefix',
      });
    }
}

const namePath = ['spec', 'template', 'metadata', 'name'];

/** Returns groups of ApplicationSets whose names may be the same. Sets with different prefixes are in no group, and cost nothing. */
function overlappingSets(
  holders: readonly Admitted[],
  generator: ApplicationGenerator,
): readonly Admitted[][] {
  const ranges = holders
    .flatMap((holder) => {
      const { applications } = generator.generate(holder);
      const [first, last] = [applications[0]?.name, applications.at(-1)?.name];
      return first === undefined || last === undefined ? [] : [{ holder, first, last }];
    })
    .sort((a, b) => compareUtf8(a.first, b.first));
  const groups: { last: string; readonly holders: Admitted[] }[] = [];
  for (const { holder, first, last } of ranges) {
    const group = groups.at(-1);
    if (group === undefined || compareUtf8(group.last, first) < 0) groups.push({ last, holders: [holder] });
    else {
      group.holders.push(holder);
      if (compareUtf8(group.last, last) < 0) group.last = last;
    }
  }
  return groups.map((group) => group.holders).filter(({ length }) => length > 1);
}

function someOf(names: readonly string[]): string {
  if (names.length <= namedApplications + 1) return listed(names);
  const named = names.slice(0, namedApplications).map(quote);
  return `${named.join(', ')} and ${names.length - namedApplications} more`;
}
