import { describe, expect, test } from 'vitest';
import type { NamedHub } from '../../../src/compiler/model/elsewhere.ts';
import { fleetOf } from '../../resolve-text.ts';
import {
  addOnText,
  findingLines,
  parametersText,
  resolveParameters,
  variablesOf,
} from './parameters-text.ts';

function valuesOf(spec: string, clusters: string, hub?: NamedHub): unknown {
  const { resolution, diagnostics } = resolveParameters(addOnText() + parametersText(spec), clusters, hub);
  return resolution === undefined ? findingLines(diagnostics) : variablesOf(resolution);
}

/** A cluster that reports claims, resources and a version. */
function reporting(name: string, status: string, labels = ''): string {
  return `---
apiVersion: cluster.open-cluster-management.io/v1
kind: ManagedCluster
metadata: { name: ${name}, labels: { ${labels} } }
spec: { hubAcceptsClient: true }
status:
  conditions:
  - { type: ManagedClusterConditionAvailable, status: "True", reason: Available, message: "", lastTransitionTime: "2026-01-01T00:00:00Z" }
${status.replaceAll(/^(?=.)/gm, '  ')}`;
}

const set = `---
apiVersion: cluster.open-cluster-management.io/v1beta2
kind: ManagedClusterSet
metadata: { name: SET }
spec: { clusterSelector: { selectorType: ExclusiveClusterSetLabel } }
`;

const fleet =
  fleetOf({}) +
  set.replace('SET', 'shops') +
  set.replace('SET', 'labs') +
  reporting(
    'c1',
    `version: { kubernetes: v1.33.1 }
allocatable: { cpu: 7500m, memory: 16Gi, nvidia.com/gpu: "2" }
capacity: { cpu: "8" }
clusterClaims: [{ name: region.open-cluster-management.io, value: eu-west-1 }]
`,
    'cluster.open-cluster-management.io/clusterset: shops',
  ) +
  reporting(
    'c2',
    `version: { kubernetes: v1.34.0 }
clusterClaims: [{ name: region.open-cluster-management.io, value: us-east-1 }]
`,
    'cluster.open-cluster-management.io/clusterset: labs',
  ) +
  reporting('c3', '');

describe('facts of clusters', () => {
  test('claims, sets, versions and resources, with defaults for clusters that do not report them', () => {
    expect(
      valuesOf(
        `parameters:
  REGION: { type: string }
  SET: { type: string }
  VERSION: { type: string }
  CPU: { type: number }
  MEMORY: { type: integer }
  MEMORY_TEXT: { type: string }
  GPUS: { type: integer }
  CORES: { type: integer }
layers:
- values:
    REGION: { $fact: cluster.claims.region.open-cluster-management.io, $default: nowhere }
    SET: { $fact: cluster.set }
    VERSION: { $text: 'Kubernetes \${cluster.version:-unknown}' }
    CPU: { $fact: cluster.allocatable.cpu, $default: 1 }
    MEMORY: { $fact: cluster.allocatable.memory, $default: 1Gi }
    MEMORY_TEXT: { $fact: cluster.allocatable.memory, $default: 1Gi }
    GPUS: { $fact: cluster.allocatable.nvidia.com/gpu, $default: 0 }
    CORES: { $fact: cluster.capacity.cpu, $default: 0 }
`,
        fleet,
      ),
    ).toEqual({
      c1: {
        REGION: 'eu-west-1',
        SET: 'shops',
        VERSION: 'Kubernetes v1.33.1',
        CPU: '7.5',
        MEMORY: '17179869184',
        MEMORY_TEXT: '16Gi',
        GPUS: '2',
        CORES: '8',
      },
      c2: {
        REGION: 'us-east-1',
        SET: 'labs',
        VERSION: 'Kubernetes v1.34.0',
        CPU: '1',
        MEMORY: '1073741824',
        MEMORY_TEXT: '1Gi',
        GPUS: '0',
        CORES: '0',
      },
      c3: {
        REGION: 'nowhere',
        // The hub adds clusters without a set to this one.
        SET: 'default',
        VERSION: 'Kubernetes unknown',
        CPU: '1',
        MEMORY: '1073741824',
        MEMORY_TEXT: '1Gi',
        GPUS: '0',
        CORES: '0',
      },
    });
  });

  test('a fractional quantity is not an integer', () => {
    expect(
      valuesOf(
        'parameters: { CPU: { type: integer } }\nlayers: [{ values: { CPU: { $fact: cluster.allocatable.cpu, $default: 1 } } }]\n',
        fleet,
      ),
    ).toEqual(['FW4102 31: CPU must be an integer, but is the number 7.5, on cluster "c1"']);
  });
});

