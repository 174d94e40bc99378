import { describe, expect, test } from 'vitest';
import { fleetOf } from '../../resolve-text.ts';
import {
  addOnText,
  emittedNames,
  findingLines,
  parametersText,
  resolveParameters,
  variablesOf,
} from './parameters-text.ts';

const fleet = fleetOf({
  c1: { region: 'eu', env: 'prod' },
  c2: { region: 'eu', env: 'dev' },
  c3: { region: 'us', env: 'prod' },
  c4: { region: 'us', env: 'dev' },
});

function resolved(spec: string, addOn = addOnText(), clusters = fleet) {
  const { resolution, diagnostics } = resolveParameters(addOn + parametersText(spec), clusters);
  expect(findingLines(diagnostics)).toEqual([]);
  if (resolution === undefined) throw new Error(JSON.stringify(diagnostics));
  return resolution;
}

const declarations = `parameters:
  LOG_LEVEL: { type: enum, values: [debug, info, warn], default: info }
  REPLICAS: { type: integer, default: 2, min: 0 }
  HOSTS: { type: list, items: { type: string }, default: [a] }
  SETTINGS: { type: object, default: { proxy: { port: 80, host: p }, debug: false } }
`;

describe('layers', () => {
  test('each layer replaces single values, from the default to the cluster', () => {
    const resolution = resolved(`${declarations}layers:
- values: { LOG_LEVEL: warn }
- placement: all
  values: { REPLICAS: 3 }
- where: { region: eu }
  values: { REPLICAS: 5 }
- cluster: c1
  values: { LOG_LEVEL: debug }
`);
    const rest = { HOSTS: '["a"]', SETTINGS: '{"proxy":{"port":80,"host":"p"},"debug":false}' };
    expect(variablesOf(resolution)).toEqual({
      c1: { LOG_LEVEL: 'debug', REPLICAS: '5', ...rest },
      c2: { LOG_LEVEL: 'warn', REPLICAS: '5', ...rest },
      c3: { LOG_LEVEL: 'warn', REPLICAS: '3', ...rest },
      c4: { LOG_LEVEL: 'warn', REPLICAS: '3', ...rest },
    });
  });

  test('objects merge by key, lists replace or append, null removes, $replace replaces an object', () => {
    const resolution = resolved(`${declarations}layers:
- values: { SETTINGS: { proxy: { host: q } }, HOSTS: { $append: [b] } }
- where: { region: eu }
  values: { SETTINGS: { debug: null }, HOSTS: [x] }
- where: { env: prod }
  values: { SETTINGS: { $replace: { only: 1 } }, HOSTS: { $append: [y] }, REPLICAS: null }
`);
    const values = variablesOf(resolution);
    expect(values['c4']).toMatchObject({
      HOSTS: '["a","b"]',
      SETTINGS: '{"proxy":{"port":80,"host":"q"},"debug":false}',
    });
    expect(values['c2']).toMatchObject({ HOSTS: '["x"]', SETTINGS: '{"proxy":{"port":80,"host":"q"}}' });
    expect(values['c1']).toEqual({ LOG_LEVEL: 'info', HOSTS: '["x","y"]', SETTINGS: '{"only":1}' });
  });

  test('facts of clusters become texts or numbers, with a default where a cluster lacks one', () => {
    const resolution = resolved(
      `parameters:
  URL: { type: string }
  TIER: { type: string }
  COUNT: { type: integer, default: 1 }
layers:
- values:
    URL: { $text: 'https://\${cluster.labels.region}.example.com/\${cluster.name}' }
    TIER: { $fact: cluster.labels.tier, $default: basic }
    COUNT: { $fact: cluster.labels.count, $default: 4 }
`,
      addOnText(),
      fleetOf({ c1: { region: 'eu', count: '7' }, c2: { region: 'us', tier: 'gold' } }),
    );
    expect(variablesOf(resolution)).toEqual({
      c1: { URL: 'https://eu.example.com/c1', TIER: 'basic', COUNT: '7' },
      c2: { URL: 'https://us.example.com/c2', TIER: 'gold', COUNT: '4' },
    });
  });

  test('layers of placements apply in the order of the install strategy', () => {
    const addOn = addOnText({ placements: [{ name: 'all' }, { name: 'prod', labels: { env: 'prod' } }] });
    const resolution = resolved(
      `${declarations}layers:
- placement: prod
  values: { LOG_LEVEL: warn }
- placement: all
  values: { LOG_LEVEL: debug, REPLICAS: 9 }
`,
      addOn,
    );
    const values = variablesOf(resolution);
    expect(values['c1']).toMatchObject({ LOG_LEVEL: 'warn', REPLICAS: '9' });
    expect(values['c2']).toMatchObject({ LOG_LEVEL: 'debug', REPLICAS: '9' });
  });

  test('synth emits one configuration per distinct result, and one object per override', () => {
    const resolution = resolved(`${declarations}layers:
- where: { region: eu }
  values: { REPLICAS: 5 }
- cluster: c3
  values: { REPLICAS: 5 }
`);
    expect(emittedNames(resolution, 'AddOnDeploymentConfig')).toHaveLength(2);
    expect(emittedNames(resolution, 'ManagedClusterAddOn')).toEqual(['c4']);
  });
});
