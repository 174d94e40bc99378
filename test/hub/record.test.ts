import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { connect } from './client/hub.ts';
import { releaseOf } from './client/release.ts';
import { startHub } from './process/start-hub.ts';
import { caseNames, readAnswer, readScenario, readWaves, writeScenario } from './record/case-folder.ts';
import { recordCase } from './record/record-case.ts';
import { record } from './record/recording.ts';
import { namespacesGone, removeScenario } from './record/remove-scenario.ts';
import { recordRollout } from './record/waves.ts';
import { ofRelease } from './record/of-release.ts';

// Without webhooks, as the hub of the recordings: some of the recorded works are rejected otherwise.
const running = await startHub({ admissionWebhooks: false });
const hub = connect(running);
afterAll(async () => {
  hub.close();
  await running.stop();
});

const recorded = path.join(import.meta.dirname, '../conformance');
/** Every so manieth of the recorded cases is played again; `npm run hub:record` plays any. */
const stride = 40;
const some = (family: string): readonly string[] =>
  caseNames(path.join(recorded, family)).filter((_, index) => index % stride === 0);

describe.each(['placement', 'precedence', 'template'])(
  '%s: this hub answers as the recorded one',
  (family) => {
    test.concurrent.for(some(family))('%s', async (name) => {
      const folder = path.join(recorded, family, name);
      const scenario = readScenario(folder);
      const { answer, settled } = await record(hub, scenario);
      await removeScenario(hub, scenario.input);
      expect(settled).toBe(true);
      expect(answer).toEqual(ofRelease(readAnswer(folder), scenario.input, releaseOf(hub.versions)));
    });
  },
);

describe('rollout: this hub makes the recorded waves', () => {
  test.concurrent.for(some('rollout'))('%s', async (name) => {
    const folder = path.join(recorded, 'rollout', name);
    const scenario = readScenario(folder);
    const waves = await recordRollout(hub, scenario);
    await removeScenario(hub, [...scenario.input, ...(scenario.update ?? [])]);
    expect(waves).toEqual(readWaves(folder));
  });
});

describe('recording twice writes the same bytes', () => {
  test.for(['precedence/pr101', 'rollout/ro100'])('%s', async (name) => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'fleetwright-record-'));
    try {
      const scenario = readScenario(path.join(recorded, name));
      writeScenario(folder, scenario);
      await recordCase(hub, folder);
      const first = contents(folder);
      await namespacesGone(hub, scenario.input);
      await recordCase(hub, folder);
      expect(contents(folder)).toEqual(first);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

function contents(folder: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    readdirSync(folder).map((name) => [name, readFileSync(path.join(folder, name), 'utf8')]),
  );
}
