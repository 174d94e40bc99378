import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fleetMatchers, loadFleet } from '../../src/testing/index.ts';

expect.extend(fleetMatchers);

const root = fileURLToPath(new URL('../../', import.meta.url));

let guide = '';
let folder = '';

beforeAll(async () => {
  guide = await readFile(`${root}docs/testing.md`, 'utf8');
  // Where what is imported is found as in a user's repository; not in build/, which other tests pack meanwhile.
  await mkdir(`${root}scratch`, { recursive: true });
  folder = await mkdtemp(`${root}scratch/testing-guide-`);
  const [, code = ''] = /^```ts\n(.*?)^```$/ms.exec(guide) ?? [];
  await writeFile(`${folder}/fleet.test.ts`, code);
  const paths = { 'fleetwright/testing': ['../../src/testing/index.ts'] };
  const tsconfig = {
    extends: '../../tsconfig.json',
    compilerOptions: { paths },
    include: ['*.ts'],
    exclude: [],
  };
  await writeFile(`${folder}/tsconfig.json`, JSON.stringify(tsconfig));
  const alias = { 'fleetwright/testing': `${root}src/testing/index.ts` };
  await writeFile(
    `${folder}/vitest.config.ts`,
    `export default ${JSON.stringify({ resolve: { alias }, test: { include: [`${folder}/*.test.ts`] } })};\n`,
  );
});

afterAll(() => rm(folder, { recursive: true }));

async function node(...parameters: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, parameters, { cwd: root }).catch(
    (error: { readonly stdout: string }) => error,
  );
  return stdout;
}

describe('the example of docs/testing.md', () => {
  test('compiles', async () => {
    expect(await node(`${root}node_modules/typescript/bin/tsc`, '-p', folder)).toBe('');
  });

  test('passes, in a separate vitest', async () => {
    const out = await node(
      `${root}node_modules/vitest/vitest.mjs`,
      'run',
      '--config',
      `${folder}/vitest.config.ts`,
      '--reporter=json',
    );
    expect(JSON.parse(out)).toMatchObject({ success: true, numPassedTests: 5, numTotalTests: 5 });
  }, 120_000);

  test('fails with the message that is shown', async () => {
    const fleet = await loadFleet('apps/helloworld-template', { cwd: root });
    const [, shown = ''] = /^```text\n(.*?)\n```$/ms.exec(guide) ?? [];
    const hello = fleet.cluster('cluster1').addon('helloworld-template');
    expect(() => expect(hello).toHaveMirror()).toThrow(shown);
    expect(shown).toMatch(/^expected /);
  });
});
