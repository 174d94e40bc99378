import type { JsonMap } from '../../base/json/json-map.ts';
import { deploymentFields, parameterTypes } from './model.ts';

/** The API version of the kinds of parameters. No API server has them: they are compiled away. */
export const parametersApiVersion = 'fleetwright.dev/v1alpha1';

const strings: JsonMap = { type: 'array', items: { type: 'string' } };

const requirements: JsonMap = {
  type: 'array',
  items: {
    type: 'object',
    required: ['key', 'operator'],
    additionalProperties: false,
    properties: {
      key: { type: 'string' },
      operator: { type: 'string', enum: ['In', 'NotIn', 'Exists', 'DoesNotExist'] },
      values: strings,
    },
  },
};

/** What a pair requires. An object is a mistake, such as labels: { matchLabels: … }, and has no meaning. */
const pairValue: JsonMap = { type: ['string', 'array'], items: { type: 'string' } };

function selector(of: string): JsonMap {
  return {
    description: `${of} that a cluster must have: pairs, or matchLabels and matchExpressions as in Kubernetes. A list of values matches any of them.`,
    type: 'object',
    additionalProperties: pairValue,
    properties: {
      matchLabels: { type: ['string', 'array', 'object'], additionalProperties: pairValue },
      matchExpressions: requirements,
    },
  };
}

const layers: JsonMap = {
  description:
    'Values for some clusters. A layer without a scope applies to all clusters of the add-on. Scopes, weakest first: hub, none, placement, where with claims and sets, cluster.',
  type: 'array',
  items: {
    type: 'object',
    required: ['values'],
    additionalProperties: false,
    properties: {
      hub: { description: 'Name of a hub in fleetwright.yaml; * for every hub.', type: 'string' },
      placement: {
        description: 'A placement of the install strategy: name, or namespace/name.',
        type: 'string',
      },
      where: selector('Labels'),
      claims: selector('Cluster claims'),
      sets: { ...strings, description: 'ManagedClusterSets, one of which the cluster is in.' },
      cluster: { description: 'Name of a cluster.', type: 'string' },
      clusters: { ...strings, description: 'Names of clusters.' },
      order: {
        description: 'Orders layers of the same scope; a larger one is stronger. 0 by default.',
        type: 'integer',
      },
      values: {
        description:
          'Values by parameter. null removes a value, { $append: […] } appends to a list, { $replace: {…} } replaces an object. { $fact: cluster.labels.KEY, $default: … } and { $text: "…${cluster.name}…" } are computed for each cluster.',
        type: 'object',
        'x-kubernetes-preserve-unknown-fields': true,
      },
    },
  },
};

const parameter: JsonMap = {
  type: 'object',
  required: ['type'],
  additionalProperties: false,
  properties: {
    type: { type: 'string', enum: [...parameterTypes] },
    description: { type: 'string' },
    default: { description: 'Value on clusters for which no layer sets one.' },
    min: { description: 'Smallest number.', type: 'number' },
    max: { description: 'Largest number.', type: 'number' },
    minLength: { description: 'Smallest length of a string.', type: 'integer' },
    maxLength: { description: 'Largest length of a string.', type: 'integer' },
    pattern: { description: 'Regular expression of a string.', type: 'string' },
    values: { ...strings, description: 'Valid values of an enum.' },
    items: {
      description: 'JSON Schema of the items of a list.',
      type: 'object',
      'x-kubernetes-preserve-unknown-fields': true,
    },
    schema: {
      description: 'JSON Schema of an object.',
      type: 'object',
      'x-kubernetes-preserve-unknown-fields': true,
    },
    sensitive: {
      description: 'Whether reports mask the value. The AddOnDeploymentConfig contains it in plain text.',
      type: 'boolean',
    },
    variable: {
      description: 'Customized variable that gets the value. The name of the parameter by default.',
      type: 'string',
    },
    field: {
      description: 'Field of AddOnDeploymentConfig that gets the value.',
      type: 'string',
      enum: [...deploymentFields],
    },
    chartValue: {
      description:
        'Path in the values of the charts and Go templates of the add-on: image.tag, or a list of keys.',
      type: ['string', 'array'],
      items: { type: 'string' },
    },
  },
};

function object(kind: string, description: string, spec: JsonMap): JsonMap {
  return {
    description,
    type: 'object',
    required: ['apiVersion', 'kind', 'metadata', 'spec'],
    additionalProperties: false,
    properties: {
      apiVersion: { type: 'string', enum: [parametersApiVersion] },
      kind: { type: 'string', enum: [kind] },
      metadata: {
        type: 'object',
        required: ['name'],
        properties: { name: { type: 'string' }, namespace: { type: 'string' } },
        'x-kubernetes-preserve-unknown-fields': true,
      },
      spec: { type: 'object', additionalProperties: false, ...spec },
    },
  };
}

/** The schemas of the kinds of parameters, by kind. */
export const parametersSchemas: Readonly<Record<string, JsonMap>> = {
  AddOnParameters: object(
    'AddOnParameters',
    'The parameters of an add-on and layers that set them. metadata.name is the name of the add-on, metadata.namespace the namespace of the AddOnDeploymentConfigs.',
    {
      required: ['parameters'],
      properties: {
        parameters: {
          description: 'Parameters by name.',
          type: 'object',
          additionalProperties: parameter,
        },
        layers,
        revisionHistoryLimit: {
          description: 'Number of earlier AddOnDeploymentConfigs that synth keeps. 2 by default.',
          type: 'integer',
          minimum: 0,
        },
      },
    },
  ),
  AddOnValues: object('AddOnValues', 'More layers for the parameters of an add-on.', {
    required: ['addOn', 'layers'],
    properties: { addOn: { description: 'Name of the add-on.', type: 'string' }, layers },
  }),
};

/** Returns the path of the file with the schema of a kind, for editors. */
export function parametersSchemaPath(kind: string): string {
  return `schemas/${kind.toLowerCase()}.json`;
}

/** Returns a schema as the content of a file. */
export function asJsonSchema(kind: string, schema: JsonMap): JsonMap {
  return { $schema: 'http://json-schema.org/draft-07/schema#', title: kind, ...schema };
}
