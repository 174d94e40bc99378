import { afterEach, expect, test } from 'vitest';
import type { AppRunnerOptions } from '../../src/workspace/app/app-runner.ts';
import { AppRunners } from '../../src/workspace/app/app-runners.ts';
import { hubVersion } from '../../src/ocm/hub-version.ts';
import { revisionsOf } from '../../src/promotion/git/revision-content.ts';
import { GitRepository } from '../e2e/repository.ts';
import { fleetOf } from '../resolve-text.ts';
import { appText } from './app.ts';

/** Records how the apps of a revision are run. */
class RecordedRunners extends AppRunners {
  readonly options: AppRunnerOptions[] = [];

  override add(options: AppRunnerOptions): void {
    this.options.push(options);
    super.add(options);
  }
}

let repository: GitRepository;
afterEach(() => repository.remove());

test('apps.confinement of today applies to an earlier commit, which had no settings', async () => {
  repository = new GitRepository();
  const commit = repository.commit('first', {
    'apps/hello/app.yaml': appText('1'),
    'fleet.yaml': fleetOf({ a: {} }),
  });
  repository.commit('require confinement', { 'fleetwright.yaml': 'apps: { confinement: required }\n' });
  const apps = new RecordedRunners();
  const revisions = revisionsOf({
    app: 'hello',
    fleet: [],
    targetOf: () => ({ hub: hubVersion('1.3'), addOnApiVersion: 'v1alpha1', now: undefined }),
    host: {
      cwd: repository.root,
      env: {},
      now: () => 0,
      readInput: () => Promise.resolve(new Uint8Array()),
      err: () => undefined,
      apps,
    },
  });
  expect((await revisions.compile(commit, 'committed')).size).toBe(1);
  expect(apps.options).toMatchObject([{ requiresSandbox: true }]);
  await apps.end();
});
