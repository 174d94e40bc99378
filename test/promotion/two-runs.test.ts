import { execFileSync, spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { appText } from './app.ts';
import { PromotedRepository } from './promoted-repository.ts';

/** Each round starts two or three processes at the same time. Run 100 of them after a change of the lock or of what writes. */
const rounds = Number(process.env['ROUNDS'] ?? 3);

let repository: PromotedRepository;
afterEach(() => {
  vi.unstubAllEnvs();
  repository.repository.remove();
});

interface Ended {
  readonly code: number | null;
  readonly text: string;
}

/** Runs the built command in the repository, after some milliseconds. */
async function built(words: readonly string[], delay = 0): Promise<Ended> {
  await new Promise((resolve) => setTimeout(resolve, delay));
  const command = path.resolve('build/cli/main.js');
  return await new Promise((resolve) => {
    const child = spawn(process.execPath, [command, ...words], {
      cwd: repository.repository.root,
      env: { ...process.env, GIT_AUTHOR_DATE: '', GIT_COMMITTER_DATE: '' },
    });
    let text = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (part: string) => (text += part));
    child.on('close', (code) => resolve({ code, text }));
  });
}

function git(...words: readonly string[]): string {
  return execFileSync('git', words, { cwd: repository.repository.root, encoding: 'utf8' });
}

async function newRepository(): Promise<void> {
  repository = new PromotedRepository();
  repository.now = Date.now() - 18_000_000;
  for (const role of ['AUTHOR', 'COMMITTER']) {
    vi.stubEnv(`GIT_${role}_NAME`, 'A');
    vi.stubEnv(`GIT_${role}_EMAIL`, 'a@example.com');
  }
  await repository.begin(['a', 'b', 'c', 'd']);
  repository.sync();
  await repository.promote('--commit');
  repository.commit('version 2', { 'apps/hello/app.yaml': appText('2') });
  await repository.synthesized('synth of version 2');
  repository.sync();
}

const outputs = (): readonly string[] => readdirSync(path.join(repository.repository.root, 'dist')).sort();

test(`of several promotions at once, one releases the wave and the others see it, ${rounds} times`, async () => {
  for (let round = 0; round < rounds; round += 1) {
    await newRepository();
    const before = repository.repository.head();
    const promote = [
      'promote',
      '--commit',
      '--kubeconfig',
      path.join(repository.repository.temporary, 'kubeconfig'),
    ];
    // In turn two promotions, three, and two beside a synth.
    const runs = Array.from(
      { length: round % 3 === 1 ? 3 : 2 },
      async (_, index) => await built(promote, index * Math.random() * 250),
    );
    const synth = round % 3 === 2 ? built(['synth'], Math.random() * 1500) : undefined;
    // A reader among them never sees a half-written output.
    const reader = built(['synth', '--check'], Math.random() * 1500);
    const ended = await Promise.all(runs);
    expect((await synth)?.code ?? 0).toBe(0);
    expect(ended.map(({ text }) => text).filter((text) => text.includes('wave 1 of 2 of '))).toHaveLength(1);
    for (const { text } of ended) expect(text).toMatch(/wave 1 of 2/);
    expect(await reader).toMatchObject({ code: 0 });
    // One commit of one wave: the health gate holds the next one.
    expect(git('rev-list', '--count', `${before}..HEAD`).trim()).toBe('1');
    expect(repository.versions()).toBe('a2 b2 c1 d1');
    expect(git('status', '--porcelain')).toBe('');
    expect(outputs()).toEqual(['.fleetwright.json', 'hello', 'kustomization.yaml']);
    expect((await built(['synth', '--check'])).code).toBe(0);
    if (round < rounds - 1) repository.repository.remove();
  }
}, 3_600_000);

test(`several runs of synth at once write the whole output, ${rounds} times`, async () => {
  repository = new PromotedRepository();
  const objects = (version: number): string =>
    Array.from(
      { length: 1000 },
      (_, index) =>
        `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: c${index}, namespace: default }\ndata: { v: "${version}" }\n`,
    ).join('---\n');
  for (let round = 0; round < rounds; round += 1) {
    repository.repository.write({ 'apps/a/objects.yaml': objects(round) });
    const runs = Array.from(
      { length: 2 + (round % 2) },
      async () => await built(['synth'], Math.random() * 600),
    );
    for (const { code, text } of await Promise.all(runs)) expect({ code, text }).toMatchObject({ code: 0 });
    expect(outputs()).toEqual(['.fleetwright.json', 'a', 'kustomization.yaml']);
    expect(await built(['synth', '--check'])).toMatchObject({ code: 0 });
  }
}, 3_600_000);
