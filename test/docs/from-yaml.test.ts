import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { linkDependencies, root } from '../linked-repository.ts';
import { consoleSteps } from './console-steps.ts';
import { runSteps } from './run-steps.ts';

const example = path.join(import.meta.dirname, 'from-yaml');

/**
 * Replaces the network and the hub: nothing is installed, npx runs the output of `npm run build`, the fleet comes from a
 * file, and kubectl prints what it would print.
 */
const programs = {
  npm: `case "$1" in
  pack) for folder; do :; done; echo packed > "$folder/fleetwright-0.1.0.tgz" ;;
  install) cp -RP "$INSTALLED/." node_modules ;;
  *) PATH="\${PATH#*:}" exec npm "$@" ;;
esac`,
  npx: `shift
case "$1" in
  fleet) cp "${example}/fleet.yaml" fleet.yaml ;;
  *) exec "${process.execPath}" "${root}/build/cli/main.js" "$@" ;;
esac`,
  kubectl: `case "$*" in
  *'patch configmap'*) test -s "$7" && echo configmap/argocd-cm patched ;;
  *'patch managedclusteraddon'*) echo managedclusteraddon.addon.open-cluster-management.io/metrics patched ;;
  *wait*) echo kustomization.kustomize.toolkit.fluxcd.io/metrics condition met ;;
  *) test -s gitops/kustomization.yaml && echo kustomization.kustomize.toolkit.fluxcd.io/hub-config-foundation created ;;
esac`,
};

test.each(['argocd', 'flux'])(
  'the steps from YAML to %s print the output below them',
  async (engine) => {
    const guide = readFileSync(path.join(root, `docs/from-yaml-with-${engine}.md`), 'utf8');
    const steps = consoleSteps(guide, 'Steps');
    const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'fleetwright-guide-')));
    onTestFinished(() => {
      rmSync(folder, { recursive: true });
    });
    const repository = path.join(folder, 'hub-config');
    for (const name of ['bin', 'fleetwright', 'installed', 'hub-config']) mkdirSync(path.join(folder, name));
    for (const [name, script] of Object.entries(programs)) {
      const file = path.join(folder, 'bin', name);
      writeFileSync(file, `#!/bin/sh\n${script}\n`);
      chmodSync(file, 0o755);
    }
    linkDependencies(path.join(folder, 'installed'));
    for (const name of ['hub', engine])
      cpSync(path.join(example, name), path.join(repository, name), { recursive: true });
    const env = {
      PATH: `${path.join(folder, 'bin')}:${process.env['PATH'] ?? ''}`,
      INSTALLED: path.join(folder, 'installed/node_modules'),
      GIT_AUTHOR_NAME: 'Team',
      GIT_AUTHOR_EMAIL: 'team@example.com',
      GIT_COMMITTER_NAME: 'Team',
      GIT_COMMITTER_EMAIL: 'team@example.com',
    };
    const init = 'git init -qb main && git add . && git commit -qm "The objects of the hub"';
    expect(spawnSync('sh', ['-c', init], { cwd: repository, env: { ...process.env, ...env } }).status).toBe(
      0,
    );
    const results = await runSteps(steps, { cwd: path.join(folder, 'fleetwright'), scratch: folder, env });
    expect(results.filter(({ code, missing }) => code !== 0 || missing.length > 0)).toEqual([]);
    expect(results.map(({ command }) => command)).toEqual(steps.map(({ command }) => command));
    expect(steps.length).toBeGreaterThan(10);
  },
  120_000,
);
