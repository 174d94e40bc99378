import { describe, expect, test } from 'vitest';
import { planGithub } from '../../../src/compiler/report/ci/plan-github.ts';
import { planJunit } from '../../../src/compiler/report/ci/plan-junit.ts';
import { planSarif } from '../../../src/compiler/report/ci/plan-sarif.ts';
import { emptyReport, eventfulReport } from './eventful.ts';
import { sarifFaults } from './report-formats.ts';

interface Sarif {
  readonly runs: readonly {
    readonly tool: { readonly driver: { readonly rules: readonly { readonly id: string }[] } };
    readonly results: readonly {
      readonly ruleId: string;
      readonly ruleIndex: number;
      readonly message: { readonly text: string };
      readonly partialFingerprints: Readonly<Record<string, string>>;
    }[];
  }[];
}

describe('GitHub annotations', () => {
  test('are at the lines of their causes, errors first', async () => {
    await expect(planGithub(eventfulReport())).toMatchFileSnapshot('golden/eventful.github.txt');
  });

  test('are the summary alone if nothing happens', () => {
    expect(planGithub(emptyReport())).toBe(
      '::notice title=Fleetwright plan::nothing changes on 6 clusters\n',
    );
  });

  test('keep messages and properties apart whatever is in them', () => {
    const report = eventfulReport();
    const location = { file: 'a,b:c%.yaml', line: 1, column: 1 };
    const findings = [{ code: 'FW8002', severity: 'error', message: '100%\nof all', location } as const];
    expect(planGithub({ ...report, findings }).split('\n')[0]).toBe(
      '::error file=a%2Cb%3Ac%25.yaml,line=1,col=1,title=Placement replaced in one step (FW8002)::100%25%0Aof all',
    );
  });
});

describe('SARIF', () => {
  test('has one result for each finding, uninstall and permission', async () => {
    await expect(planSarif(eventfulReport())).toMatchFileSnapshot('golden/eventful.sarif.json');
  });

  test('shows a hundred results of a rule and counts the others', () => {
    const report = eventfulReport();
    const findings = Array.from({ length: 250 }, (_, index) => ({
      code: 'FW8002' as const,
      severity: 'error' as const,
      message: `finding ${index}`,
      path: `spec.x[${index}]`,
    }));
    const sarif = JSON.parse(planSarif({ ...report, findings })) as Sarif;
    const { results = [], tool } = sarif.runs[0] ?? {};
    const shown = results.filter(({ ruleId }) => ruleId === 'FW8002');
    expect(shown).toHaveLength(101);
    expect(shown.at(-1)?.message.text).toBe('and 150 more results of Placement replaced in one step');
    expect(new Set(shown.map(({ partialFingerprints }) => partialFingerprints['fleetwright/v1'])).size).toBe(
      101,
    );
    for (const { ruleId, ruleIndex } of results) expect(tool?.driver.rules[ruleIndex]?.id).toBe(ruleId);
  });

  test('follows the schema, with a place for every result', () => {
    const report = eventfulReport();
    const findings = [
      { code: 'FW8005', severity: 'error', message: 'without a place' },
      {
        code: 'FW8002',
        severity: 'warning',
        message: 'a',
        location: { file: 'a b/ü#1.yaml', line: 1, column: 1 },
      },
      { code: 'FW8002', severity: 'info', message: 'b', location: { construct: 'app/x' } },
    ] as const;
    const text = planSarif({ ...report, findings });
    expect(sarifFaults(text)).toEqual([]);
    expect(sarifFaults(planSarif(emptyReport()))).toEqual([]);
    expect(text).toContain('"uri": "a%20b/%C3%BC%231.yaml"');
    expect(text.match(/"uri": "fleetwright\.yaml"/g)?.length).toBeGreaterThan(1);
  });
});

describe('JUnit', () => {
  test('fails a test case for each error, and has one for each add-on', async () => {
    await expect(planJunit(eventfulReport())).toMatchFileSnapshot('golden/eventful.junit.xml');
  });

  test('escapes special characters of XML, and drops what XML cannot contain', () => {
    const report = eventfulReport();
    const findings = [{ code: 'FW8002', severity: 'error', message: '<a & "b"> \u0001' } as const];
    expect(planJunit({ ...report, findings })).toContain('message="&lt;a &amp; &quot;b&quot;&gt; \ufffd"');
  });
});
