import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { measureFlood } from './flooded-hub.ts';

// The built command. What it takes on two idle cores is in bench/README.md; the bounds here are for machines that are many times slower.
test('a cluster that floods the hub with requests takes the companion from no other', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'fleetwright-flood-'));
  try {
    const report = await measureFlood({
      command: path.resolve('build/cli/main.js'),
      requests: 10_000,
      spoils: 20,
      patience: 20,
      folder,
      options: ['--lease-duration=60s', '--renew-deadline=40s'],
    });
    expect(report.approvals).not.toContain(undefined);
    expect(report.lostLeases).toBe(0);
    expect(report.longestStop).toBeLessThan(5);
    // The container of the construct has 512 MiB.
    expect(report.memory).toBeLessThan(400 * 2 ** 20);
    expect(report.lines.length).toBeLessThan(200);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
