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
  await writeFile(file, promotionText('{ pause: true }'));
  const { code, err } = await status();
  expect(err).toContain('error FW8040: unknown field "pause"');
  expect(code).toBe(2);
});
