import type { Code } from './codes.ts';
import type { Diagnostic } from './diagnostic.ts';
import { groupOf } from './api/resource-name.ts';

/**
 * The same for a finding and for what it becomes when numbers or names in its text change: its code and policy, the object and the
 * field. A finding about no object goes by its file.
 */
export function findingIdentity({ code, policy, object, path, location }: Diagnostic): string {
  const file = location !== undefined && 'file' in location ? location.file : location?.source?.file;
  const place =
    object === undefined ? [file] : [groupOf(object.apiVersion), object.kind, object.namespace, object.name];
  return JSON.stringify([code, policy, ...place, path]);
}

/**
 * The findings that a state has and the one before it does not, in their order: all errors, whoever made them, all about inputs that
 * were not read, and of others as many of one identity as have come. Of several with one identity those count as new whose text is.
 */
export function newFindings(
  before: readonly Diagnostic[],
  after: readonly Diagnostic[],
): readonly Diagnostic[] {
  const earlier = byIdentity(before);
  const added = new Set<Diagnostic>();
  for (const [identity, findings] of byIdentity(after)) {
    const known = earlier.get(identity) ?? [];
    const texts = new Set(known.map(({ message }) => message));
    const [unlike, alike] = [
      findings.filter(({ message }) => !texts.has(message)),
      findings.filter(({ message }) => texts.has(message)),
    ];
    const count = Math.max(0, findings.length - known.length);
    for (const finding of [...unlike, ...alike].slice(0, count)) added.add(finding);
  }
  return after.filter(
    (finding) => finding.severity === 'error' || aboutInputs.has(finding.code) || added.has(finding),
  );
}

/** Findings about what was not read: that may be what the change is about. */
const aboutInputs: ReadonlySet<Code> = new Set<Code>(['FW9017', 'FW9018', 'FW9020']);

function byIdentity(findings: readonly Diagnostic[]): ReadonlyMap<string, readonly Diagnostic[]> {
  const groups = new Map<string, Diagnostic[]>();
  for (const finding of findings) {
    const identity = findingIdentity(finding);
    const group = groups.get(identity);
    if (group) group.push(finding);
    else groups.set(identity, [finding]);
  }
  return groups;
}
