import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { run } from '../../src/cli/run.ts';
import { kinds } from '../../schemas/index.ts';
import { connect } from './client/hub.ts';
import { ocmKinds, reference } from './client/kinds.ts';
import { startHub } from './process/start-hub.ts';
import { apiServerOf } from './validation/api-server.ts';
import { askApiServer, mutants, printDisagreement, runValidation } from './validation/run-validation.ts';
import { compilerVerdict } from './validation/verdicts.ts';

// Without webhooks, because `valid` is the verdict of the API server alone.
const running = await startHub({ admissionWebhooks: false });
const hub = connect(running);
afterAll(async () => {
  hub.close();
  await running.stop();
});

const found = path.join(import.meta.dirname, 'found');

describe('validate reports the same as the API server', () => {
  test('of mutated objects of every kind', async () => {
    const seeds = [1, 2, 3];
    const result = await runValidation(hub, { seeds, mutantsPerSeed: 500, found });
    process.stdout.write(
      `validation: ${result.agreements} of ${result.mutants} agree, ${result.refusals} of them refused (seeds ${seeds.join(', ')})\n` +
        result.disagreements.map(printDisagreement).join(''),
    );
    expect(result.disagreements).toEqual([]);
    expect(result.refusals).toBeGreaterThan(result.mutants / 4);
    const all = kinds.flatMap(({ kind, versions }) => versions.map(({ name }) => `${kind} ${name}`));
    expect([...result.kinds.keys()].sort()).toEqual(all.sort());
  });

  test('also as a command', async () => {
    const some = mutants(hub, 4, 25).filter(({ text }) => 'metadata' in (JSON.parse(text) as object));
    const printed: string[] = [];
    await run(['validate', '-', '-o', 'json'], {
      cwd: import.meta.dirname,
      now: () => Date.now(),
      readInput: async () => Buffer.from(some.map(({ text }) => text).join('\n---\n')),
      out: (text) => printed.push(text),
      err: (text) => printed.push(text),
      color: false,
    });
    const { results } = JSON.parse(printed.join('')) as { results: readonly { valid: boolean }[] };
    const asked = await Promise.all(some.map((mutant) => askApiServer(hub, mutant)));
    expect(results.map(({ valid }) => valid)).toEqual(asked.map(({ allowed }) => allowed));
    expect(new Set(results.map(({ valid }) => valid)).size).toBe(2);
  });

  test('but for integers beyond 32 bits, which only API servers since Kubernetes 1.36 refuse', async () => {
    const object = {
      ...reference(ocmKinds.managedCluster, 'patient'),
      spec: { hubAcceptsClient: true, leaseDurationSeconds: 2 ** 31 },
    };
    const mutant = { object, text: JSON.stringify(object) };
    expect(compilerVerdict(mutant.text)).toMatchObject({
      allowed: false,
      blamed: ['spec.leaseDurationSeconds'],
    });
    expect((await askApiServer(hub, mutant)).allowed).toBe(!apiServerOf(hub.versions).checksInt32);
  });
});
