import { groupBy } from '../../base/collections/groups.ts';
import type { Code } from './codes.ts';
import type { Diagnostic } from './diagnostic.ts';
import { groupOf } from '../../base/names/resource-name.ts';

/**
 * Returns a key that stays the same if numbers or names in the text of a finding change: its code and policy, the object and the
 * field. A finding without an object is identified by its file.
 */
export function findingIdentity({ code, policy, object, path, location }: Diagnostic): string {
  const file = location !== undefined && 'file' in location ? location.file : location?.source?.file;
  const place =
    object === undefined ? [file] : [groupOf(object.apiVersion), object.kind, object.namespace, object.name];
  return JSON.stringify([code, policy, ...place, path]);
}

/**
 * Returns the findings of a state that the previous state does not have, in order. This includes all errors and all findings
 * about inputs that were not read. For the others, it returns as many per identity as were added; if several have one identity,
 * those with a new text come first.
 */
export function newFindings(
  before: readonly Diagnostic[],
  after: readonly Diagnostic[],
): readonly Diagnostic[] {
  const earlier = groupBy(before, findingIdentity);
  const added = new Set<Diagnostic>();
  for (const [identity, findings] of groupBy(after, findingIdentity)) {
    const candidates = earlier.get(identity) ?? [];
    const texts = new Set(candidates.map(({ message }) => message));
    const [unlike, alike] = [
      findings.filter(({ message }) => !texts.has(message)),
      findings.filter(({ message }) => texts.has(message)),
    ];
    const count = Math.max(0, findings.length - candidates.length);
    for (const finding of [...unlike, ...alike].slice(0, count)) added.add(finding);
  }
  return after.filter(
    (finding) => finding.severity === 'error' || aboutInputs.has(finding.code) || added.has(finding),
  );
}

/** Findings about inputs that were not read. The change may be in these inputs. */
const aboutInputs: ReadonlySet<Code> = new Set<Code>(['FW9017', 'FW9018', 'FW9020']);
