import type { JsonMap } from '../../../base/json/json-map.ts';
import { configConversions } from '../../../ocm/values-profile.ts';
import { sourceApiVersion } from '../../model/source-kinds.ts';

const texts: JsonMap = { type: 'object', additionalProperties: { type: 'string' } };

const imageOverride: JsonMap = { imageKey: { type: 'string' }, image: { type: 'string' } };

const valuesFunctions: JsonMap = {
  description:
    'The functions of addon-framework that return values, in the order of WithGetValuesFuncs. A later one overrides an earlier one. All fields of the AddOnDeploymentConfig, then the annotation, by default.',
  type: 'array',
  items: {
    type: 'object',
    required: ['function'],
    additionalProperties: false,
    properties: {
      function: {
        type: 'string',
        enum: ['GetAddOnDeploymentConfigValues', 'GetAgentImageValues', 'GetValuesFromAddonAnnotation'],
      },
      toValues: {
        description: `Conversions of the AddOnDeploymentConfig: ${configConversions.join(', ')}, or an object with imageKey and image.`,
        type: 'array',
        items: { type: ['string', 'object'], additionalProperties: false, properties: imageOverride },
      },
      ...imageOverride,
    },
  },
};

const source: JsonMap = {
  files: { ...texts, description: 'Texts by path.' },
  binaryFiles: { ...texts, description: 'Other files by path, in base64.' },
  values: {
    description:
      'Values that are stronger than the defaults, and weaker than those of variables and functions.',
    type: 'object',
    'x-kubernetes-preserve-unknown-fields': true,
  },
  variables: {
    ...texts,
    description: 'Paths of values that customized variables set, by the name of the variable.',
  },
  valuesFunctions,
};

/** The schema of the kind ManagerProfile. */
export const managerProfileSchema: JsonMap = {
  description:
    'How the manager of an add-on renders its manifests with addon-framework. metadata.name is the name of the add-on. The compiler predicts the manifests, and emits nothing for this kind.',
  type: 'object',
  required: ['apiVersion', 'kind', 'metadata', 'spec'],
  additionalProperties: false,
  properties: {
    apiVersion: { type: 'string', enum: [sourceApiVersion] },
    kind: { type: 'string', enum: ['ManagerProfile'] },
    metadata: {
      type: 'object',
      required: ['name'],
      properties: { name: { type: 'string' } },
      'x-kubernetes-preserve-unknown-fields': true,
    },
    spec: {
      type: 'object',
      additionalProperties: false,
      properties: {
        registers: {
          description:
            'Whether the agent registers at the hub, so that the values name the Secret with its kubeconfig. True by default.',
          type: 'boolean',
        },
        framework: {
          description:
            "The release of addon-framework that the manager is built with, such as '1.3' or '1.4'. Of several configurations of one kind, 1.4 and later read the last, earlier ones the first.",
          type: 'string',
          pattern: '^v?[0-9]+\\.[0-9]+(\\.[0-9]+)?$',
        },
        helmChart: {
          description: 'The chart of BuildHelmAgentAddon. Set this or goTemplates.',
          type: 'object',
          additionalProperties: false,
          properties: {
            ...source,
            archive: { description: 'The chart as a .tgz in base64, instead of files.', type: 'string' },
            strict: { description: 'Whether a missing value is an error.', type: 'boolean' },
          },
        },
        goTemplates: {
          description: 'The templates of BuildTemplateAgentAddon. Set this or helmChart.',
          type: 'object',
          additionalProperties: false,
          properties: source,
        },
      },
    },
  },
};

/** The path of the file with the schema, for editors. */
export const managerProfileSchemaPath = 'schemas/managerprofile.json';
