import type { AddOnDeploymentConfigV1alpha1 } from '../../../schemas/types.gen.ts';
import type { FieldPath } from '../../compiler/model/field-path.ts';
import type { Context } from '../context.ts';
import {
  at,
  create,
  literal,
  name,
  object,
  plain,
  unlessEmptyObject,
  type Expression,
  type Property,
  type Statement,
} from '../code/expression.ts';
import { metadataStatements, revisedMetadataProps } from './metadata.ts';
import { defaultInstallNamespace } from '../../ocm/install-namespace.ts';

/** Writes `new AddOnDeploymentConfig(…)`. */
export function writeAddOnDeploymentConfig(
  config: AddOnDeploymentConfigV1alpha1,
  context: Context,
): readonly Statement[] {
  const { location } = context;
  const {
    agentInstallNamespace,
    customizedVariables,
    nodePlacement,
    registries,
    proxyConfig,
    resourceRequirements,
  } = config.spec;
  // the construct requires a node selector, without which the hub ignores the tolerations
  const isOdd = nodePlacement !== undefined && nodePlacement.nodeSelector === undefined;
  const field = (key: string, value: unknown) =>
    at(['spec', key], value === undefined ? undefined : plain(value, ['spec', key]));
  const props = object({
    ...revisedMetadataProps(config, location),
    agentInstallNamespace: field(
      'agentInstallNamespace',
      agentInstallNamespace === defaultInstallNamespace ? undefined : agentInstallNamespace,
    ),
    customizedVariables: at(
      ['spec', 'customizedVariables'],
      variables(customizedVariables, ['spec', 'customizedVariables']),
    ),
    nodePlacement: field('nodePlacement', isOdd ? undefined : nodePlacement),
    registries: field('registries', registries),
    proxyConfig: field('proxyConfig', proxyConfig),
    resourceRequirements: field(
      'resourceRequirements',
      resourceRequirements?.length === 0 ? undefined : resourceRequirements,
    ),
  });
  return [
    {
      name: location.variable,
      value: create(
        'AddOnDeploymentConfig',
        name(location.chart),
        literal(location.id),
        unlessEmptyObject(props),
      ),
    },
    ...metadataStatements(config, context),
  ];
}

/** Returns the variables by name. Undefined if one has no value or two have one name. */
function variables(
  list: AddOnDeploymentConfigV1alpha1['spec']['customizedVariables'],
  path: FieldPath,
): Expression | undefined {
  const properties: Property[] = [];
  for (const [index, { name: key, value }] of (list ?? []).entries()) {
    if (value === undefined) return undefined;
    properties.push({ key, value: literal(value), path: [...path, index] });
  }
  const isUnique = new Set(properties.map(({ key }) => key)).size === properties.length;
  return properties.length > 0 && isUnique ? { type: 'object', properties } : undefined;
}
