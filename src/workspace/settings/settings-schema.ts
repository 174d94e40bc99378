import { engines } from '../../compiler/index.ts';
import { hubVersionNames } from '../../ocm/hub-version.ts';
import { findingsSchema } from './findings-schema.ts';
import { invariantsSchema } from './invariants-schema.ts';
import { sensitiveSchema } from './sensitive-schema.ts';
import { defaultSettings } from './default-settings.ts';

/** The URL of the published schema, as editors find it in the package. */
export const schemaPath = 'schemas/fleetwright.json';

const text = { type: 'string', pattern: '\\S', fault: 'is not a string' } as const;
const texts = { type: ['array', 'null'], items: text, fault: 'is not a list' } as const;
const textOrTexts = {
  type: ['string', 'array', 'null'],
  pattern: '\\S',
  items: text,
  fault: 'is neither a string nor a list of strings',
} as const;

const count = {
  type: ['integer', 'null'],
  minimum: 0,
  maximum: 9999,
  fault: 'is not a number of 0 to 9999',
} as const;

const sizes = [
  { type: 'integer', minimum: 0 },
  { type: 'string', pattern: '^\\d+$' },
  { type: 'string', pattern: '^(\\d{1,2}(\\.\\d+)?|100(\\.0+)?)%$' },
] as const;

const clusters = { anyOf: sizes, fault: 'is neither a number of clusters nor a share such as 10%' } as const;

function shareOf(what: string) {
  return {
    anyOf: [...sizes, { type: 'null' }],
    fault: `is neither a number of ${what} nor a share such as 10%`,
  } as const;
}

/**
 * The JSON Schema (draft 7) of fleetwright.yaml: `npm run types` writes it to schemas/fleetwright.json, for editors, and to
 * docs/settings.md. The keyword `fault` completes the message for an invalid value.
 */
