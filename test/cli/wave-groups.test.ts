import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { exampleGroups, waveGroups } from '../../src/cli/commands/new/wave-groups.ts';
import { fleetOf } from '../resolve-text.ts';
import { folderWith, runIn } from './terminal.ts';

const values = (label: string, ...names: readonly string[]): readonly Readonly<Record<string, string>>[] =>
  names.map((name) => ({ [label]: name }));

describe('the groups that an example updates first', () => {
  test('are the environments of the fleet without the last one', () => {
    expect(waveGroups([values('env', 'prod', 'prod', 'qa')])).toEqual([
      { name: 'qa', label: 'env', value: 'qa' },
    ]);
    expect(waveGroups([values('stage', 'live', 'dev', 'int')]).map(({ value }) => value)).toEqual([
      'dev',
      'int',
    ]);
    expect(waveGroups([values('env', 'prod', 'staging', 'dev')])).toBe(exampleGroups);
  });

  test('have clusters on every hub, and do not exist if no label names environments', () => {
    expect(
      waveGroups([values('env', 'dev', 'test', 'prod'), values('env', 'test', 'prod')]).map(
        ({ value }) => value,
      ),
    ).toEqual(['test']);
    expect(waveGroups([values('vendor', 'OpenShift', 'AKS'), []])).toEqual([]);
    expect(waveGroups([values('env', 'prod')])).toEqual([]);
    expect(waveGroups([values('env', 'Not a name', 'prod')])).toEqual([]);
  });
});

describe.each([
  ['environments', { c1: { environment: 'qa' }, c2: { environment: 'prod' } }, /environment: '?qa/],
  ['no environments', { c1: { vendor: 'AKS' }, c2: { vendor: 'EKS' } }, /^((?!mandatory)[\s\S])*$/],
])('new in a workspace whose fleet has %s', (_, clusters, expected) => {
  test.each(['--yaml', '--typescript'])('writes groups that have clusters: %s', async (form) => {
    const cwd = await folderWith({ 'fleetwright.yaml': 'engine: none\n', 'fleet.yaml': fleetOf(clusters) });
    expect(await runIn(cwd, ['new', 'logging', form])).toMatchObject({ code: 0, err: '' });
    const file = path.join(cwd, 'apps/logging', form === '--yaml' ? 'app.yaml' : 'app.ts');
    const text = await readFile(file, 'utf8');
    expect(text).toMatch(expected);
    expect(text).not.toMatch(/staging/);
    expect(text.includes('changes production last')).toBe(text.includes('andatory'));
    if (form !== '--yaml') return;
    const { code, err } = await runIn(cwd, ['synth']);
    expect(code).toBe(0);
    expect(err).not.toMatch(/FW7007|FW7010|FW72\d\d|FW4\d\d\d/);
  });
});
