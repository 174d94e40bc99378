import { settableSeverities } from '../../compiler/model/finding-settings.ts';

const text = { type: 'string', pattern: '\\S', fault: 'is not a string' } as const;

/** The schema of the key `findings` of fleetwright.yaml. */
export const findingsSchema = {
  description: 'Findings that the workspace accepts, and severities of codes.',
  type: ['object', 'null'],
  additionalProperties: false,
  properties: {
    accepted: {
      description: 'Single findings that are not reported, each with `object` or `file`.',
      type: ['array', 'null'],
      fault: 'is not a list',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['code', 'reason'],
        properties: {
          code: { description: 'Code of the finding, such as `FW7206`.', ...text },
          object: {
            description: 'Object as reports print it, such as `Placement default/prod`.',
            ...text,
          },
          file: { description: 'File of a finding without an object.', ...text },
          field: { description: 'Field as reports print it. By default any.', ...text },
          policy: { description: 'Name of the policy that is violated. By default any.', ...text },
          reason: {
            description: 'Why the finding is accepted.',
            hint: 'say why the finding is accepted',
            ...text,
          },
          until: {
            description: 'Last day of the acceptance, such as `2027-01-31`. By default no end.',
            ...text,
          },
        },
      },
    },
    severity: {
      description:
        'Severities by code: `off`, or `warning` or `error` to raise it. Codes of errors cannot be turned off.',
      type: ['object', 'null'],
      additionalProperties: { enum: settableSeverities },
    },
  },
} as const;
