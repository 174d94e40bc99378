import { addToGroup } from '../../base/collections/groups.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { objectText, severityRanks } from './order.ts';

/** A finding, and the findings that disappear with its cause. */
export interface FindingWithConsequences {
  readonly finding: Diagnostic;
  readonly consequences: readonly Diagnostic[];
}

/**
 * Assigns findings to the finding that explains them, directly or through others. The order remains. A finding that is more severe
 * than the one that explains it is no consequence: it must be read.
 */
export function withConsequences(findings: readonly Diagnostic[]): FindingWithConsequences[] {
  const byObject = new Map<string, Diagnostic[]>();
  for (const finding of findings) {
    if (finding.object !== undefined) addToGroup(byObject, objectText(finding.object), finding);
  }
  const causeOf = (finding: Diagnostic): Diagnostic | undefined =>
    (finding.explainedBy ?? [])
      .flatMap((reference) =>
        (byObject.get(objectText(reference.object)) ?? []).filter(
          ({ code, path }) => reference.codes.includes(code) && isWithin(path, reference.path),
        ),
      )
      .find((cause) => cause !== finding && severityRanks[cause.severity] <= severityRanks[finding.severity]);
  const consequences = new Map<Diagnostic, Diagnostic[]>();
  const roots = findings.filter((finding) => {
    const root = rootOf(finding, causeOf);
    if (root !== finding) addToGroup(consequences, root, finding);
    return root === finding;
  });
  return roots.map((finding) => ({ finding, consequences: consequences.get(finding) ?? [] }));
}

/** Returns the first cause. A finding in a circle of causes is its own, so that nothing is lost. */
function rootOf(finding: Diagnostic, causeOf: (finding: Diagnostic) => Diagnostic | undefined): Diagnostic {
  const seen = new Set([finding]);
  let root = finding;
  for (let cause = causeOf(root); cause !== undefined; cause = causeOf(root)) {
    if (seen.has(cause)) return finding;
    seen.add(cause);
    root = cause;
  }
  return root;
}

/** Whether a field is another one or a part of it. */
function isWithin(path: string | undefined, field: string | undefined): boolean {
  if (field === undefined) return true;
  return path?.startsWith(field) === true && /^(?:$|[.[])/.test(path.slice(field.length));
}
