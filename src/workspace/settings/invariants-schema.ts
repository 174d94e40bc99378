const text = { type: 'string', pattern: '\\S', fault: 'is not a string' } as const;
const texts = { type: 'array', items: text, minItems: 1, fault: 'is not a list of strings' } as const;
const textOrTexts = {
  type: ['string', 'array'],
  pattern: '\\S',
  items: text,
  fault: 'is neither a string nor a list of strings',
} as const;
const allOrTexts = {
  anyOf: [{ const: true }, { type: 'array', items: text, minItems: 1 }],
  fault: 'is neither true nor a list of add-ons',
} as const;
const values = {
  type: 'object',
  additionalProperties: {
    type: ['string', 'boolean', 'array'],
    items: { type: 'string', fault: 'is not a string' },
    fault: 'is neither a value, a list of values, true nor false',
  },
  fault: 'is not a mapping of keys to values',
} as const;
const byAddOn = {
  type: 'object',
  additionalProperties: { type: 'object', additionalProperties: textOrTexts, fault: 'is not a mapping' },
  fault: 'is not a mapping of add-ons',
} as const;

/** The fields of a condition, without `not`. */
const condition = {
  labels: {
    description: 'Labels and values: one of a list, `true` for any value, `false` for none.',
    ...values,
  },
  claims: { description: 'Claims and values, as for labels.', ...values },
  sets: { description: 'Sets; the cluster is in one of them.', ...texts },
  placements: { description: 'Placements as `namespace/name`; one of them selects the cluster.', ...texts },
  groups: {
    description: 'Decision groups by Placement: `fleet/prod: canary`.',
    type: 'object',
    additionalProperties: text,
  },
  cel: { description: 'CEL expressions over `managedCluster`; all of them are true.', ...texts },
  has: { description: 'Add-ons that the cluster has.', ...texts },
  lacks: { description: 'Add-ons that the cluster does not have.', ...texts },
} as const;

function conditionOf<T extends string>(description: T) {
  return {
    description,
    type: 'object',
    additionalProperties: false,
    properties: {
      ...condition,
      not: {
        description: 'What does not hold.',
        type: 'object',
        additionalProperties: false,
        properties: condition,
      },
    },
  } as const;
}

/** The schema of the invariants in fleetwright.yaml. */
export const invariantsSchema = {
  description: 'What holds for clusters, whatever their labels are, by name. `prove` and `plan` decide it.',
  type: ['object', 'null'],
  additionalProperties: {
    type: 'object',
    additionalProperties: false,
    properties: {
      reason: { description: 'Why it matters.', ...text },
      clusters: {
        description:
          '`any`: every cluster that may exist. `fleet`: those of the fleet. By default `any`, and `fleet` with `edits`.',
        enum: ['any', 'fleet'],
      },
      edits: {
        description: 'Maximum number of edits of one cluster of the fleet.',
        type: 'integer',
        minimum: 0,
        maximum: 9999,
        fault: 'is not a number of 0 to 9999',
      },
      of: {
        description: 'What is edited. By default `labels`.',
        type: 'array',
        minItems: 1,
        items: { enum: ['labels', 'claims', 'taints', 'sets'] },
        fault: 'is not a list',
      },
      keys: { description: 'Labels and claims that are edited. By default all.', ...texts },
      before: conditionOf('The clusters that are edited, as they were before.'),
      where: conditionOf('The clusters that are meant; after the edits, if there are any.'),
      has: { description: 'Add-ons that these clusters have.', ...texts },
      lacks: { description: 'Add-ons that they do not have.', ...texts },
      only: {
        description: 'The only add-ons that they may have.',
        type: 'array',
        items: text,
        fault: 'is not a list of strings',
      },
      oneOf: { description: 'Add-ons of which they have exactly one.', ...texts },
      atMostOneOf: { description: 'Add-ons of which they have one or none.', ...texts },
      configs: {
        description: 'Configurations by add-on and resource, for clusters that have the add-on.',
        ...byAddOn,
      },
      values: {
        description: 'Values of variables by add-on, for clusters that have the add-on.',
        ...byAddOn,
      },
      onePlacementOf: { description: 'Placements of which exactly one selects them.', ...texts },
      atMostOnePlacementOf: { description: 'Placements of which one or none selects them.', ...texts },
      satisfies: {
        description:
          'CEL expressions that are true for these clusters. `addOns` has the installed add-ons by name, with `placements`, `configs` and `values`.',
        ...texts,
      },
      are: conditionOf('Another condition that holds for them.'),
      keeps: { description: 'Add-ons that no edit uninstalls; `true`: all.', ...allOrTexts },
      unchanged: {
        description: 'Add-ons that no edit installs, uninstalls or configures otherwise; `true`: all.',
        ...allOrTexts,
      },
      others: conditionOf('Other clusters than the edited one, on which no edit changes anything.'),
    },
  },
} as const;
