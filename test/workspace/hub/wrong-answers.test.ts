import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { app } from '../../compiler/plan/states.ts';
import { refusal, serve, type ApiServer } from '../../cli/api-server.ts';
import { folderWith, runIn } from '../../cli/terminal.ts';
import { hubObjects, missing, withWrong, wrongAnswers, type WrongAnswer } from './answers.ts';
import { innards } from './innards.ts';

/** One of this number of answers is tried, another one for each command. ANSWERS=1 tries all of them, for half an hour. */
const stride = Number(process.env['ANSWERS'] ?? 197);

const objects = hubObjects();
const answers = wrongAnswers(objects);

const commands: Readonly<Record<string, readonly string[]>> = {
  'fleet pull': ['fleet', 'pull', '--out', '-'],
  status: ['status'],
  'status -o json': ['status', '-o', 'json'],
  'plan --against hub': ['plan', '--against', 'hub'],
  'explain --against hub': ['explain', 'c1', 'hello', '--against', 'hub'],
  'doctor --hub': ['doctor', '--hub'],
  'import --from-hub': ['import', '--from-hub', '--out', 'imported', '--overwrite'],
};

/** Serves the objects with one wrong answer. */
async function serveAnswer(): Promise<{ readonly server: ApiServer; answer: WrongAnswer | undefined }> {
  const served: { server: ApiServer; answer: WrongAnswer | undefined } = {
    answer: undefined,
    server: await serve(({ pathname, searchParams }) => {
      const items = served.answer === undefined ? objects : withWrong(objects, served.answer);
      const [, namespace] = /\/namespaces\/([^/]+)\//.exec(pathname) ?? [];
      const plural = path.basename(pathname);
      if (pathname === '/apis/argoproj.io')
        return { status: 200, body: { preferredVersion: { groupVersion: 'argoproj.io/v1alpha1' } } };
      if (pathname === '/apis/argoproj.io/v1alpha1')
        return {
          status: 200,
          body: { resources: [{ name: 'applications', kind: 'Application', namespaced: true }] },
        };
      if (plural === 'argocd-cm') return { status: 200, body: items.at(-1) as object };
      if (!/^\/apis?\//.test(pathname)) return refusal(404, 'NotFound', 'no');
      const isWanted = (_item: unknown, index: number): boolean => {
        const { kind, metadata } = objects[index] ?? { kind: '', metadata: {} };
        if (`${kind.toLowerCase()}s` !== plural) return false;
        const name = searchParams.get('fieldSelector')?.replace('metadata.name=', '');
        return (
          (namespace ?? metadata.namespace) === metadata.namespace &&
          (name ?? metadata.name) === metadata.name
        );
      };
      return {
        status: 200,
        body: { kind: 'List', metadata: { resourceVersion: '1' }, items: items.filter(isWanted) },
      };
    }),
  };
  return served;
}

describe.each(Object.entries(commands))('%s', (_name, command) => {
  const offset = Object.values(commands).indexOf(command);

  test('shows no failure of its own for a hub whose answers are missing or wrong', async () => {
    const served = await serveAnswer();
    const cwd = await folderWith({
      kubeconfig: served.server.kubeconfig,
      'apps/hello/hub.yaml': app,
      'fleetwright.yaml': '{}',
    });
    const failures = new Map<string, string>();
    const run = async (): Promise<string> => {
      const { code, out, err } = await runIn(cwd, [...command, '--kubeconfig', 'kubeconfig']).catch(
        (error: unknown) => ({ code: 3, out: '', err: error instanceof Error ? String(error.stack) : '' }),
      );
      const [shown] = innards.exec(`${out}\n${err}`) ?? [];
      if (shown !== undefined)
        return `${err}${out}`.split('\n').find((line) => line.includes(shown.trim())) ?? shown;
      return code >= 2 && !/FW\d{4}|^fleetwright: /m.test(err) ? `no finding: ${err}` : '';
    };
    expect(await run()).toBe('');
    for (let index = offset; index < answers.length; index += stride) {
      served.answer = answers[index];
      const failure = await run();
      if (failure === '' || served.answer === undefined) continue;
      const { kind, field, value } = served.answer;
      failures.set(
        `${kind} ${field.join('.')} = ${value === missing ? 'missing' : JSON.stringify(value)}`,
        failure,
      );
    }
    expect(failures).toEqual(new Map());
  }, 3_600_000);
});
