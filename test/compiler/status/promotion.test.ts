import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { folderWith, runIn } from '../../cli/terminal.ts';
import { app } from '../plan/states.ts';
import { promotionText } from '../../promotion/app.ts';
import { fleet, hubAtRest, served } from './served-hub.ts';

test('clusters that a promotion holds back are on the way', async () => {
  const server = await served(hubAtRest().objects);
  const cwd = await folderWith({
    kubeconfig: server.kubeconfig,
    'apps/hello/hub.yaml': app,
    'apps/hello/fleet.yaml': fleet,
  });
  expect(await runIn(cwd, ['synth'])).toMatchObject({ code: 0 });
  const config = app.replaceAll('name: base', 'name: base-2');
  await writeFile(path.join(cwd, 'apps/hello/hub.yaml'), config);
  const status = async () => await runIn(cwd, ['status', '--kubeconfig', 'kubeconfig']);
  expect((await status()).out).toContain('different: Git is not applied yet (git-not-applied)');
  const file = path.join(cwd, 'promotions/hello.yaml');
  await mkdir(path.dirname(file));
  await writeFile(file, promotionText());
  expect(await status()).toEqual({
    code: 1,
    err: '',
    out: `ADD-ON  AS PREDICTED  ON THE WAY  DIFFERENT  UNHEALTHY
hello              3           2          0          0

hello
  on the way: a promotion has not released the content (promotion-waits)
    2 clusters: c4, c5
    waits for a release of the promotion of hello that has not begun

not as predicted: 1 add-on on 2 clusters
`,
  });
  await writeFile(file, promotionText('{ paused: true }'));
  expect((await status()).out).toContain(`
  different: a promotion waits for a person (promotion-stopped)
    2 clusters: c4, c5
    waits for a release of the promotion of hello that has not begun, and it is paused: run promote hello --resume
`);
  await writeFile(file, promotionText('{ pause: true }'));
  const { code, err } = await status();
  expect(err).toContain('error FW8040: unknown field "pause"');
  expect(code).toBe(2);
});

test('the add-on that someone deleted from the hub does not wait for a promotion', async () => {
  const hub = hubAtRest();
  const server = await served(hub.objects);
  const cwd = await folderWith({
    kubeconfig: server.kubeconfig,
    'apps/hello/hub.yaml': app,
    'apps/hello/fleet.yaml': fleet,
    'promotions/hello.yaml': promotionText(),
  });
  expect(await runIn(cwd, ['synth'])).toMatchObject({ code: 0 });
  await writeFile(path.join(cwd, 'apps/hello/hub.yaml'), app.replaceAll('name: base', 'name: base-2'));
  hub.remove('ClusterManagementAddOn', 'hello');
  for (const cluster of ['c1', 'c2', 'c3', 'c4', 'c5']) hub.remove('ManagedClusterAddOn', 'hello', cluster);
  const later = await served(hub.objects);
  await writeFile(path.join(cwd, 'kubeconfig'), later.kubeconfig);
  const { out } = await runIn(cwd, ['status', '--kubeconfig', 'kubeconfig']);
  expect(out).toContain('different: Git is not applied yet (git-not-applied)\n');
  expect(out).toContain('the hub does not have Git\'s "ClusterManagementAddOn hello"');
  expect(out).not.toContain('on the way');
});
