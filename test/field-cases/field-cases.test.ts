import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { folderWith, runIn } from '../cli/terminal.ts';

const root = import.meta.dirname;
const folder = path.join(root, 'cases');
const prompt = '$ fleetwright ';

/** Returns a copy of the cases outside of the repository, which would name files by its root. */
async function copied(): Promise<string> {
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.yaml'),
  );
  return folderWith(
    Object.fromEntries(files.map((name) => [name, readFileSync(path.join(root, name), 'utf8')])),
  );
}

/** Runs the commands of an answer in the folder of its case, and returns the answer as it is now. */
async function answered(name: string): Promise<string> {
  const cwd = path.join(await copied(), 'cases', name);
  const commands = readFileSync(path.join(folder, name, 'answer.txt'), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith(prompt));
  const answers: string[] = [];
  for (const command of commands) {
    const { code, out, err } = await runIn(cwd, command.slice(prompt.length).split(' '));
    answers.push(`${command}\n${err}${withoutHash(out)}exit code ${code}\n`);
  }
  return answers.join('\n');
}

/** Leaves out the hash of a plan: it is that of the effects, which the plan shows. */
function withoutHash(text: string): string {
  return text.replace(/^hash: [0-9a-f]{64}$/m, 'hash: (of the effects)');
}

describe('what users met is answered with its cause', () => {
  test.each(readdirSync(folder))('%s', async (name) => {
    const answer = await answered(name);
    expect(answer).toMatch(/^(?:error|warning|info) FW\d{4}: /m);
    await expect(answer).toMatchFileSnapshot(path.join(folder, name, 'answer.txt'));
  });

  test('04-work-webhook-size', async () => {
    const manifest = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'big', namespace: 'default' },
      data: { a: 'x'.repeat(520_000) },
    };
    const work = {
      apiVersion: 'work.open-cluster-management.io/v1',
      kind: 'ManifestWork',
      metadata: { name: 'big', namespace: 'cluster1' },
      spec: { workload: { manifests: [manifest] } },
    };
    const commandLine = ['validate', '-', '--fleet', '../fleet.yaml'];
    const { code, err } = await runIn(path.join(await copied(), 'cases'), commandLine, JSON.stringify(work));
    expect(code).toBe(1);
    expect(err).toContain(
      'error FW8301: admission webhook "manifestworkvalidators.admission.work.open-cluster-management.io" denied the request: the size of manifests is 520106 bytes which exceeds the 512000 limit\n',
    );
  });
});
