import { counted } from '../../model/words.ts';
import { groupBy } from '../../../base/collections/groups.ts';
import { createHash } from 'node:crypto';
import type { Severity } from '../../model/codes.ts';
import type { PlanReport } from '../plan-report.ts';
import { fileOf, planResults, ruleTitle, type PlanResult } from '../plan-results.ts';
import { jsonText } from '../json/json-text.ts';

const levels: Readonly<Record<Severity, string>> = { error: 'error', warning: 'warning', info: 'note' };

/** The maximum number of results per rule that are listed. GitHub shows 5,000 results of a run. */
const shownOfRule = 100;

/** The file for results without a location. GitHub rejects files that contain a result without a location. */
const policyFile = 'fleetwright.yaml';

/** Formats a plan as SARIF 2.1.0. If a rule has more than one hundred results, one additional result counts the others. */
export function planSarif(report: PlanReport): string {
  const byRule = groupBy(planResults(report), ({ rule }) => rule);
  const ids = [...byRule.keys()].sort();
  const rules = ids.map((id) => {
    const page = report.pages?.get(id);
    return {
      id,
      shortDescription: { text: ruleTitle(id) },
      ...(page && { helpUri: page.url, help: { text: page.text, markdown: page.text } }),
    };
  });
  const results = [...byRule].flatMap(([rule, ruleFindings]) => {
    const shown = ruleFindings.slice(0, shownOfRule).map((result) => sarifResult(result, ids.indexOf(rule)));
    const [first] = ruleFindings;
    if (ruleFindings.length <= shownOfRule || first === undefined) return shown;
    const message = `and ${counted(ruleFindings.length - shownOfRule, 'more result')} of ${ruleTitle(rule)}`;
    return [
      ...shown,
      sarifResult({ rule, severity: first.severity, message, identity: `${rule} more` }, ids.indexOf(rule)),
    ];
  });
  const document = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'Fleetwright', rules } },
        automationDetails: { id: 'fleetwright/plan/' },
        columnKind: 'utf16CodeUnits',
        results,
      },
    ],
  };
  return jsonText(document);
}

function sarifResult(
  { rule, severity, message, location, hint, identity }: PlanResult,
  ruleIndex: number,
): object {
  const place = fileOf(location) ?? { file: policyFile, line: 1, column: 1 };
  return {
    ruleId: rule,
    ruleIndex,
    level: levels[severity],
    message: { text: escape(hint === undefined ? message : `${message}\n${hint}`) },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: uriOf(place.file), uriBaseId: '%SRCROOT%' },
          region: { startLine: place.line, startColumn: place.column },
        },
      },
    ],
    partialFingerprints: { 'fleetwright/v1': createHash('sha256').update(identity).digest('hex') },
  };
}

/** Escapes plain text, because SARIF interprets brackets as links. */
function escape(text: string): string {
  return text.replaceAll(/[\\[\]]/g, '\\$&');
}

/** Returns a path as a relative reference. */
function uriOf(file: string): string {
  return file.split(/[\\/]/).map(encodeURIComponent).join('/');
}
