import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { KubernetesObject } from '../../../src/base/objects/object-meta.ts';
import { compareUtf8, goJson } from '../../../src/base/json/go-json.ts';
import { isJsonMap } from '../../../src/base/json/json-map.ts';
import {
  ApplicationGenerator,
  type Generation,
} from '../../../src/compiler/application-sets/generate-applications.ts';
import type { RepositoryFiles } from '../../../src/compiler/model/repository-files.ts';
import { fleetOf, resolveText } from '../../resolve-text.ts';
import { ApiError } from '../../hub/client/api-client.ts';
import { ocmKinds, reference, type KindOf } from '../../hub/client/kinds.ts';
import { applicationKind } from '../engines/argo-cd.ts';
import type { GitServer } from '../engines/git-server.ts';
import type { ApplicationSetController } from './controller.ts';
import { repositoryUrl, type RandomCase } from './random-case.ts';

const setKind: KindOf = ['argoproj.io/v1alpha1', 'ApplicationSet'];
const secretKind: KindOf = ['v1', 'Secret'];
const namespace = 'argocd';

/** In milliseconds. The controller reads a decision again every second. */
const patience = 60_000;

/** How many ApplicationSets were compared, and what is different. */
export interface Comparison {
  readonly compared: number;
  /** Those that the API server rejects, or that are not evaluated. */
  readonly skipped: number;
  readonly applications: number;
  /** Those that Argo CD cannot generate. */
  readonly errors: number;
  readonly differences: readonly object[];
}

/** Compares what Argo CD generates from the ApplicationSets of a case with the prediction. */
export async function compareCase(
  controller: ApplicationSetController,
  random: RandomCase,
): Promise<Comparison> {
  const { client } = controller.hub;
  const repository = publishedRepository(controller.git, random);
  const text = [...random.objects, ...random.sets.values()].join('\n---\n');
  const { resolution } = resolveText(text.replaceAll(repositoryUrl, repository.remotes[0] ?? ''), {
    fleet: fleetWithUrls(random.fleet),
  });
  const { inventory, decisions: placed } = resolution;
  const elsewhere = { ...inventory.elsewhere, repository };
  const generator = new ApplicationGenerator({ inventory: { ...inventory, elsewhere }, decisions: placed });
  const written = [
    ...[...generator.clusters(namespace).byName.values()].map(
      ({ name, server, project, labels, annotations }, index): KubernetesObject => ({
        ...reference(secretKind, `cluster-${index}`, namespace),
        metadata: { name: `cluster-${index}`, namespace, labels, annotations },
        stringData: { name, server, ...(project !== undefined && { project }), config: '{}' },
      }),
    ),
    acmPlacement,
  ];
  for (const object of written) await client.apply(object);
  const decisions = [...resolution.decisions.byPlacement.values()].flatMap(({ objects }) => objects);
  for (const { metadata, status } of decisions) {
    const object = reference(ocmKinds.placementDecision, metadata.name ?? '', namespace);
    await client.apply({ ...object, metadata: { ...object.metadata, labels: metadata.labels ?? {} } });
    await client.merge(object, { status: status ?? { decisions: [] } }, 'status');
  }
  const outcome = { compared: 0, skipped: 0, applications: 0, errors: 0 };
  const pending = new Map<string, Generation>();
  for (const holder of generator.sets()) {
    const name = holder.object.metadata.name ?? '';
    const generation = generator.generate(holder);
    const isApplied = generation.unanswered === undefined && (await isAccepted(controller, holder.object));
    if (isApplied) pending.set(name, generation);
    else outcome.skipped++;
  }
  const differences = await differencesOf(controller, pending, random);
  for (const [, { applications, error }] of pending) {
    outcome.compared++;
    outcome.applications += applications.length;
    if (error !== undefined) outcome.errors++;
  }
  for (const name of random.sets.keys()) await client.delete(reference(setKind, name, namespace));
  for (const object of written) await client.delete(object);
  for (const { metadata } of decisions)
    await client.delete(reference(ocmKinds.placementDecision, metadata.name ?? '', namespace));
  return { ...outcome, differences };
}

/** Publishes the repository of a case. */
function publishedRepository(git: GitServer, { name, files }: RandomCase): RepositoryFiles {
  const repository = git.create(name);
  const { folder, url } = repository;
  for (const [file, text] of files) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), text);
  }
  repository.commit('publish');
  return { remotes: [url], branches: ['main'], paths: [...files.keys()], text: (file) => files.get(file) };
}

/** A fleet whose clusters have the URLs of their API servers. */
function fleetWithUrls(clusters: RandomCase['fleet']): string {
  return fleetOf(clusters).replaceAll(
    /(name: (c\d+), .*\n)spec: \{ hubAcceptsClient: true \}/g,
    '$1spec: { hubAcceptsClient: true, managedClusterClientConfigs: [{ url: "https://$2.example.com:6443" }] }',
  );
}

