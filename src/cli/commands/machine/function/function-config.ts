import { isMap, isNode } from 'yaml';
import { type Engine, engines } from '../../../../compiler/index.ts';
import { hubVersionNames } from '../../../../ocm/hub-version.ts';
import { readHubOptions } from '../../../options.ts';
import { UserError } from '../../../../workspace/user-error.ts';
import type { CompileTarget } from '../../../../workspace/output/compile-target.ts';
import { defaultSettings } from '../../../../workspace/settings/default-settings.ts';

/** The configuration of a KRM function. */
export interface FunctionConfig {
  /** Whether the items are validated and stay as they are, or are replaced by the output of synth. */
  readonly mode: 'validate' | 'synth';
  /** An app whose objects are added to the items. */
  readonly app: string | undefined;
  readonly fleet: readonly string[];
  readonly policy: string | undefined;
  readonly engine: Engine;
  readonly target: CompileTarget;
}

const settingNames = ['mode', 'app', 'fleet', 'policy', 'engine', 'hubVersion', 'apiVersion', 'now'];

/**
 * Reads the functionConfig of a ResourceList: its `spec`, or the `data` of a ConfigMap.
 *
 * @throws UserError if it has an invalid field or value.
 */
export function readFunctionConfig(node: unknown): FunctionConfig {
  const config = isNode(node) && isMap(node) ? (node.toJSON() as Readonly<Record<string, unknown>>) : {};
  const fields = config['kind'] === 'ConfigMap' ? config['data'] : config['spec'];
  const spec =
    typeof fields === 'object' && fields !== null ? (fields as Readonly<Record<string, unknown>>) : {};
  const unknown = Object.keys(spec).find((field) => !settingNames.includes(field));
  if (unknown !== undefined)
    throw new UserError(
      `functionConfig has an unknown field ${unknown}`,
      `the fields are ${settingNames.join(', ')}`,
    );
  const app = textOf(spec, 'app');
  const mode = choice(spec, 'mode', ['validate', 'synth'], 'validate');
  const fleet = spec['fleet'] ?? [];
  const files: readonly unknown[] = Array.isArray(fleet) ? fleet : [fleet];
  return {
    mode,
    app,
    fleet: files.map((file) => textOf({ fleet: file }, 'fleet') ?? ''),
    policy: textOf(spec, 'policy'),
    engine: choice(spec, 'engine', engines, defaultSettings.engine),
    target: readHubOptions(
      {
        'hub-version': choice(spec, 'hubVersion', hubVersionNames, defaultSettings.hubVersion),
        'api-version': choice(spec, 'apiVersion', ['v1alpha1', 'v1beta1'], defaultSettings.apiVersion),
        now: textOf(spec, 'now'),
      },
      defaultSettings,
    ),
  };
}

function textOf(spec: Readonly<Record<string, unknown>>, field: string): string | undefined {
  const value = spec[field];
  if (value === undefined || typeof value === 'string') return value;
  throw new UserError(`${field} of the functionConfig is not a string`);
}

function choice<T extends string>(
  spec: Readonly<Record<string, unknown>>,
  field: string,
  choices: readonly T[],
  otherwise: T,
): T {
  const value = textOf(spec, field);
  if (value === undefined) return otherwise;
  const option = choices.find((each) => each === value);
  if (option !== undefined) return option;
  throw new UserError(
    `${field} of the functionConfig is ${JSON.stringify(value)}`,
    `it is one of ${choices.join(', ')}`,
  );
}
