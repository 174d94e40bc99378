import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { App, Chart } from 'cdk8s';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { AddOnTemplate } from '../../constructs/add-on-template.ts';
import { GoTemplates, HelmChart, type HelmChartProps } from '../../constructs/helm-chart.ts';
import { ValuesFunction } from '../../constructs/values-function.ts';
import type { WorkloadBuilder } from '../../constructs/workload.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'fleetwright-chart-'));
  mkdirSync(path.join(folder, 'templates'));
  writeFileSync(path.join(folder, 'Chart.yaml'), 'name: agent\n');
  writeFileSync(path.join(folder, 'templates/_names.tpl'), '{{/* names */}}');
});
afterEach(() => rmSync(folder, { recursive: true }));

/** The only manifest of a template. */
function manifestOf(workload: WorkloadBuilder): unknown {
  const template = new AddOnTemplate(new Chart(new App(), 'chart'), 'template', {
    addonName: 'agent',
    workload,
  });
  return template.workload.manifests()[0];
}

function chartWith(props: Partial<HelmChartProps> = {}): unknown {
  return manifestOf((scope) => new HelmChart(scope, 'agent', { chart: folder, ...props }));
}

test('a chart has the files of its folder, except those whose names begin with a dot, but .helmignore', () => {
  writeFileSync(path.join(folder, '.helmignore'), '*.bak\n');
  writeFileSync(path.join(folder, '.secret'), 'password');
  writeFileSync(path.join(folder, 'logo.png'), Buffer.from([0x89, 0x50, 0xff]));
  expect(chartWith({ chart: pathToFileURL(folder) })).toEqual({
    apiVersion: 'fleetwright.dev/v1alpha1',
    kind: 'HelmChart',
    metadata: { name: 'agent', namespace: 'open-cluster-management-agent-addon' },
    spec: {
      files: {
        '.helmignore': '*.bak\n',
        'Chart.yaml': 'name: agent\n',
        'templates/_names.tpl': '{{/* names */}}',
      },
      binaryFiles: { 'logo.png': 'iVD/' },
    },
  });
});

test('a chart has its values, variables and functions', () => {
  const props = {
    values: { replicas: 2 },
    variables: { LOG_LEVEL: 'log.level' },
    valuesFunctions: [
      ValuesFunction.fromDeploymentConfig('ToAddOnNodePlacementValues', {
        imageKey: 'image',
        image: 'agent:1',
      }),
      ValuesFunction.agentImage('image', 'agent:1'),
      ValuesFunction.fromAnnotation(),
    ],
    strict: true,
    now: '2026-01-31T12:00:00Z',
  };
  expect(chartWith(props)).toMatchObject({
    spec: {
      values: { replicas: 2 },
      variables: { LOG_LEVEL: 'log.level' },
      valuesFunctions: [
        {
          function: 'GetAddOnDeploymentConfigValues',
          toValues: ['ToAddOnNodePlacementValues', { imageKey: 'image', image: 'agent:1' }],
        },
        { function: 'GetAgentImageValues', imageKey: 'image', image: 'agent:1' },
        { function: 'GetValuesFromAddonAnnotation' },
      ],
      strict: true,
      now: '2026-01-31T12:00:00Z',
    },
  });
});

test('an archive is in base64', () => {
  const archive = path.join(folder, 'agent-1.0.0.tgz');
  writeFileSync(archive, Buffer.from([0x1f, 0x8b]));
  expect(chartWith({ chart: archive })).toMatchObject({ spec: { archive: 'H4s=' } });
});

test('a folder with a link is rejected', () => {
  symlinkSync('/etc/passwd', path.join(folder, 'templates/passwd.yaml'));
  expect(() => chartWith()).toThrow(
    `${path.join(folder, 'templates/passwd.yaml')} is not a file: a source has no links`,
  );
});

test('files that no template can contain are rejected', () => {
  writeFileSync(path.join(folder, 'large.yaml'), 'a'.repeat(1_000_000));
  expect(() => chartWith()).toThrow('have more than 1000000 characters, which no template can have');
});

test('an archive that no template can contain is rejected', () => {
  const archive = path.join(folder, 'agent-1.0.0.tgz');
  writeFileSync(archive, Buffer.alloc(1_125_001));
  expect(() => chartWith({ chart: archive })).toThrow(
    `${archive} has 1125001 bytes, and no template can have more than 1125000: the hub stores objects of at most 1.5 MiB`,
  );
});

test('Go templates have the files of their folder', () => {
  const manifest = manifestOf(
    (scope) => new GoTemplates(scope, 'agent', { folder, values: { Level: 'info' } }),
  );
  expect(manifest).toMatchObject({
    kind: 'GoTemplates',
    spec: { files: { 'Chart.yaml': 'name: agent\n' }, values: { Level: 'info' } },
  });
});
