import { diagnostic, type Diagnostic } from '../model/diagnostic.ts';
import { clusterCount } from '../model/words.ts';
import type { AddOnPlan } from '../compare/add-on-plan.ts';
import type { ChangeGroup, ClusterAnswer } from '../compare/change.ts';

/** The part of a change that has the answers of its clusters. */
type AnsweredAddOn = Pick<AddOnPlan, 'kind' | 'addOn' | 'groups'>;

/** Returns what the clusters refuse of a change, and what they delete with its content: each once, for all its clusters. */
export function answerFindings(addOns: readonly AnsweredAddOn[]): readonly Diagnostic[] {
  const findings = new Map<
    string,
    { answer: ClusterAnswer; group: ChangeGroup; of: AnsweredAddOn; clusters: number }
  >();
  for (const of of addOns) {
    for (const group of of.groups) {
      for (const answer of group.answers ?? []) {
        const key = `${of.kind} ${of.addOn} ${answer.words}`;
        const known = findings.get(key);
        if (known === undefined) findings.set(key, { answer, group, of, clusters: answer.clusters });
        else known.clusters += answer.clusters;
      }
    }
  }
  return Array.from(findings.values(), ({ answer, group, of, clusters }) => {
    const { object, words, hint } = answer;
    const location =
      group.values.find((value) => value.object === object)?.location ??
      answer.location ??
      group.causes.find((cause) => cause.location !== undefined)?.location;
    const what = `${of.kind ?? 'add-on'} "${of.addOn}"`;
    const code = answer.kind === 'refused' ? 'FW8320' : 'FW8321';
    const message =
      answer.kind === 'refused'
        ? `${clusterCount(clusters)} ${clusters === 1 ? 'refuses' : 'refuse'} the change of ${what} (${words})`
        : `the change of ${what} takes more along on ${clusterCount(clusters)}: ${words}`;
    return diagnostic(code, { message, ...(location !== undefined && { location }), hint });
  });
}

/** Returns the number of objects that are deleted with their content, counted per cluster. */
export function deletionsOf(addOns: readonly Pick<AddOnPlan, 'groups'>[]): number {
  const answers = addOns.flatMap(({ groups }) => groups.flatMap((group) => group.answers ?? []));
  return answers.reduce((sum, { kind, clusters }) => (kind === 'deleted' ? sum + clusters : sum), 0);
}
