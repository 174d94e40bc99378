import type { LoadedObject } from '../model/inventory.ts';
import type { Origin } from '../model/origin.ts';
import { parameterOf } from './declaration.ts';
import type { Layer, Parameter, ParameterTarget } from './model.ts';
import type { ReportFault } from './report-fault.ts';
import type { ParametersObject } from './written-objects.ts';

/** Reads the parameters that an AddOnParameters declares. Faults are reported. */
export function declaredParameters(
  loaded: LoadedObject,
  report: ReportFault,
): ReadonlyMap<string, Parameter> {
  const { metadata, spec } = loaded.object as unknown as ParametersObject;
  const parameters = new Map<string, Parameter>();
  const targets = new Map<string, string>();
  for (const [name, written] of Object.entries(spec.parameters)) {
    const path = ['spec', 'parameters', name];
    const { parameter, faults } = parameterOf(name, written, path);
    for (const { code, path: at, message, hint } of faults) report(code, [...path, ...at], message, hint);
    const set = targetKeys(parameter.target);
    const other = set.map((key) => targets.get(key)).find((taken) => taken !== undefined);
    if (other !== undefined) report('FW4109', path, `"${name}" and "${other}" set the same target`);
    for (const key of set) targets.set(key, name);
    parameters.set(name, parameter);
    if (parameter.sensitive)
      report(
        'FW4117',
        [...path, 'sensitive'],
        `reports mask "${name}", but Git and the hub have its value in plain text`,
        'refer to a Secret on the cluster instead, or accept this finding',
      );
  }
  if (parameters.size > 0 && (metadata.namespace ?? '') === '')
    report(
      'FW4109',
      ['metadata'],
      'metadata.namespace is missing: the AddOnDeploymentConfigs need a namespace',
      'set it to the namespace of the add-on on the hub',
    );
  return parameters;
}

/** Returns texts that two parameters of an add-on cannot both have. */
function targetKeys(target: ParameterTarget): readonly string[] {
  if (target.kind === 'field') return [`field ${target.field}`];
  const variable = `variable ${target.variable}`;
  return target.kind === 'variable' ? [variable] : [variable, `value ${JSON.stringify(target.path)}`];
}

/** Returns the defaults as the weakest layer. */
export function defaultLayers(
  parameters: ReadonlyMap<string, Parameter>,
  { object, origin }: LoadedObject,
): Layer[] {
  return [...parameters.values()].flatMap((parameter) =>
    parameter.default === undefined
      ? []
      : [
          {
            scope: { rank: 'default' as const },
            title: 'default',
            order: 0,
            values: { [parameter.name]: parameter.default },
            object,
            origin: defaultOrigin(origin),
            path: parameter.path,
            valuesPath: ['spec', 'parameters'],
          },
        ],
  );
}

/** Locates values of the layer of defaults: the default of a parameter is a field of its declaration. */
function defaultOrigin(origin: Origin): Origin {
  return {
    get location() {
      return origin.location;
    },
    locate: ([spec = '', parameters = '', name = '', ...rest]) =>
      origin.locate([spec, parameters, name, 'default', ...rest]),
  };
}
