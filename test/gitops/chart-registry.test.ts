import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, inject, onTestFinished, test } from 'vitest';
import { runIn } from '../cli/run-in.ts';
import { packedChart, sha256 } from '../workspace/charts/chart-server.ts';

test('import reads a chart from the registry of go-containerregistry, by its tag and by its digest', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'fleetwright-registry-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  const archive = packedChart('1.2.0');
  const file = path.join(folder, 'agent.tgz');
  writeFileSync(file, archive);
  const registry = spawn(path.join(inject('tools'), 'registry'), ['charts/agent', '1.2.0', file], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(async () => {
    registry.stdin.end();
    await once(registry, 'exit');
  });
  const [line] = (await once(registry.stdout, 'data')) as [Buffer];
  const [host = '', digest = ''] = line.toString('utf8').trim().split(' ');
  for (const [name, address] of [
    ['by-tag', `oci://${host}/charts/agent:1.2.0`],
    ['by-digest', `oci://${host}/charts/agent@${digest}`],
    ['newest', `oci://${host}/charts/agent`],
  ] as const) {
    const imported = await runIn(folder, ['import', address, '--as-template', name]);
    expect(imported).toMatchObject({ code: 0 });
    expect(JSON.parse(readFileSync(path.join(folder, `apps/${name}/chart.lock`), 'utf8'))).toMatchObject({
      name: 'agent',
      version: '1.2.0',
      manifestDigest: digest,
      digest: sha256(archive),
    });
  }
});
