import { expect, test } from 'vitest';
import { loadChart, renderChart } from '../../../../src/engines/charts/index.ts';
import { chartFiles } from '../chart-files.ts';

const settings = `apiVersion: v1
kind: ConfigMap
metadata: { name: settings }
data:
  result: {{ ACTION | toString | quote }}
`;

/** The result of an action in a chart, or the code and the message of its fault. */
function resultOf(action: string): unknown {
  const { chart } = loadChart(
    chartFiles({
      'Chart.yaml':
        'apiVersion: v2\nname: agent\nversion: 1.0.0\nmaintainers: [{ name: Ann }]\ndependencies: [{ name: db, version: 1.x, repository: "" }]\n',
      'charts/db/Chart.yaml': 'apiVersion: v2\nname: db\nversion: 1.0.0\n',
      'templates/settings.yaml': settings.replace('ACTION', () => action),
    }),
    { rules: 'helm' },
  );
  if (chart === undefined) throw new Error('the chart does not load');
  const { manifests, faults } = renderChart(chart, {
    values: {},
    release: { name: 'agent', namespace: 'agents' },
    capabilities: {
      kubeVersion: { version: 'v1.31.2', major: '1', minor: '31' },
      apiVersions: ['v1'],
      helmVersion: { version: 'v3.19.4', goVersion: 'go1.24' },
    },
    now: 0n,
  });
  const [fault] = faults;
  if (fault !== undefined) return `${fault.code} ${fault.message.replace(/^.*error calling /s, '')}`;
  return manifests.map(({ object }) => (object as { data?: { result?: string } }).data?.result)[0];
}

const time = (text: string): string => `(toDate "2006-01-02T15:04Z07:00" "${text}")`;

test.each([
  [`eq ${time('2026-01-31T12:00Z')} ${time('2026-01-31T12:00Z')}`, 'true'],
  [`eq ${time('2026-01-31T12:00Z')} ${time('2026-01-31T12:01Z')}`, 'false'],
  [`ne (now) ${time('2026-01-31T12:00Z')}`, 'true'],
  // The same moment in other zones.
  [`eq ${time('2026-01-31T12:00Z')} ${time('2026-01-31T14:00+02:00')}`, 'false'],
  [`$t := ${time('2026-01-31T14:00+02:00')} }}{{ eq $t $t`, 'true'],
  [`deepEqual ${time('2026-01-31T14:00+02:00')} ${time('2026-01-31T14:00+02:00')}`, 'true'],
  [`has ${time('2026-01-31T12:00Z')} (list ${time('2026-01-31T12:00Z')})`, 'true'],
  [`uniq (list ${time('2026-01-31T12:00Z')} ${time('2026-01-31T12:00Z')}) | len`, '1'],
])('compares times by their fields: %s', (action, expected) => {
  expect(resultOf(action)).toBe(expected);
});

test('two times in a zone that Go reads into a new location each time cannot be compared', () => {
  expect(resultOf(`eq ${time('2026-01-31T14:00+02:00')} ${time('2026-01-31T14:00+02:00')}`)).toBe(
    'FW6028 eq: not supported: Go compares values of type time.Time by fields that templates do not see',
  );
});

test.each([
  // They are pointers.
  ['eq (semver "1.2.3") (semver "1.2.3")', 'false'],
  ['deepEqual (semver "1.2.3") (semver "1.2.3")', 'true'],
  ['deepEqual (semver "1.2.3") (semver "v1.2.3")', 'false'],
  ['eq ((semver "1.2.3").IncMajor) ((semver "1.0.0").IncMajor)', 'true'],
  ['eq ((semver "1.2.3").IncMajor) ((semver "1.2.3").IncMinor)', 'false'],
])('compares versions by their fields: %s', (action, expected) => {
  expect(resultOf(action)).toBe(expected);
});

test.each(['eq . .', 'eq .Chart.Maintainers .Chart.Maintainers'])(
  'a comparison that Go rejects is an error of the template, and not random: %s',
  (action) => {
    expect(resultOf(action)).toMatch(/^FW6027 eq: non-comparable type …: /);
  },
);

// As the eStruct of github.com/BurntSushi/toml: all exported fields in order, those with tables last, without nil ones.
test.each([
  [
    '.Capabilities',
    'APIVersions = ["v1"]\n\n[KubeVersion]\n  Version = "v1.31.2"\n  Major = "1"\n  Minor = "31"\n\n[HelmVersion]\n  Version = "v3.19.4"\n  GitCommit = ""\n  GitTreeState = ""\n  GoVersion = "go1.24"\n',
  ],
  [
    '.Chart',
    'Name = "agent"\nHome = ""\nVersion = "1.0.0"\nDescription = ""\nIcon = ""\nAPIVersion = "v2"\nCondition = ""\nTags = ""\nAppVersion = ""\nDeprecated = false\nKubeVersion = ""\nType = ""\nIsRoot = true\n\n[[Maintainers]]\n  Name = "Ann"\n  Email = ""\n  URL = ""\n\n[[Dependencies]]\n  Name = "db"\n  Version = "1.x"\n  Repository = ""\n  Condition = ""\n  Enabled = true\n  Alias = ""\n',
  ],
  ['dict "chart" (index .Chart.Maintainers 0)', '[chart]\n  Name = "Ann"\n  Email = ""\n  URL = ""\n'],
  ['dict "version" (semver "1.2.3")', 'version = "1.2.3"\n'],
])('toToml writes the fields of %s', (value, expected) => {
  expect(resultOf(`toToml (${value})`)).toBe(expected);
});

test.each([
  ['toYaml .Capabilities.KubeVersion', 'Major: "1"\nMinor: "31"\nVersion: v1.31.2'],
  ['toJson .Chart.Maintainers', '[{"name":"Ann"}]'],
])('the whole context can be written: %s', (action, expected) => {
  expect(resultOf(action)).toBe(expected);
});
