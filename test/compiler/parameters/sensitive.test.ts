import { describe, expect, test } from 'vitest';
import { explainAddOn } from '../../../src/compiler/explain/explain-add-on.ts';
import { plan } from '../../../src/compiler/plan/plan.ts';
import { findingMask } from '../../../src/compiler/masks/sensitive-texts.ts';
import { nothingSensitive } from '../../../src/compiler/masks/sensitive-values.ts';
import { planText } from '../../../src/compiler/report/text/plan-text.ts';
import { load } from '../../../src/compiler/load/load.ts';
import type { Resolution } from '../../../src/compiler/resolve.ts';
import { hubVersion } from '../../../src/ocm/hub-version.ts';
import { fleetOf } from '../../resolve-text.ts';
import { addOnText, findingLines, parametersText, resolveParameters } from './parameters-text.ts';

const fleet = fleetOf({ c1: { region: 'eu' }, c2: {}, c3: {} });
const hub = hubVersion('1.3');

/** The template inserts LOG_LEVEL. */
const appOf = (token: string, proxy: string): string =>
  // The hub sets the proxy as variables of the container.
  addOnText().replace(
    / {6}- \{ apiVersion: v1, kind: ConfigMap/,
    `      - apiVersion: apps/v1
        kind: Deployment
        metadata: { name: agent, namespace: default }
        spec:
          selector: { matchLabels: { app: agent } }
          template:
            metadata: { labels: { app: agent } }
            spec: { containers: [{ name: agent, image: 'example.com/agent:v1' }] }
$&`,
  ) +
  parametersText(`parameters:
  LOG_LEVEL: { type: string, sensitive: true, default: first-secret }
  proxy: { type: object, field: proxyConfig, sensitive: true }
layers:
- values: { proxy: { httpProxy: 'http://user:${proxy}@proxy.example.com' } }
- where: { region: eu }
  values: { LOG_LEVEL: ${token} }
`);

function resolved(text: string): Resolution {
  const { resolution, diagnostics } = resolveParameters(text, fleet);
  if (resolution === undefined) throw new Error(JSON.stringify(diagnostics));
  return resolution;
}

const secrets = /secret/;

describe('a sensitive parameter', () => {
  const before = resolved(appOf('second-secret', 'proxy-secret'));
  const after = resolved(appOf('third-secret', 'other-secret'));
  const options = { hub, by: [] };

  test('is masked in plans, which show that its value changed', () => {
    const { value } = plan([{ app: 'logs', base: before, head: after }], options);
    const text = planText(value, { paint: (_tone, part) => part, names: 10 });
    expect(text).toContain('because the layer region=eu sets LOG_LEVEL');
    expect(text).toContain('spec.customizedVariables[LOG_LEVEL].value: (secret, changed)\n');
    expect(text).toContain('spec.proxyConfig.httpProxy: (secret, changed)\n');
    expect(text).toContain('data.level: (secret, changed)\n');
    for (const report of [text, JSON.stringify(value)])
      expect(report.replaceAll(/\(secret(?:, changed)?\)|"secret":true/g, '')).not.toMatch(secrets);
  });

  test('has its value in plans that show secrets', () => {
    const { value } = plan([{ app: 'logs', base: before, head: after }], { ...options, showSecrets: true });
    expect(JSON.stringify(value)).toContain('third-secret');
  });

  test('is masked in explanations, with the values of all layers', () => {
    for (const field of ['', 'LOG_LEVEL', 'proxy']) {
      const explanation = explainAddOn(after, 'logs', 'c1', field, hub);
      const text = JSON.stringify(explanation);
      expect(text).toContain('(secret)');
      expect(text.replaceAll('(secret)', '').replaceAll('"secret":true', '')).not.toMatch(secrets);
    }
  });

  test('is masked in findings', () => {
    const objects = load([{ file: 'app.yaml', text: appOf('third-secret', 'x'), source: 'app' }]).value;
    const masked = findingMask(
      objects.map(({ object }) => object),
      nothingSensitive,
      () => 'values: { LOG_LEVEL: third-secret }',
    );
    const [finding] = masked([
      {
        code: 'FW4102',
        severity: 'error',
        message: 'LOG_LEVEL is third-secret',
        location: { file: 'app.yaml', line: 1, column: 1 },
      },
    ]);
    expect(finding).toMatchObject({ message: 'LOG_LEVEL is (secret)', hidesSource: true });
  });

  test('is reported, because its value is in plain text elsewhere', () => {
    const { diagnostics } = resolveParameters(appOf('a', 'b'), fleet);
    expect(findingLines(diagnostics)).toEqual([
      'FW4117 39: reports mask "LOG_LEVEL", but Git and the hub have its value in plain text (refer to a Secret on the cluster instead, or accept this finding)',
      'FW4117 40: reports mask "proxy", but Git and the hub have its value in plain text (refer to a Secret on the cluster instead, or accept this finding)',
    ]);
  });

  test('sets no value of a chart, whose rendered manifests would show it', () => {
    const text =
      addOnText() + parametersText('parameters: { a: { type: string, chartValue: a.b, sensitive: true } }\n');
    expect(findingLines(resolveParameters(text, fleet).diagnostics)).toContain(
      'FW4109 30: sensitive and chartValue exclude each other: reports do not mask what a chart renders (let the chart refer to a Secret that is on the cluster)',
    );
  });
});
