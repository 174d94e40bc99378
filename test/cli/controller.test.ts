import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runIn } from './terminal.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'fleetwright-controller-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const configured = async (text: string, ...options: string[]) => {
  writeFileSync(path.join(folder, 'companion.yaml'), text);
  return await runIn(folder, ['controller', 'hub', '--config', 'companion.yaml', ...options]);
};

test('invalid settings are reported with their location, and nothing is started', async () => {
  const { code, err } = await configured(
    'logLevel: debug\nleaseDuration: 2 minutes\nlogLevl: info\n',
    '--workers',
    '0',
  );
  expect(code).toBe(2);
  expect(err).toContain(`error FW9201: leaseDuration must be a duration from 3s to 10m, such as 15s
 --> companion.yaml:2:16
`);
  expect(err).toContain(`error FW9201: logLevl is unknown
 --> companion.yaml:3:10
`);
  expect(err).toContain('error FW9201: --workers must be a whole number from 1 to 256\n');
});

test('times with which two replicas could lead at the same time are rejected', async () => {
  const { code, err } = await configured('leaseDuration: 10s\nretryPeriod: 8s\n', '--renew-deadline', '12s');
  expect(code).toBe(2);
  expect(err).toContain('error FW9201: --renew-deadline must be less than leaseDuration, which is 10s\n');
  expect(err).toContain(
    'error FW9201: retryPeriod must be at most half of renewDeadline, which is 12s\n --> companion.yaml:2:14\n',
  );
});

test('a flag that overrides the file is named in the error', async () => {
  const { code, err } = await configured('renewDeadline: 5s\n', '--renew-deadline', '20s');
  expect(code).toBe(2);
  expect(err).toContain('error FW9201: --renew-deadline must be less than leaseDuration, which is 15s\n');
  expect(err).not.toContain('companion.yaml');
});

test('a file that is not YAML is rejected', async () => {
  expect(await configured('a: [')).toMatchObject({ code: 2, out: '' });
  expect(await configured('- a')).toEqual({
    code: 2,
    out: '',
    err: 'fleetwright: companion.yamlcontains no settings\n  write one setting per line, such as logLevel: debug\n',
  });
});

test('a file that is nested too deeply is rejected', async () => {
  const { code, err } = await configured(`workers: ${'['.repeat(20_000)}${']'.repeat(20_000)}\n`);
  expect(code).toBe(2);
  expect(err).toMatch(
    /^error FW1001: this is nested more than 500 levels deep\n --> companion\.yaml:1:509\n/,
  );
});

test('a file whose aliases multiply is reported', async () => {
  const levels = Array.from({ length: 20 }, (_, level) =>
    level === 0
      ? 'l0: &l0 [a, a]'
      : `l${level}: &l${level} [${Array(10)
          .fill(`*l${level - 1}`)
          .join(', ')}]`,
  );
  const { code, err } = await configured(`${levels.join('\n')}\n`);
  expect(code).toBe(2);
  expect(err).toMatch(
    /^error FW1006: the aliases of this document expand to too many values\n --> companion\.yaml:\d+:\d+\n/,
  );
});

test('a file may have many aliases', async () => {
  const names = Array.from({ length: 200 }, () => '*a').join(', ');
  const { code, err } = await configured(`workers: 0\naddOn: [&a hello, ${names}]\n`);
  expect([code, err]).toEqual([2, expect.stringMatching(/^error FW9201: workers must be/)]);
});

test('a signer of Kubernetes itself is refused', async () => {
  const { code, err } = await configured('signer: ["kubernetes.io/kube-apiserver-client=ns/ca"]\n');
  expect(code).toBe(2);
  expect(err).toContain('error FW9201: signer must be a signer of add-ons: Kubernetes itself signs');
  expect(err).toContain(' --> companion.yaml:1:9\n');
});

test('a missing file is rejected', async () => {
  const { code, err } = await runIn(folder, ['controller', 'hub', '--config', 'no.yaml']);
  expect([code, err]).toEqual([2, expect.stringContaining('fleetwright: no.yaml cannot be read: ENOENT')]);
});

test('an unusable kubeconfig is rejected', async () => {
  writeFileSync(
    path.join(folder, 'kubeconfig'),
    'apiVersion: v1\nkind: Config\ncontexts: []\nclusters: []\nusers: []\n',
  );
  const { code, err } = await configured('kubeconfig: kubeconfig\n', '--context', 'hub');
  expect(code).toBe(2);
  expect(err).toContain('error FW9004: ');
  expect(err).toContain('has no context "hub"; it has none');
});

test('the controller is required', async () => {
  expect(await runIn(folder, ['controller'])).toMatchObject({ code: 2, out: '' });
});
