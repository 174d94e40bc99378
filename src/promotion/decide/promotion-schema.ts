import type { JsonMap } from '../../base/json/json-map.ts';
import { promotionApiVersion, promotionKind, weekdays } from './promotion.ts';

const text: JsonMap = { type: 'string' };
const commit: JsonMap = { type: 'string', pattern: '^([0-9a-f]{40}|[0-9a-f]{64})$' };
const hash: JsonMap = { type: 'string', pattern: '^[0-9a-f]{64}$' };
const time: JsonMap = { type: 'string', pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$|^24:00$' };
const duration: JsonMap = { type: 'string', pattern: '^([0-9]+(\\.[0-9]+)?(h|m|s|ms))+$' };
const contentHashes: JsonMap = {
  description: 'Content hash by cluster.',
  type: 'object',
  additionalProperties: { type: 'string', pattern: '^([0-9a-f]{16}|unmarked|absent)$' },
};

function closed(properties: Readonly<Record<string, JsonMap>>, required: readonly string[] = []): JsonMap {
  return {
    type: 'object',
    additionalProperties: false,
    ...(required.length > 0 && { required }),
    properties,
  };
}

function list(items: JsonMap): JsonMap {
  return { type: 'array', items };
}

const outsideGate: JsonMap = {
  description: 'A condition outside of Git, of one kind.',
  ...closed(
    {
      name: { type: 'string', pattern: '^[A-Za-z0-9]([-A-Za-z0-9_. ]*[A-Za-z0-9])?$', maxLength: 63 },
      prometheus: {
        description: 'A query whose value meets a condition.',
        ...closed(
          {
            url: {
              description: 'The endpoint without /api/v1/query and without credentials.',
              type: 'string',
              pattern: '^https?://[^\\s/@?#]+(/[^\\s@?#]*)?$',
            },
            query: {
              description: 'A query that returns one value.',
              type: 'string',
              minLength: 1,
              maxLength: 4096,
            },
            condition: { description: 'An operator and a number: < 0.01', ...text },
            credentials: {
              description: 'The environment variable with the credentials. NAME_FILE names a file instead.',
              type: 'string',
              pattern: '^FLEETWRIGHT_[A-Z0-9_]+$',
            },
          },
          ['url', 'query', 'condition'],
        ),
      },
      job: {
        description: 'A Job on the hub that completes after each wave.',
        ...closed(
          {
            namespace: { type: 'string', pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$', maxLength: 63 },
            name: {
              description: 'With {release} for the start of the hash, and optionally {wave}.',
              ...text,
            },
          },
          ['namespace', 'name'],
        ),
      },
    },
    ['name'],
  ),
};

const spec: JsonMap = {
  description: 'What people decide. A gate that is not listed here does not exist.',
  ...closed({
    paused: { description: 'Whether no wave starts. false by default.', type: 'boolean' },
    whenBusy: {
      description:
        'What happens if Git changes during a release: the change waits, or a new release supersedes it. wait by default.',
      type: 'string',
      enum: ['wait', 'supersede'],
    },
    approval: {
      description: 'What needs an approval: nothing, each release, or each wave. none by default.',
      type: 'string',
      enum: ['none', 'release', 'waves'],
    },
    approved: {
      description: 'Hashes of approved releases, or HASH/WAVE for one wave.',
      ...list({ type: 'string', pattern: '^[0-9a-f]{64}(/[1-9][0-9]*)?$' }),
    },
    approvers: {
      description: 'Whose approvals count. Those of everyone who can change the file by default.',
      ...closed(
        {
          emails: {
            description: 'Email addresses of the authors of commits.',
            ...list({ type: 'string', pattern: '^[^\\s@<>]+@[^\\s@<>]+$' }),
            minItems: 1,
          },
          signed: {
            description: 'Whether the commit needs a good signature of its author. false by default.',
            type: 'boolean',
          },
        },
        ['emails'],
      ),
    },
    placements: {
      description:
        'With hub delivery: the order of the placements of the install strategies, as namespace/name. Others follow.',
      ...list(text),
    },
    gates: {
      description: 'Conditions outside of Git.',
      ...list(outsideGate),
      maxItems: 20,
    },
    window: {
      description: 'When waves may start. Always by default.',
      ...closed({
        timeZone: { description: 'IANA time zone. UTC by default.', ...text },
        open: {
          description: 'Hours of the week. All hours by default.',
          ...list(
            closed(
              {
                days: {
                  description: 'Every day by default.',
                  ...list({ type: 'string', enum: [...weekdays] }),
                },
                from: time,
                to: time,
              },
              ['from', 'to'],
            ),
          ),
        },
        closed: {
          description: 'Days on which no wave starts: 2026-12-24, or 2026-12-24/2027-01-01 including both.',
          ...list({
            type: 'string',
            pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}(/[0-9]{4}-[0-9]{2}-[0-9]{2})?$',
          }),
        },
      }),
    },
  }),
};

const gate: JsonMap = closed({
  minSuccessTime: duration,
  progressDeadline: duration,
  maxFailures: { type: 'integer', minimum: 0 },
});

const configReference: JsonMap = closed(
  { group: { type: 'string' }, resource: text, namespace: text, name: text },
  ['group', 'resource', 'name'],
);

const release: JsonMap = {
  description: 'The release in progress.',
  ...closed(
    {
      hash,
      source: commit,
      base: commit,
      restores: { description: 'Hash of the release that this one rolls back.', ...hash },
      released: { description: 'Number of waves that have started.', type: 'integer', minimum: 0 },
      openedBy: {
        description: 'The condition of each gate when the last wave started.',
        ...list(text),
      },
      gates: { type: 'object', additionalProperties: gate },
      waves: list(
        list(
          closed(
            {
              addOn: text,
              gate: text,
              placement: text,
              configs: list(configReference),
              requires: {
                description: 'Add-ons that must be Available on each cluster before the wave starts.',
                ...list(text),
              },
              requiredBy: {
                description: 'Add-ons that must have left each cluster before the wave starts.',
                ...list(text),
              },
              clusters: contentHashes,
            },
            ['addOn', 'gate', 'clusters'],
          ),
        ),
      ),
    },
    ['hash', 'source', 'base', 'released', 'gates', 'waves'],
  ),
};

const status: JsonMap = {
  description: 'How far the releases are. promote writes it.',
  ...closed({
    completed: {
      description: 'The last release that reached all clusters.',
      ...closed({ source: commit, hash }, ['source']),
    },
    release,
    rolledBack: {
      description: 'Content that was rolled back, and is not released again.',
      ...closed(
        { hash, parts: list(closed({ addOn: text, clusters: contentHashes }, ['addOn', 'clusters'])) },
        ['hash', 'parts'],
      ),
    },
    history: {
      description: 'Releases that ended, the latest first.',
      ...list(
        closed(
          {
            hash,
            source: commit,
            result: { type: 'string', enum: ['completed', 'superseded', 'rolled back', 'restored'] },
          },
          ['hash', 'source', 'result'],
        ),
      ),
    },
  }),
};

/** The schema of a promotion file. */
export const promotionSchema: JsonMap = {
  description: 'The releases of an app. metadata.name is the name of the app.',
  ...closed(
    {
      apiVersion: { type: 'string', enum: [promotionApiVersion] },
      kind: { type: 'string', enum: [promotionKind] },
      metadata: {
        type: 'object',
        required: ['name'],
        properties: { name: text },
        'x-kubernetes-preserve-unknown-fields': true,
      },
      spec,
      status,
    },
    ['apiVersion', 'kind', 'metadata'],
  ),
};

/** The file with the schema, for editors. */
export const promotionSchemaPath = 'schemas/promotion.json';
