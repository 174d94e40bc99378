import type { PlanReport } from '../../../src/compiler/report/plan-report.ts';
import { eventfulReport } from './eventful.ts';
import { promotionInProgress } from './promoted.ts';

/** What would act somewhere: in a terminal, the log of a CI job, Markdown, SARIF, HTML or XML. */
export const hostileTexts: Readonly<Record<string, string>> = {
  'escape sequence': '\u001b[2J\u001b]8;;https://evil.example\u0007click\u001b]8;;\u0007',
  'C1 control': '\u009b31m\u0085',
  'line break': 'x\r\n::error file=a::forged\n##[error]forged\n/close\n# heading\n- item',
  'workflow command': '::set-output name=a::b',
  'older command': '##[set-env name=a]b##vso[task.setvariable]c',
  'writing direction': '\u202egnp.\u2066a\u2069\u200f',
  'invisible tags': '\u{e0041}\u{e0042}',
  'characters without width': 'a\u200bb\u200cc\u200dd\u2060e\ufefff\u00adg\u180eh\u3164i\ufff9j',
  'percent encoding': '%0A::error::forged%0D%0A##[error]forged%25%2C%3A',
  'Markdown link':
    '[click](https://evil.example "t") ![image](https://evil.example/i.png) [click](javascript:alert(1))',
  'links that run':
    '[a](data:text/html,<script>1</script>) <javascript:alert(1)> [b](vbscript:1) data:text/html,x',
  'template literal':
    '${globalThis.acted = true}`${globalThis.acted = true}`{{constructor.constructor("1")()}}',
  'Markdown reference': '[a]: https://evil.example\n[a] <https://evil.example>',
  address:
    'https://evil.example http://evil.example www.evil.example ftp://evil.example a@evil.example mailto:a@b.c',
  mention: '@octocat @org/team',
  'issue reference':
    '#1 GH-1 octocat/hello#1 !1 group/project!2 &3 $4 %5 %"x" ~"label" octocat/hello@0123456',
  'quick action': '/merge',
  HTML: '</script><script>globalThis.acted = true</script><img src=x onerror="globalThis.acted = true">',
  'HTML in quotes': `"><svg onload='globalThis.acted = true'>`,
  XML: ']]><!ENTITY a SYSTEM "file:///etc/passwd">&a;<failure message="x"/>',
  backticks: '` `` ``` ````\n```\n',
  table: '| a | b |',
  'table in code': '`| a \\| b`|`c\n|---|---|\n',
  empty: '',
  'details element': '</details></summary><!-- fleetwright-plan -->',
};

/** Fields whose texts are Fleetwright's own and of which a program expects certain ones. */
const closed = new Set([
  'effect',
  'change',
  'severity',
  'code',
  'side',
  'hash',
  'kind',
  'takenAt',
  'permission',
  'result',
]);

/** A report in which every other text ends in this one. */
export function hostileReport(hostile: string): PlanReport {
  return spoiled({
    ...eventfulReport(),
    snapshots: [{ file: 'fleet.yaml', takenAt: '2026-01-01T00:00:00Z' }],
    promotions: [promotionInProgress()],
  }) as PlanReport;

  function spoiled(value: unknown, key = ''): unknown {
    if (typeof value === 'string') return closed.has(key) ? value : value + hostile;
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map((item) => spoiled(item, key));
    return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, spoiled(field, name)]));
  }
}