describe('layers by claims and sets', () => {
  test('a cluster gets the layers whose claims and sets match it', () => {
    const where = (conditions: string, level: string): string =>
      `- { ${conditions}, values: { LOG_LEVEL: ${level} } }\n`;
    const levels = (text: string): unknown =>
      valuesOf(`parameters: { LOG_LEVEL: { type: string, default: info } }\nlayers:\n${text}`, fleet);
    const europe = 'claims: { region.open-cluster-management.io: [eu-west-1, eu-central-1] }';
    const values = (c1: string, c2: string, c3: string): object => ({
      c1: { LOG_LEVEL: c1 },
      c2: { LOG_LEVEL: c2 },
      c3: { LOG_LEVEL: c3 },
    });
    expect(levels(where(europe, 'debug'))).toEqual(values('debug', 'info', 'info'));
    expect(levels(where('sets: [labs]', 'debug'))).toEqual(values('info', 'debug', 'info'));
    expect(levels(where('sets: [labs, shops]', 'debug'))).toEqual(values('debug', 'debug', 'info'));
    expect(levels(where('sets: [global]', 'debug') + where(`${europe}, sets: [shops]`, 'warn'))).toEqual(
      values('warn', 'debug', 'debug'),
    );
    // A layer with both that no cluster matches.
    const { diagnostics } = resolveParameters(
      addOnText() +
        parametersText(
          `parameters: { LOG_LEVEL: { type: string, default: info } }\nlayers:\n${where(`${europe}, sets: [labs]`, 'warn')}`,
        ),
      fleet,
    );
    expect(findingLines(diagnostics)).toEqual([
      'FW4105 32: no cluster of "logs" matches the layer claim region.open-cluster-management.io=eu-west-1|eu-central-1, set labs (correct the selector, or remove the layer)',
    ]);
  });

  test('a set that does not exist is reported', () => {
    const { diagnostics } = resolveParameters(
      addOnText() +
        parametersText(
          'parameters: { LOG_LEVEL: { type: string, default: info } }\nlayers: [{ sets: [lab], values: { LOG_LEVEL: debug } }]\n',
        ),
      fleet,
    );
    expect(findingLines(diagnostics)).toEqual([
      'FW4105 31: no cluster of "logs" matches the layer set lab (correct the selector, or remove the layer)',
    ]);
  });
});

describe('several hubs', () => {
  const spec = `parameters:
  COLLECTOR: { type: string, default: none }
  LOG_LEVEL: { type: string, default: info }
layers:
- hub: '*'
  values: { COLLECTOR: { $text: 'https://\${hub.facts.collector.host:-metrics.example.com}/\${hub.name}/\${hub.version}' } }
- hub: eu
  values: { LOG_LEVEL: warn }
- hub: us
  values: { LOG_LEVEL: debug }
`;
  const one = fleetOf({ c1: {} });

  test.each([
    ['eu', { collector: { host: 'eu.example.com' } }, 'https://eu.example.com/eu/1.3', 'warn'],
    ['us', {}, 'https://metrics.example.com/us/1.3', 'debug'],
    ['ap', { 'collector.host': 'ap.example.com' }, 'https://ap.example.com/ap/1.3', 'info'],
  ])('the hub %s has its layer and its facts', (name, facts, collector, level) => {
    const hub = { name, version: '1.3', facts } as NamedHub;
    expect(valuesOf(spec, one, hub)).toEqual({ c1: { COLLECTOR: collector, LOG_LEVEL: level } });
  });

  test('the layers of a hub are weaker than those of the add-on', () => {
    const hub = { name: 'eu', version: '1.3', facts: {} } as NamedHub;
    expect(valuesOf(`${spec}- values: { LOG_LEVEL: error }\n`, one, hub)).toEqual({
      c1: { COLLECTOR: 'https://metrics.example.com/eu/1.3', LOG_LEVEL: 'error' },
    });
  });

  test('FW4106: without a name, a hub has no fact for it', () => {
    expect(valuesOf(spec, one)).toEqual([
      'FW4106 35: hub.name has no value, on cluster "c1" (set a default: { $fact: …, $default: … } or ${…:-default} in a text)',
    ]);
  });
});
