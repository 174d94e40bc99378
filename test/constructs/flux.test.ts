import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { stages } from '../../src/compiler/emit/sync-order.ts';
import {
  FluxGitRepository,
  FluxKustomization,
  FluxKustomizations,
  FluxOciRepository,
  ocmHealthChecks,
} from '../../constructs/index.ts';
import { errorsOf, objectOf, objectsOf, specOf } from './in-chart.ts';

const url = 'https://git.example.com/platform/add-ons.git';

test('the health checks are those of packaging/gitops/flux-health.yaml', () => {
  const text = readFileSync(
    path.join(import.meta.dirname, '../../packaging/gitops/flux-health.yaml'),
    'utf8',
  );
  const { spec } = parse(text) as { readonly spec: { readonly healthCheckExprs: object } };
  expect(spec.healthCheckExprs).toEqual(ocmHealthChecks);
});

describe('a source', () => {
  test('is a branch of a Git repository', () => {
    expect(objectOf((chart) => new FluxGitRepository(chart, 'add-ons', { url }))).toStrictEqual({
      apiVersion: 'source.toolkit.fluxcd.io/v1',
      kind: 'GitRepository',
      metadata: { name: 'add-ons', namespace: 'flux-system' },
      spec: { interval: '30s', url, ref: { branch: 'main' } },
    });
    expect(
      specOf(
        (chart) => new FluxGitRepository(chart, 'a', { url, tag: 'v1', secretName: 'key', interval: '5m' }),
      ),
    ).toStrictEqual({ interval: '5m', url, secretRef: { name: 'key' }, ref: { tag: 'v1' } });
  });

  test('is a tag, a range of versions or a digest of an OCI artifact', () => {
    const oci = 'oci://ghcr.io/platform/add-ons';
    const ref = (props: object): unknown =>
      specOf((chart) => new FluxOciRepository(chart, 'add-ons', { url: oci, ...props }));
    expect(ref({})).toStrictEqual({ interval: '30s', url: oci, ref: { tag: 'latest' } });
    expect(ref({ semver: '>=1.0.0' })).toMatchObject({ ref: { semver: '>=1.0.0' } });
    expect(ref({ digest: 'sha256:0' })).toStrictEqual({
      interval: '30s',
      url: oci,
      ref: { digest: 'sha256:0' },
    });
    expect(errorsOf((chart) => new FluxOciRepository(chart, 'a', { url }))).toEqual([
      { construct: 'chart/a', message: "OCIRepository 'a' has a url that does not begin with oci://" },
    ]);
  });
});

describe('the Kustomizations of an app', () => {
  test('are one per stage, each after the one before, and wait for all but rollouts', () => {
    const objects = objectsOf((chart) => {
      const source = new FluxGitRepository(chart, 'add-ons', { url });
      new FluxKustomizations(chart, 'helloworld', { app: 'helloworld', source });
    });
    expect(objects.slice(1).map(({ metadata }) => metadata.name)).toEqual([
      'helloworld-foundation',
      'helloworld-placements',
      'helloworld-configs',
      'helloworld-add-ons',
      'helloworld-clusters',
    ]);
    expect(objects[3]).toStrictEqual({
      apiVersion: 'kustomize.toolkit.fluxcd.io/v1',
      kind: 'Kustomization',
      metadata: { name: 'helloworld-configs', namespace: 'flux-system' },
      spec: {
        interval: '10m',
        retryInterval: '1m',
        timeout: '1m',
        sourceRef: { kind: 'GitRepository', name: 'add-ons' },
        path: './dist/helloworld/configs',
        dependsOn: [{ name: 'helloworld-foundation' }],
        prune: true,
        wait: true,
        healthCheckExprs: [...ocmHealthChecks],
      },
    });
    // Placements and configurations do not wait for each other.
    expect(objects.slice(1).map((object) => (object['spec'] as { dependsOn?: object }).dependsOn)).toEqual([
      undefined,
      [{ name: 'helloworld-foundation' }],
      [{ name: 'helloworld-foundation' }],
      [{ name: 'helloworld-placements' }, { name: 'helloworld-configs' }],
      [{ name: 'helloworld-add-ons' }],
    ]);
    // A rollout can take days, in which overrides and later commits would not reach the hub.
    expect(objects.slice(1).map((object) => (object['spec'] as { wait: boolean }).wait)).toEqual([
      true,
      true,
      true,
      false,
      false,
    ]);
  });

  test('are one for every stage that synth may write', () => {
    const objects = objectsOf((chart) => {
      const source = new FluxGitRepository(chart, 'add-ons', { url });
      new FluxKustomizations(chart, 'helloworld', {
        app: 'helloworld',
        source,
        folder: './rendered',
        waves: 2,
      });
    });
    expect(objects.slice(1).map((object) => (object['spec'] as { path: string }).path)).toEqual(
      [...stages, 'wave-1', 'wave-2'].map((stage) => `./rendered/helloworld/${stage}`),
    );
    expect(objects.at(-1)).toMatchObject({
      spec: { dependsOn: [{ name: 'helloworld-wave-1' }], wait: true, timeout: '10m' },
    });
  });
});

test('a Kustomization names an object in another namespace', () => {
  const objects = objectsOf((chart) => {
    const source = new FluxGitRepository(chart, 'add-ons', { url });
    const first = new FluxKustomization(chart, 'first', { source, path: './a' });
    new FluxKustomization(chart, 'second', {
      source,
      path: './b',
      namespace: 'team',
      dependsOn: [first],
      wait: false,
      timeout: '5m',
    });
  });
  expect(objects[2]).toStrictEqual({
    apiVersion: 'kustomize.toolkit.fluxcd.io/v1',
    kind: 'Kustomization',
    metadata: { name: 'second', namespace: 'team' },
    spec: {
      interval: '10m',
      retryInterval: '1m',
      timeout: '5m',
      sourceRef: { kind: 'GitRepository', name: 'add-ons', namespace: 'flux-system' },
      path: './b',
      dependsOn: [{ name: 'first', namespace: 'flux-system' }],
      prune: true,
      wait: false,
    },
  });
});
