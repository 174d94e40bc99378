import { expect, test } from 'vitest';
import { plan } from '../../../src/compiler/plan/plan.ts';
import { hubVersion } from '../../../src/ocm/hub-version.ts';
import { fleetOf, resolveText } from '../../resolve-text.ts';
import { addOn, config, installed, placement, template } from './states.ts';

const fleet = fleetOf({ c1: { env: 'prod' }, c2: { env: 'prod' }, c3: { env: 'prod' }, c4: { env: 'prod' } });
const location = 'addon.open-cluster-management.io/hosted-manifest-location';

function settings(name: string, size: number, where = 'managed'): string {
  return `
      - { apiVersion: v1, kind: ConfigMap, metadata: { name: ${name}, namespace: agents, annotations: { ${location}: ${where} } }, data: { text: ${'x'.repeat(size)} } }`;
}

const hook = (where = 'managed'): string => `
      - { apiVersion: batch/v1, kind: Job, metadata: { name: bye, namespace: agents, annotations: { addon.open-cluster-management.io/addon-pre-delete: "", ${location}: ${where} } } }`;

/** An add-on on all clusters, with these manifests. */
function app(manifests: string, annotations = 'fleetwright.dev/delivery: compiled'): string {
  return (
    addOn(installed('prod', 'prod')).replace(
      'metadata: { name: hello }',
      `metadata: { name: hello, annotations: { ${annotations} } }`,
    ) +
    placement('prod', '{ matchLabels: { env: prod } }') +
    config('base', 'info') +
    config('prod', 'warn') +
    template('t1', 'a').replace('manifests:', `manifests:${manifests}`)
  );
}

const running = 'fleetwright.dev/delivery: compiled, fleetwright.dev/pre-delete-hooks: run';
const two = settings('a', 250_000) + settings('b', 250_000);
const one = settings('a', 250_000);

function findings(before: string, after: string, engine: 'argocd' | 'flux' | 'none', on = fleet): string[] {
  const [base, head] = [before, after].map((text) => resolveText(text, { fleet: on }).resolution);
  if (base === undefined || head === undefined) throw new Error('two states');
  const { diagnostics } = plan([{ app: 'hello', base, head }], { hub: hubVersion('1.3'), by: [], engine });
  return diagnostics
    .filter(({ code }) => code === 'FW6047')
    .map(({ severity, message, path, hint }) => `${severity}: ${message}\n${path}\n${hint}`);
}

test('FW6047: a work that Git no longer has remains with hooks, and with Argo CD always', () => {
  expect(findings(app(two + hook(), running), app(one + hook(), running), 'flux')).toMatchInlineSnapshot(`
    [
      "warning: work addon-hello-deploy-1 of add-on "hello" remains on 4 clusters, such as "c1": the manifests fit into fewer works now, and Flux does not delete it
    spec.agentSpec.workload.manifests
    after the change is applied, run \`kubectl -n c1 delete manifestwork addon-hello-deploy-1\`, \`kubectl -n c2 delete manifestwork addon-hello-deploy-1\`, \`kubectl -n c3 delete manifestwork addon-hello-deploy-1\`, and the same for the other 1 cluster",
    ]
  `);
  const argoCd = findings(app(two), app(one), 'argocd');
  expect(argoCd).toHaveLength(1);
  expect(argoCd[0]).toContain('and Argo CD does not delete it\n');
});

test('nothing remains without hooks, with another engine, if the number of works stays, or if the add-on goes', () => {
  expect(findings(app(two), app(one), 'flux')).toEqual([]);
  expect(findings(app(two + hook(), running), app(one + hook(), running), 'none')).toEqual([]);
  expect(findings(app(two + hook(), running), app(two + hook(), running), 'flux')).toEqual([]);
  expect(findings(app(one + hook(), running), app(two + hook(), running), 'flux')).toEqual([]);
  const nowhere = app(one + hook(), running).replace('env: prod', 'env: nowhere');
  expect(findings(app(two + hook(), running), nowhere, 'flux')).toEqual([]);
});

test('works for a hosting cluster remain if hooks run there', () => {
  const hostedFleet = fleet.replace(
    'name: c1',
    'name: c1, annotations: { addon.open-cluster-management.io/hosting-cluster-name: c4 }',
  );
  const hosted = (sizes: readonly number[], where: string): string =>
    app(sizes.map((size, index) => settings(`s${index}`, size, 'hosting')).join('') + hook(where), running);
  const [finding, ...more] = findings(
    hosted([250_000, 250_000], 'hosting'),
    hosted([250_000], 'hosting'),
    'argocd',
    hostedFleet,
  ).filter((text) => text.includes('deploy-hosting'));
  expect(more).toEqual([]);
  expect(finding).toContain('`kubectl -n c4 delete manifestwork addon-hello-deploy-hosting-c1-1`');
  expect(
    findings(
      hosted([250_000, 250_000], 'managed'),
      hosted([250_000], 'managed'),
      'argocd',
      hostedFleet,
    ).filter((text) => text.includes('deploy-hosting')),
  ).toEqual([]);
});
