import type { KubernetesObject } from '../../../src/base/objects/object-meta.ts';
import { ocmKinds } from '../client/kinds.ts';
import { made, type Names } from './fleet.ts';
import { present, type Random } from './random.ts';

const caBundle = Buffer.from('-----BEGIN CERTIFICATE-----\nabc\n-----END CERTIFICATE-----\n').toString(
  'base64',
);

/** Texts that something on the way to a manifest may trip over: JSON, HTML and YAML escapes, and what looks like a number. */
export const awkwardTexts = [
  '<b>"q"</b>',
  'a&b',
  'line\u2028separator',
  '\\n',
  '\\u0041',
  'tab\there',
  'new\nline',
  '{{CLUSTER_NAME}}',
  '007',
  'true',
  '',
  ' ',
  'ü€😀',
  '"',
  "it's",
  '$(A)',
  '%s',
] as const;

/** Variables that templates of a scenario use; others they leave undefined. */
export const variableNames = [
  'LOG_LEVEL',
  'MODE',
  'Endpoint',
  'REPLICAS',
  '_x',
  'HUB_KUBECONFIG',
  'INSTALL_NAMESPACE',
  'CLUSTER_NAME',
] as const;

/** An AddOnDeploymentConfig with any mix of its fields; `awkward` is the share of values that need escaping. */
export function deploymentConfig(
  random: Random,
  { configs }: Names,
  name: string,
  awkward: number,
): KubernetesObject {
  return made(ocmKinds.addOnDeploymentConfig, name, configs, {
    spec: present({
      agentInstallNamespace: random.maybe(0.5, () =>
        random.pick(['', 'kube-agents', 'open-cluster-management-agent-addon', 'other'] as const),
      ),
      customizedVariables: random.maybe(0.7, () =>
        random.sample(variableNames, random.between(0, 4)).map((variable) =>
          present({
            name: variable,
            value: random.maybe(0.9, () =>
              random.chance(awkward)
                ? random.pick(awkwardTexts)
                : random.pick(['1', 'debug', 'a b', 'https://example.com/?a=1&b=2'] as const),
            ),
          }),
        ),
      ),
      nodePlacement: random.maybe(0.4, () =>
        present({
          nodeSelector: random.maybe(0.7, () =>
            random.pick([{}, { disk: 'ssd' }, { 'node-role.kubernetes.io/infra': '' }]),
          ),
          tolerations: random.maybe(0.7, () =>
            random.times(random.between(0, 2), () => podToleration(random)),
          ),
        }),
      ),
      registries: random.maybe(0.4, () => random.times(random.between(0, 3), () => registry(random))),
      proxyConfig: random.maybe(0.4, () =>
        present({
          httpProxy: random.maybe(0.5, () => 'http://proxy:3128'),
          httpsProxy: random.maybe(0.4, () => 'https://proxy:3129'),
          noProxy: random.maybe(0.4, () => '.cluster.local,10.0.0.0/8'),
          caBundle: random.maybe(0.5, () => caBundle),
        }),
      ),
      resourceRequirements: random.maybe(0.4, () => resourceRequirements(random)),
    }),
  });
}

function podToleration(random: Random): object {
  return present({
    key: random.maybe(0.9, () => 'node-role.kubernetes.io/infra'),
    operator: random.pick(['Exists', 'Equal', undefined] as const),
    value: random.maybe(0.3, () => 'v'),
    effect: random.maybe(0.6, () => random.pick(['NoSchedule', 'NoExecute'] as const)),
    tolerationSeconds: random.maybe(0.3, () => random.pick([0, 300] as const)),
  });
}

function registry(random: Random): object {
  return present({
    source: random.maybe(0.8, () =>
      random.pick(['quay.io/ocm', 'quay.io/', 'docker.io/library/nginx', 'ghcr.io/a', ''] as const),
    ),
    mirror: random.pick(['corp/nginx', 'mirror.local/ocm', 'mirror.local/', ''] as const),
  });
}

function resourceRequirements(random: Random): object[] {
  const ids = [
    '*:*:*',
    'deployments:*:*',
    'daemonsets:*:main',
    '*:agent:*',
    'deployments:agent:side',
    '*:ag.nt:ma*',
    'deployments:agent-*:main',
    'statefulsets:*:*',
    'deployments:agent:a:b',
    '*:(:main',
  ] as const;
  return random.sample(ids, random.between(1, 3)).map((containerID) => ({
    containerID,
    resources: present({
      requests: random.maybe(0.8, () => ({
        cpu: random.pick(['100m', '0.5', '1', '1500m', 2] as const),
        memory: random.pick(['64Mi', '1Gi', '1024Mi', '1000'] as const),
      })),
      limits: random.maybe(0.4, () => ({ memory: random.pick(['2Gi', '1.5Gi', '2e9', '0'] as const) })),
      claims: random.maybe(0.1, () => [{ name: 'gpu' }]),
    }),
  }));
}
