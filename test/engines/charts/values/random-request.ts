import type { ConfigConversion, ImageOverride, ValuesFunction } from '../../../../src/ocm/values-profile.ts';
import { configConversions } from '../../../../src/ocm/values-profile.ts';
import { Random } from '../random.ts';

/** What the Go program is asked: the values of an add-on on one cluster. */
export interface ValuesRequest {
  readonly profile: readonly ValuesFunction[];
  readonly config?: { readonly spec: object };
  readonly annotations?: Readonly<Record<string, string>>;
  readonly clusterAnnotations?: Readonly<Record<string, string>>;
  readonly registers: boolean;
}

/** The data of the ConfigMaps into which the agents write their values, or an error. */
export interface ValuesAnswer {
  readonly helm?: Readonly<Record<string, string>>;
  readonly template?: Readonly<Record<string, string>>;
  readonly error?: string;
}

const images = ['quay.io/ocm/agent:v1', 'quay.io/ocm-extra/agent', 'agent@sha256:ab', 'registry:5000/a/b:1'];
const sources = ['quay.io/ocm', 'quay.io/ocm/', 'quay.io', '', 'docker.io', 'registry:5000/a'];
const names = ['LogLevel', 'replicas', 'global', 'tolerations', 'NodeSelector', 'clusterName', 'HTTPProxy'];
const texts = ['debug', '2', '', 'true', '{"a":1}', '"quoted"', 'ü'];
const annotations = [
  '',
  '{}',
  'null',
  '{"replicas":3,"global":{"nodeSelector":{"zone":"b"},"proxyConfig":{"HTTP_PROXY":"http://x"}}}',
  '{"tolerations":[{"key":"a"}],"global":{"nodeSelector":null}}',
  '{"clusterName":"other","installMode":"Mine","hubKubeConfigSecret":"mine","large":12345678901234567890}',
  '{"global":"text","Tolerations":[]}',
  '[1]',
  '"text"',
  '{"open":',
];

/** Returns a random request; the same one for the same seed. */
export function randomRequest(seed: number): ValuesRequest {
  const random = new Random(seed);
  return {
    profile: random.some(3, () => randomFunction(random)),
    ...(random.chance(0.85) ? { config: { spec: randomSpec(random) } } : {}),
    annotations: {
      ...(random.chance(0.6) ? { 'addon.open-cluster-management.io/values': random.pick(annotations) } : {}),
      ...(random.chance(0.2) ? { 'addon.open-cluster-management.io/hosting-cluster-name': 'host' } : {}),
      ...(random.chance(0.2)
        ? { 'addon.open-cluster-management.io/v1alpha1-install-namespace': 'mine' }
        : {}),
    },
    clusterAnnotations: random.chance(0.4)
      ? { 'open-cluster-management.io/image-registries': JSON.stringify({ registries: mirrors(random) }) }
      : {},
    registers: random.chance(0.5),
  };
}

function randomFunction(random: Random): ValuesFunction {
  const kind = random.below(4);
  if (kind === 0) return { function: 'GetValuesFromAddonAnnotation' };
  if (kind === 1) return { function: 'GetAgentImageValues', ...override(random) };
  const toValues = random.some(4, (): ConfigConversion | ImageOverride =>
    random.chance(0.15) ? override(random) : random.pick(configConversions),
  );
  return { function: 'GetAddOnDeploymentConfigValues', toValues };
}

function override(random: Random): ImageOverride {
  return { imageKey: random.pick(['image', 'global.imageOverrides.agent']), image: random.pick(images) };
}

function mirrors(random: Random): object[] {
  return random.some(3, () => ({
    source: random.pick(sources),
    mirror: random.pick(['mirror.example.com/ocm', 'mirror.example.com/', '']),
  }));
}

function randomSpec(random: Random): object {
  const maybe = (name: string, make: () => unknown): object => (random.chance(0.5) ? { [name]: make() } : {});
  const text = (): string => random.pick(texts);
  return {
    ...maybe('agentInstallNamespace', () => random.pick(['', 'agents'])),
    ...maybe('customizedVariables', () =>
      random.some(4, () => ({ name: random.pick(names), value: text() })),
    ),
    ...maybe('nodePlacement', () => ({
      ...maybe('nodeSelector', () => ({ host: text(), ...maybe('zone', text) })),
      ...maybe('tolerations', () =>
        random.some(2, () => ({
          ...maybe('key', () => 'dedicated'),
          ...maybe('operator', () => 'Exists'),
          ...maybe('value', () => 'infra'),
          ...maybe('effect', () => 'NoExecute'),
          ...maybe('tolerationSeconds', () => random.below(9000)),
        })),
      ),
    })),
    ...maybe('proxyConfig', () => ({
      ...maybe('httpProxy', () => 'http://proxy:3128'),
      ...maybe('httpsProxy', () => 'https://proxy:3129'),
      ...maybe('noProxy', () => '.svc,10.0.0.0/8'),
      ...maybe('caBundle', () => Buffer.from('-----BEGIN CERTIFICATE-----\nü').toString('base64')),
    })),
    ...maybe('registries', () => mirrors(random)),
    ...maybe('resourceRequirements', () =>
      random.some(2, () => ({
        containerID: random.pick(['*:*:*', 'deployments:agent:*', 'a:b:c', 'deployments:a.b:c']),
        resources: {
          ...maybe('limits', () => ({ memory: random.pick(['4Gi', '1024Mi', '1e3', '0.5']), cpu: '1500m' })),
          ...maybe('requests', () => (random.chance(0.3) ? {} : { cpu: random.pick(['0.1', '1', '2000m']) })),
        },
      })),
    ),
  };
}