export const settingsSchema = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  title: 'fleetwright.yaml',
  description: 'Settings of a workspace. All keys are optional, and a key without a value counts as missing.',
  type: ['object', 'null'],
  additionalProperties: false,
  properties: {
    apps: {
      description: 'The apps. A string is short for `folder`.',
      type: ['string', 'object', 'null'],
      pattern: '\\S',
      fault: 'is neither a folder nor a mapping',
      additionalProperties: false,
      properties: {
        folder: { description: 'Folder of the apps.', default: defaultSettings.apps, ...text },
        unconfined: {
          description: 'Names of apps that run without confinement, with all rights of the user.',
          ...texts,
        },
        confinement: {
          description:
            'Whether apps run if the operating system cannot confine them: `available` runs them with a notice, `required` is an error.',
          type: ['string', 'null'],
          enum: ['available', 'required', null],
          default: 'available',
        },
      },
    },
    out: {
      description: 'Output folder of `synth`, with one subfolder per app.',
      default: defaultSettings.out,
      ...text,
    },
    fleet: {
      description:
        'The fleet snapshot of all apps without a separate one. A string or a list is short for `path`.',
      type: ['string', 'array', 'object', 'null'],
      pattern: '\\S',
      items: text,
      fault: 'is neither a file, a list of files nor a mapping',
      additionalProperties: false,
      properties: {
        path: {
          description:
            'Files or folders. By default `fleet.yaml`, `fleet.json` or `fleet/` beside fleetwright.yaml.',
          ...textOrTexts,
        },
        maxAge: {
          description: 'Maximum age of the snapshot before `plan` warns, such as `7d`, `12h` or `30m`.',
          default: defaultSettings.maxAge,
          type: ['string', 'null'],
          pattern: '^\\d+[dhm]$',
          fault: 'is not an age such as 7d or 12h',
        },
      },
    },
    engine: {
      description: 'GitOps engine, which determines how the output expresses its order.',
      default: defaultSettings.engine,
      enum: [...engines, null],
    },
    hubVersion: {
      description:
        'OCM release of the hub. No hub of `1.4` has confirmed the predictions, and `1.5` is a preview.',
      default: defaultSettings.hubVersion,
      enum: [...hubVersionNames, null],
    },
    apiVersion: {
      description: 'API version of add-on objects in the output.',
      default: defaultSettings.apiVersion,
      enum: ['v1alpha1', 'v1beta1', null],
    },
    revisionHistoryLimit: {
      description:
        'Number of earlier revisions of each immutable object, and of removed objects of each kind, that the output keeps. An integer is short for `default`.',
      ...count,
      type: ['integer', 'object', 'null'],
      fault: 'is neither a number of 0 to 9999 nor a mapping',
      additionalProperties: false,
      properties: {
        default: {
          description: 'Limit of apps without one. `revisionHistoryLimit` of an object overrides it.',
          default: `${defaultSettings.revisionHistoryLimit}`,
          ...count,
        },
        apps: {
          description: 'Limits by app, such as `metrics: 3`.',
          type: ['object', 'null'],
          additionalProperties: count,
        },
      },
    },
    hubs: {
      description: 'The hubs, by name: environments or regions. By default one hub without a name.',
      type: ['object', 'null'],
      additionalProperties: {
        type: ['object', 'null'],
        additionalProperties: false,
        properties: {
          fleet: {
            description:
              'Files or folders of the fleet snapshot. By default `fleets/NAME.yaml`, `fleets/NAME.json` or `fleets/NAME/`.',
            ...textOrTexts,
          },
          hubVersion: {
            description: 'OCM release of the hub. By default the top-level `hubVersion`.',
            enum: [...hubVersionNames, null],
          },
          apiVersion: {
            description:
              'API version of add-on objects in the output. By default the top-level `apiVersion`.',
            enum: ['v1alpha1', 'v1beta1', null],
          },
          engine: {
            description: 'GitOps engine. By default the top-level `engine`.',
            enum: [...engines, null],
          },
          out: {
            description:
              'Output folder, with one subfolder per app. By default `NAME` in the top-level `out`.',
            ...text,
          },
          facts: {
            description: 'Values that apps use, such as `environment: prod`.',
            type: ['object', 'null'],
            additionalProperties: true,
          },
        },
      },
    },
    equal: {
      description:
        'Hubs whose add-ons must have the same effective configuration: a list of names, or a list of such lists.',
      type: ['array', 'null'],
      items: {
        anyOf: [text, { type: 'array', items: text, minItems: 2 }],
        fault: 'is neither a hub nor a list of at least two hubs',
      },
      fault: 'is not a list',
    },
    kustomize: {
      description: 'Kustomizations among the apps.',
      type: ['object', 'null'],
      additionalProperties: false,
      properties: {
        apps: {
          description:
            'The kustomization that applies, by app: its folder, relative to the app, such as `metrics: overlays/prod`.',
          type: ['object', 'null'],
          additionalProperties: text,
        },
        plugins: {
          description:
            'Whether kustomizations may use plugins and functions, such as PolicyGenerator, which run as programs. In a request, the base decides.',
          default: 'false',
          type: ['boolean', 'null'],
          fault: 'is neither true nor false',
        },
        helm: {
          description:
            'Whether kustomizations may use `helmCharts`, for which kustomize runs Helm. In a request, the base decides.',
          default: 'false',
          type: ['boolean', 'null'],
          fault: 'is neither true nor false',
        },
      },
    },
    plan: {
      description: 'Defaults of `plan`.',
      type: ['object', 'null'],
      additionalProperties: false,
      properties: {
        by: { description: 'Cluster labels to count the changed clusters by.', ...textOrTexts },
      },
    },
    guardrails: {
      description: 'Limits of a change. `plan` takes them from the base of a pull request.',
      type: ['object', 'null'],
      additionalProperties: false,
      properties: {
        maxUninstalls: {
          description: 'Maximum number of uninstalls.',
          type: ['integer', 'null'],
          minimum: 0,
          fault: 'is not a number of at least 0',
        },
        maxDeletions: {
          description: 'Maximum number of Namespaces, CRDs and PVCs that clusters delete with their content.',
          type: ['integer', 'null'],
          minimum: 0,
          fault: 'is not a number of at least 0',
        },
        maxDeletedApplications: {
          description:
            'Maximum number or share of Applications that ApplicationSets delete with what they deployed.',
          ...shareOf('Applications'),
        },
        maxStoppedPolicies: {
          description:
            'How often a policy may be removed from a cluster or no longer be enforced there: a number, or a share of the policies on clusters.',
          ...shareOf('policies on clusters'),
        },
        atMost: {
          description:
            'Maximum number or share of changed clusters, by label and value: `env: { prod: 10% }`.',
          type: ['object', 'null'],
          additionalProperties: { type: ['object', 'null'], additionalProperties: clusters },
        },
        protect: { description: 'Clusters that must not change.', ...texts },
        approved: { description: 'Hashes of plans that may exceed the guardrails.', ...texts },
      },
    },
    policies: {
      description: 'Rules for every add-on on every cluster, by name.',
      type: ['object', 'null'],
      additionalProperties: {
        type: 'object',
        additionalProperties: false,
        required: ['expression', 'message'],
        properties: {
          expression: { description: 'CEL expression that is true where the policy is met.', ...text },
          message: { description: 'What is wrong where it is not met.', ...text },
          severity: {
            description: 'Severity of a violation.',
            default: 'error',
            enum: ['error', 'warning', null],
          },
        },
      },
    },
    invariants: invariantsSchema,
    findings: findingsSchema,
    sensitive: sensitiveSchema,
    external: {
      description:
        'Objects that the hub has besides those in Git, so that references to them are not reported.',
      type: ['array', 'null'],
      fault: 'is not a list',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['kind', 'name'],
        properties: {
          apiVersion: { description: 'API version, or any version of its group.', ...text },
          kind: { description: 'Kind.', ...text },
          namespace: { description: 'Namespace. By default any.', ...text },
          name: { description: 'Name, or `"*"` for any name.', hint: 'write "*" for any name', ...text },
        },
      },
    },
  },
} as const;
