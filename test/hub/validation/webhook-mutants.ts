import { admit } from '../../../src/compiler/admit/admit.ts';
import { webhookRules } from '../../../src/compiler/check/webhooks/index.ts';
import { bindingName } from '../../../src/compiler/check/placements/binding-name.ts';
import { hubVersion, type HubVersionName } from '../../../src/ocm/hub-version.ts';
import type { RuleInput } from '../../../src/compiler/check/rule.ts';
import type { KubernetesObject } from '../../../src/base/objects/object-meta.ts';
import { hasErrors } from '../../../src/compiler/model/diagnostic.ts';
import { isOfKind, manifestWorkReplicaSet, ocmKinds, reference } from '../client/kinds.ts';
import type { Random } from '../differential/random.ts';
import { loaded } from '../../compiler/admit/loaded.ts';

/** The cluster whose namespace has the works. */
export const mutatedCluster = 'joined';

/** Random works, sets of works, bindings and clusters, about half of which OCM's webhooks reject. */
export function webhookMutant(random: Random): KubernetesObject {
  const make = random.pick([work, work, work, set, binding, cluster, cluster] as const);
  return make(random);
}

/** Returns a work of a set. Undefined for other objects. */
export function workOfSet(object: KubernetesObject): KubernetesObject | undefined {
  if (!isOfKind(object, manifestWorkReplicaSet)) return undefined;
  const { spec } = object as KubernetesObject & {
    readonly spec: { readonly manifestWorkTemplate: unknown };
  };
  return { ...reference(ocmKinds.manifestWork, 'mutant', mutatedCluster), spec: spec.manifestWorkTemplate };
}

/** What the compiler reports of an object that is created: the messages of rejections, or of the API server before them. */
export function webhookVerdict(
  object: KubernetesObject,
  release: HubVersionName,
): { readonly isInvalid: boolean; readonly messages: readonly string[] } {
  const hub = hubVersion(release);
  const { value: inventory, diagnostics } = admit([loaded(object)], undefined, undefined, hub);
  if (hasErrors(diagnostics)) return { isInvalid: true, messages: diagnostics.map(({ message }) => message) };
  // these rules read nothing else
  const input = { inventory, hub } as RuleInput;
  const findings = [...webhookRules, bindingName].flatMap(({ check }) => [...check(input)]);
  const messages = findings.filter(({ severity }) => severity === 'error').map(({ message }) => message);
  return { isInvalid: false, messages };
}

function work(random: Random): KubernetesObject {
  return { ...reference(ocmKinds.manifestWork, 'mutant', mutatedCluster), spec: workSpec(random) };
}

function set(random: Random): KubernetesObject {
  const spec = { placementRefs: [{ name: 'all' }], manifestWorkTemplate: workSpec(random) };
  return { ...reference(manifestWorkReplicaSet, 'mutant', 'default'), spec };
}

function workSpec(random: Random): object {
  const count = random.pick([0, 1, 1, 2, 2, 3, 4] as const);
  const manifests = Array.from({ length: count }, () => manifest(random));
  if (random.chance(0.2)) grow(random, manifests);
  const executor = random.pick([
    undefined,
    undefined,
    undefined,
    { subject: { type: 'ServiceAccount' } },
    { subject: { type: 'ServiceAccount', serviceAccount: { namespace: 'default', name: 'executor' } } },
  ] as const);
  return { workload: { manifests }, ...(executor && { executor }) };
}

function manifest(random: Random): { data: Record<string, string> } & Record<string, unknown> {
  const [apiVersion, kind] = random.pick([
    ['v1', 'ConfigMap'],
    ['v1', 'Secret'],
    ['apps/v1', 'Deployment'],
    ['apps/v1beta1', 'Deployment'],
    ['v1', ''],
  ] as const);
  const metadata = {
    ...random.pick([{}, { namespace: 'default' }, { namespace: 'default' }, { namespace: '' }] as const),
    ...random.pick([
      { name: 'a' },
      { name: 'a' },
      { name: 'b' },
      { name: 'c' },
      { name: 'd' },
      { name: '' },
      { generateName: 'a-' },
      { name: 'a', generateName: 'a-' },
      { name: 'e', generateName: '' },
      { name: 5 },
    ] as const),
    labels: random.pick([undefined, { app: 'x' }] as const),
  };
  const data = { text: random.pick(['', '<&>', 'äöü', '\u2028', '😀', 'a"b\\c'] as const) };
  return { apiVersion, kind, metadata, data };
}

/** Makes the manifests about as large as the limit. */
function grow(random: Random, manifests: readonly { data: Record<string, string> }[]): void {
  for (const { data } of manifests) {
    const text = random.pick(['x', '<', 'ä', '\n'] as const);
    const width = { x: 1, '<': 6, ä: 2, '\n': 2 }[text];
    data['large'] = text.repeat(Math.floor((512_000 / manifests.length - random.between(0, 400)) / width));
  }
}

function binding(random: Random): KubernetesObject {
  const [name, clusterSet] = [
    random.pick(['default', 'prod', 'x'] as const),
    random.pick(['default', 'x'] as const),
  ];
  return { ...reference(ocmKinds.managedClusterSetBinding, name, 'default'), spec: { clusterSet } };
}

const urls = [
  'https://10.0.0.1',
  'https://10.0.0.1:6443',
  'HTTPS://api',
  'https:',
  'https://',
  'https://api/%zz',
  'https://[::1',
  'https://[::1]:6443',
  'https://a b',
  'https://a:b',
  'https://user@api',
  'http://10.0.0.1:8080',
  '//api',
  ':https',
  'api',
  ' https://api',
  'https://api\t',
  '"quoted"',
  'ünicode',
  '',
] as const;

function cluster(random: Random): KubernetesObject {
  const name = random.pick(['edge', 'edge.site', 'a'.repeat(63), 'a'.repeat(64), 'a.b.c', '1'] as const);
  const count = random.pick([0, 1, 1, 2, 3] as const);
  const configs = Array.from({ length: count }, () => ({ url: random.pick(urls) }));
  const taints = random.maybe(0.3, () => [
    { key: 'gpu', effect: 'NoSelect', ...random.maybe(0.5, () => ({ timeAdded: '2020-01-01T00:00:00Z' })) },
  ]);
  return {
    ...reference(ocmKinds.managedCluster, name),
    spec: {
      hubAcceptsClient: random.chance(0.5),
      managedClusterClientConfigs: configs,
      ...(taints && { taints }),
    },
  };
}
