import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import type { KubernetesObject } from '../../../src/base/objects/object-meta.ts';
import type { ApiClient } from '../../hub/client/api-client.ts';
import { namespaceKind, reference, type KindOf } from '../../hub/client/kinds.ts';
import { buildArgoCd, type ArgoCdRelease } from './argo-cd/build.ts';
import { prepareFolder, startRepoServer } from './argo-cd/repo-server.ts';
import { freePorts, listening, startProgram, type RunningProgram } from './program.ts';

export const applicationKind: KindOf = ['argoproj.io/v1alpha1', 'Application'];

const root = path.resolve(import.meta.dirname, '../../..');
const namespace = 'argocd';

/** What a story starts Argo CD with. */
export interface ArgoCdOptions {
  /** The hub that it runs on. */
  readonly client: ApiClient;
  /** Path of a kubeconfig of that hub's administrator. */
  readonly kubeconfig: string;
  /** Path of kustomize, which the repo server runs. */
  readonly kustomize: string;
  /** A folder for everything that it writes. It has to exist. */
  readonly folder: string;
  /** Whether the plugin of packaging/gitops/argocd-plugin runs beside the repo server, as its sidecar does. @default false */
  readonly plugin?: boolean;
  /** @default 'newest' */
  readonly release?: ArgoCdRelease;
  /** How long Argo CD waits after each sync wave but the last, in whole seconds. @default 2, which is Argo CD's own default */
  readonly waveDelay?: number;
}

/** Argo CD on a hub, without its API server and UI. */
export interface ArgoCd {
  readonly version: string;
  /** The folder of its source, with its manifests. */
  readonly module: string;
  /** Throws where one of its programs has ended, with the end of its log. */
  checkPrograms(): void;
  /** An Application as it is on the hub. */
  application(name: string): Promise<Application>;
  /** Lets Argo CD read the repository now, as a webhook of the forge does. */
  refresh(name: string): Promise<void>;
  /** The environment of its programs, with kubectl of the hub. */
  readonly environment: Readonly<Record<string, string>>;
  /** The last lines of the logs of all programs. */
  logs(lines: number): string;
  stop(): Promise<void>;
}

/** The parts of an Application that the stories read. */
export interface Application extends KubernetesObject {
  readonly status?: {
    readonly sync?: { readonly status: string; readonly revision?: string };
    readonly health?: { readonly status: string; readonly message?: string };
    readonly conditions?: readonly { readonly type: string; readonly message: string }[];
    readonly history?: readonly { readonly id: number; readonly revision: string }[];
    readonly sourceType?: string;
    readonly operationState?: {
      readonly phase: string;
      readonly message?: string;
      readonly retryCount?: number;
      readonly startedAt: string;
      readonly finishedAt?: string;
      readonly operation?: {
        readonly sync?: { readonly resources?: readonly { readonly kind: string; readonly name: string }[] };
      };
      readonly syncResult?: {
        readonly revision: string;
        readonly resources?: readonly {
          readonly kind: string;
          readonly name: string;
          readonly status?: string;
          readonly hookPhase?: string;
          readonly message?: string;
        }[];
      };
    };
    readonly resources?: readonly {
      readonly kind: string;
      readonly name: string;
      readonly namespace?: string;
      readonly status?: string;
      readonly health?: { readonly status: string; readonly message?: string };
    }[];
  };
}

