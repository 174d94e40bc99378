import { chmodSync, copyFileSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { freePorts, listening, type RunningProgram } from '../program.ts';
import type { ArgoCdRelease, BuiltArgoCd } from './build.ts';

/** Starts a program with the environment of Argo CD. */
export type StartProgram = (program: string, ...args: readonly string[]) => RunningProgram;

/**
 * Starts Redis and the repo server, and returns when they answer.
 *
 * @param bin - the folder of the programs
 */
export async function startRepoServer(
  start: StartProgram,
  bin: string,
  release: ArgoCdRelease = 'newest',
): Promise<{ readonly redisAddress: string; readonly repoPort: number }> {
  const [redisPort = 0, repoPort = 0, metricsPort = 0] = await freePorts(3);
  const inMemory = ['--save', '', '--appendonly', 'no'];
  const redis = start('redis-server', '--bind', '127.0.0.1', '--port', `${redisPort}`, ...inMemory);
  const redisAddress = `--redis=127.0.0.1:${redisPort}`;
  await listening(redis, redisPort);
  const repoServer = start(
    path.join(bin, 'argocd-repo-server'),
    '--address=127.0.0.1',
    `--port=${repoPort}`,
    '--metrics-address=127.0.0.1',
    `--metrics-port=${metricsPort}`,
    '--disable-tls',
    // 3.2 has no client certificates.
    ...(release === 'newest' ? ['--client-ca-path='] : []),
    redisAddress,
  );
  await listening(repoServer, repoPort);
  return { redisAddress, repoPort };
}

/**
 * Makes the folder of the programs, and returns the environment in which nothing of the machine's own is used.
 *
 * @param options.kustomize - the path of the program. Without it, no kustomization is built.
 */
export function prepareFolder(
  folder: string,
  { program: argoCd, module }: BuiltArgoCd,
  { kubeconfig, kustomize }: { readonly kubeconfig: string; readonly kustomize?: string },
): Record<string, string> {
  const [bin, home, temporary, plugins] = ['bin', 'home', 'tmp', 'plugins'].map((name) => {
    mkdirSync(path.join(folder, name));
    return path.join(folder, name);
  }) as [string, string, string, string];
  for (const program of [
    'argocd-application-controller',
    'argocd-applicationset-controller',
    'argocd-cmp-server',
    'argocd-git-ask-pass',
    'argocd-repo-server',
    'kubectl',
  ])
    symlinkSync(argoCd, path.join(bin, program));
  if (kustomize !== undefined) symlinkSync(kustomize, path.join(bin, 'kustomize'));
  // Git runs this program for the credentials of a repository.
  const askPass = path.join(bin, 'argocd');
  writeFileSync(askPass, `#!/bin/sh\nexec '${path.join(bin, 'argocd-git-ask-pass')}' "$@"\n`, {
    mode: 0o755,
  });
  const wrapper = path.join(bin, 'git-verify-wrapper.sh');
  copyFileSync(path.join(module, 'hack/git-verify-wrapper.sh'), wrapper);
  chmodSync(wrapper, 0o755);
  return {
    PATH: `${bin}:${process.env['PATH'] ?? ''}`,
    HOME: home,
    TMPDIR: temporary,
    KUBECONFIG: kubeconfig,
    ARGOCD_FAKE_IN_CLUSTER: 'true',
    ARGOCD_GPG_ENABLED: 'false',
    ARGOCD_PLUGINSOCKFILEPATH: plugins,
    ARGOCD_ASK_PASS_SOCK: path.join(folder, 'ask-pass.sock'),
    GIT_CONFIG_NOSYSTEM: '1',
    // Logs that a person reads.
    ARGOCD_REPO_SERVER_LOGLEVEL: 'warn',
    ARGOCD_REPO_SERVER_LOGFORMAT: 'text',
    ARGOCD_APPLICATION_CONTROLLER_LOGFORMAT: 'text',
    ARGOCD_APPLICATIONSET_CONTROLLER_LOGFORMAT: 'text',
    ARGOCD_CMP_SERVER_LOGFORMAT: 'text',
  };
}
