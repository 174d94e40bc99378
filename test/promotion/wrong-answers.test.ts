import path from 'node:path';
import { writeFileSync } from 'node:fs';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { serve } from '../cli/api-server.ts';
import { missing, withWrong, wrongAnswers, type WrongAnswer } from '../workspace/hub/answers.ts';
import { innards } from '../workspace/hub/innards.ts';
import type { KubernetesObject } from '../../src/base/objects/object-meta.ts';
import { appText } from './app.ts';
import { PromotedRepository } from './promoted-repository.ts';

// `promote` reads a hub whose answers are missing or wrong, while a wave must wait: no such answer opens a gate.

/** One of this number of answers is tried. ANSWERS=1 tries all of them. */
const stride = Number(process.env['ANSWERS'] ?? 41);

let promoted: PromotedRepository;
afterEach(() => {
  promoted.repository.remove();
  vi.unstubAllEnvs();
});

/** Hubs on which the first wave is not done, and what the second answers instead of the first cluster. */
const states = {
  'a cluster has the earlier content': () => promoted.pass(15),
  'a cluster fails': () => {
    promoted.hub.setAgent('a', 'failing');
    promoted.hub.setAgent('b', 'failing');
    promoted.sync();
    promoted.pass(15);
  },
  'the clusters soak': () => {
    promoted.sync();
    promoted.pass(5);
  },
} as const;

describe.each(Object.entries(states))('while %s', (_, wait) => {
  test('a hub whose answers are missing or wrong opens no gate, and no failure of the command is shown', async () => {
    vi.stubEnv('GIT_AUTHOR_NAME', 'A');
    vi.stubEnv('GIT_AUTHOR_EMAIL', 'a@example.com');
    vi.stubEnv('GIT_COMMITTER_NAME', 'A');
    vi.stubEnv('GIT_COMMITTER_EMAIL', 'a@example.com');
    promoted = new PromotedRepository();
    await promoted.begin(['a', 'b', 'c']);
    await promoted.promote('--commit');
    promoted.sync();
    promoted.commit('version 2', { 'apps/hello/app.yaml': appText('2') });
    await promoted.synthesized('synth of version 2');
    await promoted.promote('--commit');
    promoted.pass(1);
    wait();
    let answer: WrongAnswer | undefined;
    const server = await serve((url) => {
      const right = promoted.hub.answer(url);
      const { items } = right.body as { readonly items?: readonly KubernetesObject[] };
      if (items === undefined || answer === undefined || !items.some(({ kind }) => kind === answer?.kind))
        return right;
      return { ...right, body: { ...(right.body as object), items: withWrong(items, answer) } };
    });
    writeFileSync(path.join(promoted.repository.temporary, 'kubeconfig'), server.kubeconfig);
    const objects = ['managedclusteraddons', 'manifestworks'].flatMap((plural) => {
      const { body } = promoted.hub.answer(new URL(`http://hub/apis/example/${plural}`));
      return (body as { readonly items: readonly KubernetesObject[] }).items;
    });
    const answers = wrongAnswers(objects);
    expect(answers.length).toBeGreaterThan(500);
    const failures = new Map<string, string>();
    const run = async (): Promise<string> => {
      const { code, out, err } = await promoted.promote().catch((error: unknown) => ({
        code: 5,
        out: '',
        err: error instanceof Error ? String(error.stack) : String(error),
      }));
      if (innards.test(`${out}\n${err}`)) return `${err}${out}`;
      // Waits, stops, or cannot read the hub.
      if (![1, 2, 4].includes(code)) return `code ${code}: ${out}${err}`;
      return code === 2 && !/FW\d{4}/.test(err) ? `no finding: ${err}` : '';
    };
    expect(await run()).toBe('');
    for (let index = 0; index < answers.length; index += stride) {
      answer = answers[index];
      if (answer === undefined) break;
      const failure = await run();
      const { kind, field, value } = answer;
      if (failure === '') continue;
      failures.set(
        `${kind} ${field.join('.')} = ${value === missing ? 'missing' : JSON.stringify(value)}`,
        failure,
      );
      promoted.repository.reset('HEAD');
    }
    expect(failures).toEqual(new Map());
  }, 3_600_000);
});
