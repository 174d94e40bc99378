import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { isLockCurrent } from '../../../src/engines/charts/index.ts';

const metadata = `apiVersion: v2
name: parent
version: 1.0.0
dependencies:
- name: agent
  version: ^1.0 <3
  repository: https://charts.example.com/a&b
  condition: agent.enabled
  tags: [a, "é"]
  alias: other
  import-values: [{ child: z, parent: y }, data, 1.5]
- name: sub
  repository: ""
  version: ""
  enabled: true
`;
const locked = [
  { name: 'agent', version: '1.4.0', repository: 'https://charts.example.com/a&b' },
  { name: 'sub', version: '', repository: '' },
];
/** What Helm 3.19.4 computes for these. */
const digest = 'sha256:0d99e4946a3ef225590adf84350324998858a2a0159225083b236fd61103d42d';
const filesWith = (text: string): ReadonlyMap<string, Uint8Array> =>
  new Map([['Chart.yaml', Buffer.from(text)]]);

test('has the digest of Helm for every field of a dependency', () => {
  expect(isLockCurrent(filesWith(metadata), locked, digest)).toBe(true);
});

test.each([
  ['another constraint', metadata.replace('^1.0', '^1.1'), locked],
  ['another alias', metadata.replace('alias: other', 'alias: another'), locked],
  [
    'another locked version',
    metadata,
    [{ ...locked[0], version: '1.5.0' } as (typeof locked)[0], ...locked.slice(1)],
  ],
])('is not current with %s', (_, text, of) => {
  expect(isLockCurrent(filesWith(text), of, digest)).toBe(false);
});

test('accepts the digest of Helm 2 for a chart of apiVersion v1 only', () => {
  const dependencies = '[{"name":"agent","version":"1.x","repository":"https://charts.example.com"}]';
  const ofHelm2 = `sha256:${createHash('sha256').update(`{"dependencies":${dependencies}}`).digest('hex')}`;
  const required = `dependencies: ${dependencies}\n`;
  const files = new Map([
    ['Chart.yaml', Buffer.from('apiVersion: v1\nname: parent\nversion: 1.0.0\n')],
    ['requirements.yaml', Buffer.from(required)],
  ]);
  expect(isLockCurrent(files, locked, ofHelm2)).toBe(true);
  expect(
    isLockCurrent(filesWith(`apiVersion: v2\nname: parent\nversion: 1.0.0\n${required}`), locked, ofHelm2),
  ).toBe(false);
});
