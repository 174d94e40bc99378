import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Ajv } from 'ajv';
import { App, Chart } from 'cdk8s';
import { expect, test } from 'vitest';
import { asJsonSchema } from '../../src/compiler/parameters/parameters-schema.ts';
import {
  managerProfileSchema,
  managerProfileSchemaPath,
} from '../../src/compiler/render/manager-profiles/manager-profile-schema.ts';
import { ClusterManagementAddOn } from '../../constructs/cluster-management-add-on.ts';
import { ManagerProfile, type ManagerProfileProps } from '../../constructs/manager-profile.ts';
import { ValuesFunction } from '../../constructs/values-function.ts';

const root = path.resolve(import.meta.dirname, '../..');
const app = path.join(root, 'apps/helloworld-chart');

function profileWith(props: Omit<ManagerProfileProps, 'addOn'>): ManagerProfile {
  const scope = new Chart(new App(), 'chart', { namespace: 'hub' });
  return new ManagerProfile(scope, 'profile', { addOn: ClusterManagementAddOn.reference('hello'), ...props });
}

const validate = new Ajv({ strict: false }).compile(asJsonSchema('ManagerProfile', managerProfileSchema));

test('a profile has the chart of a manager, and the functions with which it computes values', () => {
  const valuesFunctions = [
    ValuesFunction.fromAnnotation(),
    ValuesFunction.fromDeploymentConfig('ToAddOnNodePlacementValues', { imageKey: 'image', image: 'a:1' }),
    ValuesFunction.agentImage('image', 'a:1'),
  ];
  const profile = profileWith({
    helmChart: { chart: path.join(app, 'chart'), values: { org: 'ocm' }, valuesFunctions, strict: true },
    registers: false,
  }).toJson();
  expect(profile).toMatchObject({
    apiVersion: 'fleetwright.dev/v1alpha1',
    kind: 'ManagerProfile',
    metadata: { name: 'hello' },
    spec: {
      registers: false,
      helmChart: {
        files: { 'Chart.yaml': readFileSync(path.join(app, 'chart/Chart.yaml'), 'utf8') },
        values: { org: 'ocm' },
        valuesFunctions: [
          { function: 'GetValuesFromAddonAnnotation' },
          {
            function: 'GetAddOnDeploymentConfigValues',
            toValues: ['ToAddOnNodePlacementValues', { imageKey: 'image', image: 'a:1' }],
          },
          { function: 'GetAgentImageValues', imageKey: 'image', image: 'a:1' },
        ],
        strict: true,
      },
    },
  });
  validate(profile);
  expect(validate.errors).toBeNull();
});

test('a profile can have Go templates', () => {
  const profile = profileWith({ goTemplates: { folder: path.join(app, 'manifests') } }).toJson();
  expect(Object.keys(profile['spec'] as object)).toEqual(['goTemplates']);
  validate(profile);
  expect(validate.errors).toBeNull();
});

test('a profile has exactly one source', () => {
  const message = 'chart/profile: a ManagerProfile needs either helmChart or goTemplates';
  expect(() => profileWith({})).toThrow(message);
  const both = { helmChart: { chart: app }, goTemplates: { folder: app } };
  expect(() => profileWith(both)).toThrow(message);
});

test('the file with the schema is up to date, and rejects unknown fields', () => {
  const file: unknown = JSON.parse(readFileSync(path.join(root, managerProfileSchemaPath), 'utf8'));
  expect(file).toEqual(asJsonSchema('ManagerProfile', managerProfileSchema));
  const { spec: _spec, ...rest } = profileWith({ helmChart: { chart: path.join(app, 'chart') } }).toJson();
  expect(validate({ ...rest, spec: { chart: {} } })).toBe(false);
});
