import { counted } from '../../model/words.ts';
import { escapeXml } from './escape-xml.ts';
import type { AddOnPlan } from '../../compare/add-on-plan.ts';
import type { Plan } from '../../plan/plan.ts';
import type { PlanReport } from '../plan-report.ts';
import { reportedObjects } from '../plan-results.ts';
import {
  effectCounts,
  groupNotes,
  hubSuffix,
  locationText,
  strategyWords,
  summaryWords,
  valueWords,
} from '../plan-words.ts';

/**
 * Formats a plan as JUnit XML, for CI systems that support no other format: one test case per changed add-on and object, with its
 * changes, and one failed test case per error.
 */
export function planJunit({ plan, findings }: PlanReport): string {
  const errors = findings.filter(({ severity }) => severity === 'error');
  const failed = errors.map(({ code, message, location, hint }) => {
    const place = locationText(location);
    const text = [
      message,
      ...(place === undefined ? [] : [place]),
      ...(hint === undefined ? [] : [hint]),
    ].join('\n');
    return `    <testcase classname="fleetwright.plan" name="${escapeXml(`${code}: ${message}`)}">
      <failure type="${code}" message="${escapeXml(message)}">${escapeXml(text)}</failure>
    </testcase>`;
  });
  const passed = [...plan.addOns.map(addOnCase), ...objectCases(plan)];
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

function addOnCase({ app, hub, kind, addOn, effects, groups, strategies }: AddOnPlan): string {
  const bare = kind === undefined ? addOn : `${kind} ${addOn}`;
  const name = `${app === '' || app === bare ? bare : `${app}: ${bare}`}${hubSuffix(hub)}`;
  const what = [
    effectCounts(effects) || 'no cluster changes',
    ...groups.flatMap((group) => groupNotes(group, shownClusters).map((words) => `${group.effect} ${words}`)),
    ...strategies.map(strategyWords),
  ];
  return testCase(name, what.join('\n'));
}

/** The maximum number of clusters that are named. */
const shownClusters = 10;

function testCase(name: string, output: string): string {
  return `    <testcase classname="fleetwright.plan" name="${escapeXml(name)}">
      <system-out>${escapeXml(output)}</system-out>
    </testcase>`;
}

/** The maximum number of objects with a test case, and of named fields per object. */
const shownObjects = 100;
const shownFields = 10;

function objectCases(plan: Plan): string[] {
  const objects = reportedObjects(plan);
  const cases = objects.slice(0, shownObjects).map(({ app, hub, object, change, fields, moreFields }) => {
    const name = `${app === '' ? object : `${app}: ${object}`}${hubSuffix(hub)}`;
    const more = moreFields + Math.max(0, fields.length - shownFields);
    const lines = [
      ...fields.slice(0, shownFields).map(valueWords),
      ...(more === 0 ? [] : [`and ${counted(more, 'more field')}`]),
    ];
    return testCase(`${name} ${change}`, lines.join('\n') || change);
  });
  const more = objects.length - cases.length;
  return more === 0 ? cases : [...cases, testCase('other objects', `and ${counted(more, 'more object')}`)];
}

function summaryCase(summary: string): string {
  return testCase('summary', summary);
}