const acmPlacement: KubernetesObject = {
  ...reference(['v1', 'ConfigMap'], 'acm-placement', namespace),
  data: {
    apiVersion: 'cluster.open-cluster-management.io/v1beta1',
    kind: 'placementdecisions',
    statusListKey: 'decisions',
    matchKey: 'clusterName',
  },
};

async function isAccepted({ hub }: ApplicationSetController, object: KubernetesObject): Promise<boolean> {
  try {
    await hub.client.create(object);
    return true;
  } catch (error) {
    if (error instanceof ApiError && [400, 422].includes(error.refusal.code)) return false;
    throw error;
  }
}

/** Waits until what Argo CD has is what is predicted, and returns what is not. */
async function differencesOf(
  controller: ApplicationSetController,
  pending: ReadonlyMap<string, Generation>,
  { sets }: RandomCase,
): Promise<readonly object[]> {
  const { client } = controller.hub;
  const deadline = Date.now() + patience;
  for (;;) {
    const [applications, stored] = await Promise.all([
      client.list(...applicationKind, namespace),
      client.list(...setKind, namespace),
    ]);
    const different = [...pending].flatMap(([name, generation]) => {
      const predicted = predictedOutcome(generation);
      const actual = actualOutcome(name, applications, stored, generation);
      return goJson(predicted) === goJson(actual)
        ? []
        : [{ name, set: sets.get(name), predicted, actual, error: generation.error }];
    });
    if (different.length === 0 || Date.now() > deadline) return different;
    await new Promise((resolve) => setTimeout(resolve, 300));
    for (const { name } of different) {
      const annotations = { 'argocd.argoproj.io/application-set-refresh': 'true' };
      await client.merge(reference(setKind, name, namespace), { metadata: { annotations } });
    }
  }
}

interface CaseOutcome {
  /** `ok`, `invalid` if Argo CD skips Applications, or `error`. */
  readonly verdict: string;
  readonly applications: readonly unknown[];
}

function predictedOutcome({ applications, invalid, error }: Generation): CaseOutcome {
  return {
    verdict: error !== undefined ? 'error' : invalid.size > 0 ? 'invalid' : 'ok',
    applications: applications.map(({ name, object: { metadata, spec } }) =>
      comparable(name, metadata, spec),
    ),
  };
}

/** The reasons of the condition `ErrorOccurred` if Argo CD skips single Applications. */
const skipping: ReadonlySet<string> = new Set([
  'ApplicationValidationError',
  'UpdateApplicationError',
  'CreateApplicationError',
]);

function actualOutcome(
  name: string,
  applications: readonly KubernetesObject[],
  sets: readonly KubernetesObject[],
  { error }: Generation,
): CaseOutcome {
  const own = applications.filter(
    ({ metadata }) =>
      metadata.ownerReferences?.some((owner) => owner.kind === 'ApplicationSet' && owner.name === name) ===
        true && metadata['deletionTimestamp'] === undefined,
  );
  const status = sets.find(({ metadata }) => metadata.name === name)?.['status'];
  const conditions =
    isJsonMap(status) && Array.isArray(status['conditions']) ? status['conditions'].filter(isJsonMap) : [];
  const failed = conditions.find(({ type, status: value }) => type === 'ErrorOccurred' && value === 'True');
  const isPanic = error?.includes('panics') === true;
  const verdict =
    failed === undefined
      ? conditions.length > 0
        ? 'ok'
        : isPanic
          ? 'error'
          : 'none'
      : skipping.has(String(failed['reason']))
        ? 'invalid'
        : 'error';
  return {
    verdict,
    applications: own
      .toSorted((a, b) => compareUtf8(a.metadata.name ?? '', b.metadata.name ?? ''))
      .map(({ metadata, ...rest }) => comparable(metadata.name ?? '', metadata, rest['spec'])),
  };
}

function comparable(name: string, metadata: object, spec: unknown): object {
  const { labels, annotations, finalizers } = metadata as Record<string, unknown>;
  return { name, ...(withoutEmpty({ labels, annotations, finalizers, spec }) as object) };
}

/** Go leaves out empty fields, depending on their tags. */
function withoutEmpty(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEmpty);
  if (!isJsonMap(value)) return value;
  const entries = Object.entries(value)
    .map(([key, each]) => [key, withoutEmpty(each)] as const)
    .filter(([, each]) => !isEmpty(each));
  return Object.fromEntries(entries);
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '' || value === false) return true;
  if (Array.isArray(value)) return value.length === 0;
  return isJsonMap(value) && Object.keys(value).length === 0;
}
