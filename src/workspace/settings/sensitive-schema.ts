const text = { type: 'string', pattern: '\\S', fault: 'is not a string' } as const;

/** The schema of the key `sensitive` of fleetwright.yaml. */
export const sensitiveSchema = {
  description: 'Values that reports mask, besides those of Secrets.',
  type: ['object', 'null'],
  additionalProperties: false,
  properties: {
    variables: {
      description: 'Names of customized variables, such as `API_TOKEN` or `*_PASSWORD`.',
      type: ['array', 'null'],
      items: text,
      fault: 'is not a list',
    },
    fields: {
      description: 'Fields, with everything below them.',
      type: ['array', 'null'],
      fault: 'is not a list',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['kind', 'path'],
        properties: {
          kind: { description: 'Kind of the object or manifest.', ...text },
          path: {
            description: 'Path as reports print it, such as `data[config.yaml]`. `*` is any key or entry.',
            ...text,
          },
        },
      },
    },
  },
} as const;
