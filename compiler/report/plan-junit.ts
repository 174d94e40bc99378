import type { AddOnPlan } from '../plan/add-on-plan.ts';
import type { PlanReport } from './plan-report.ts';
import { placeWords, effectCounts, summaryWords } from './plan-words.ts';

/**
 * A plan as JUnit XML: a test case for each add-on that changes, with what changes, and a failed one for each error. So that
 * CI systems show it which know nothing else.
 */
export function planJunit({ plan, findings }: PlanReport): string {
  const errors = findings.filter(({ severity }) => severity === 'error');
  const failed = errors.map(({ code, message, location, hint }) => {
    const place = placeWords(location);
    const text = [
      message,
      ...(place === undefined ? [] : [place]),
      ...(hint === undefined ? [] : [hint]),
    ].join('\n');
    return `    <testcase classname="fleetwright.plan" name="${escape(`${code}: ${message}`)}">
      <failure type="${code}" message="${escape(message)}">${escape(text)}</failure>
    </testcase>`;
  });
  const passed = plan.addOns.map(addOnCase);
  const cases = [...failed, ...passed, summaryCase(summaryWords(plan))];
  const counts = `tests="${cases.length}" failures="${errors.length}"`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="fleetwright" ${counts}>
  <testsuite name="plan" ${counts}>
${cases.join('\n')}
  </testsuite>
</testsuites>
`;
}

function addOnCase({ app, kind, addOn, effects }: AddOnPlan): string {
  const bare = kind === undefined ? addOn : `${kind} ${addOn}`;
  const name = app === '' || app === bare ? bare : `${app}: ${bare}`;
  return `    <testcase classname="fleetwright.plan" name="${escape(name)}">
      <system-out>${escape(effectCounts(effects) || 'no cluster changes')}</system-out>
    </testcase>`;
}

function summaryCase(summary: string): string {
  return `    <testcase classname="fleetwright.plan" name="summary">
      <system-out>${escape(summary)}</system-out>
    </testcase>`;
}

/** XML 1.0 cannot hold most control characters, not even escaped. */
function escape(text: string): string {
  return text
    .replaceAll(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
