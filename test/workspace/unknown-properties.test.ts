import { symlink } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { folderWith, runIn } from '../cli/terminal.ts';

const root = path.resolve(import.meta.dirname, '../..');

async function findingsOf(code: string): Promise<{ code: number; err: string }> {
  const cwd = await folderWith({
    'fleetwright.yaml': '{}\n',
    'node_modules/.keep': '',
    'apps/logs/app.ts': `import { App, Chart, ClusterManagementAddOn, Duration, Placement, Rollout } from 'fleetwright';
const app = new App();
const chart = new Chart(app, 'logs', { namespace: 'ocm' });
${code}
export default app;
`,
  });
  await symlink(root, path.join(cwd, 'node_modules/fleetwright'));
  return await runIn(cwd, ['synth']);
}

test('a misspelled soak is an error at its line, with the name that was meant', async () => {
  const { code, err } = await findingsOf(`const soak: object = { minSuccesTime: Duration.minutes(5) };
Rollout.progressive(soak);`);
  expect(err).toContain(`error FW9190: Rollout.progressive takes no property minSuccesTime
 --> apps/logs/app.ts:5:9
`);
  expect(err).toContain('= hint: did you mean minSuccessTime?\n');
  expect(code).toBe(1);
});

test('a predicate in the form of a manifest is an error of the construct', async () => {
  const { code, err } = await findingsOf(`const predicate: object = { requiredClusterSelector: {} };
new Placement(chart, 'production', { predicates: [predicate] });`);
  expect(err).toContain(
    'error FW9190: Placement takes no property predicates[0].requiredClusterSelector\n --> logs/production (apps/logs/app.ts:5:1)\n',
  );
  expect(err).toContain('= hint: use labels, claims and cel, without requiredClusterSelector\n');
  expect(code).toBe(1);
});

test('a value of another type is an error', async () => {
  const { code, err } = await findingsOf(`const rollout: any = { type: 'All' };
const addOn = new ClusterManagementAddOn(chart, 'logs');
addOn.addPlacement({ placement: Placement.reference('ocm', 'all'), rollout });`);
  expect(err).toContain(
    'error FW9191: ClusterManagementAddOn.addPlacement takes a Rollout as rollout, not {"type":"All"}\n --> logs/logs (apps/logs/app.ts:6:7)\n',
  );
  expect(err).toContain(
    '= hint: use Rollout.all, Rollout.progressive, Rollout.progressivePerGroup or Rollout.promoted\n',
  );
  expect(code).toBe(1);
});