/** Builds Argo CD if need be, installs its objects on the hub, with the health checks of the guide, and starts it. */
export async function startArgoCd({
  client,
  kubeconfig,
  kustomize,
  folder,
  plugin = false,
  release = 'newest',
  waveDelay = 2,
}: ArgoCdOptions): Promise<ArgoCd> {
  const built = buildArgoCd(release);
  await installArgoCd(client, built.module);
  const environment = {
    ...prepareFolder(folder, built, { kubeconfig, kustomize }),
    ARGOCD_SYNC_WAVE_DELAY: `${waveDelay}`,
  };
  const programs: RunningProgram[] = [];
  const start = (program: string, ...args: readonly string[]): RunningProgram => {
    const running = startProgram(program, { arguments: args, environment, folder, restarts: 2 });
    programs.push(running);
    return running;
  };
  const [applicationMetricsPort = 0, applicationSetMetricsPort = 0, probePort = 0, webhookPort = 0] =
    await freePorts(4);
  const bin = path.join(folder, 'bin');
  if (plugin) start(path.join(bin, 'argocd-cmp-server'), `--config-dir-path=${preparePlugin(folder)}`);
  const { redisAddress, repoPort } = await startRepoServer(start, bin, release);
  const applicationController = start(
    path.join(bin, 'argocd-application-controller'),
    `--repo-server=127.0.0.1:${repoPort}`,
    '--repo-server-plaintext',
    `--metrics-port=${applicationMetricsPort}`,
    // The stories read the health of single objects.
    '--persist-resource-health',
    redisAddress,
    `--kubeconfig=${kubeconfig}`,
    `--namespace=${namespace}`,
  );
  await listening(applicationController, applicationMetricsPort);
  const applicationSetController = start(
    path.join(bin, 'argocd-applicationset-controller'),
    `--argocd-repo-server=127.0.0.1:${repoPort}`,
    '--repo-server-plaintext',
    `--metrics-addr=127.0.0.1:${applicationSetMetricsPort}`,
    `--probe-addr=127.0.0.1:${probePort}`,
    `--webhook-addr=127.0.0.1:${webhookPort}`,
    `--kubeconfig=${kubeconfig}`,
    `--namespace=${namespace}`,
  );
  await listening(applicationSetController, probePort);
  const checkPrograms = (): void => {
    const gone = programs.find(({ hasEnded }) => hasEnded);
    if (gone !== undefined) throw new Error(`${gone.name} ended:\n${gone.tail(40)}`);
  };
  return {
    version: built.version,
    module: built.module,
    environment,
    checkPrograms,
    application: async (name) => {
      checkPrograms();
      const application = await client.get(...applicationKind, name, namespace);
      if (application === undefined) throw new Error(`there is no Application ${name}`);
      return application;
    },
    refresh: async (name) => {
      const annotations = { 'argocd.argoproj.io/refresh': 'normal' };
      await client.merge(reference(applicationKind, name, namespace), { metadata: { annotations } });
    },
    logs: (lines) => programs.map((program) => `== ${program.name}\n${program.tail(lines)}\n`).join(''),
    stop: async () => {
      await Promise.all(programs.map((program) => program.stop()));
    },
  };
}

/**
 * Makes the folder of the plugin's configuration. The command is where the build has it, not where the image has it; and
 * apps are those of plain YAML, as a comment of the file describes: others need Node 22.18.
 */
function preparePlugin(folder: string): string {
  const config = path.join(folder, 'plugin');
  mkdirSync(config);
  let text = readFileSync(path.join(root, 'packaging/gitops/argocd-plugin/plugin.yaml'), 'utf8');
  for (const [inImage, here] of [
    ['/usr/local/lib/fleetwright.mjs', path.join(root, 'build/fleetwright.mjs')],
    ['fileName: ./app.[jt]s', 'fileName: ./fleet.*'],
  ] as const) {
    if (!text.includes(inImage)) throw new Error(`plugin.yaml has no ${inImage}`);
    text = text.replace(inImage, here);
  }
  writeFileSync(path.join(config, 'plugin.yaml'), text);
  return config;
}

/** Argo CD's objects as its manifests have them, and what its API server would create. */
export async function installArgoCd(client: ApiClient, module: string): Promise<void> {
  const manifests = path.join(module, 'manifests');
  for (const file of ['application-crd.yaml', 'applicationset-crd.yaml', 'appproject-crd.yaml'])
    for (const object of objectsIn(path.join(manifests, 'crds', file))) await client.apply(object);
  await client.apply(reference(namespaceKind, namespace));
  const config = path.join(manifests, 'base/config');
  for (const file of readdirSync(config).filter((name) => name.startsWith('argocd-')))
    for (const object of objectsIn(path.join(config, file)))
      await client.apply({ ...object, metadata: { ...object.metadata, namespace } });
  const secret = reference(['v1', 'Secret'], 'argocd-secret', namespace);
  await client.merge(secret, { stringData: { 'server.secretkey': randomUUID() } });
  const everything = [{ group: '*', kind: '*' }];
  const project = {
    ...reference(['argoproj.io/v1alpha1', 'AppProject'], 'default', namespace),
    spec: {
      sourceRepos: ['*'],
      destinations: [{ server: '*', namespace: '*' }],
      clusterResourceWhitelist: everything,
    },
  };
  await untilServed(() => client.apply(project));
  // What the guide patches: kubectl -n argocd patch configmap argocd-cm --patch-file argocd-cm.yaml
  const healthChecks = parse(
    readFileSync(path.join(root, 'packaging/gitops/argocd-cm.yaml'), 'utf8'),
  ) as KubernetesObject;
  await client.merge(reference(['v1', 'ConfigMap'], 'argocd-cm', namespace), healthChecks);
}

/** A CustomResourceDefinition is served a moment after it was applied. */
async function untilServed(apply: () => Promise<unknown>): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      await apply();
      return;
    } catch (error) {
      if (attempt > 300) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

function objectsIn(file: string): readonly KubernetesObject[] {
  return parseAllDocuments(readFileSync(file, 'utf8')).map((document) => document.toJS() as KubernetesObject);
}
