import type { AddOnDeploymentConfigV1alpha1 } from '../../schemas/types.gen.ts';
import type { Context } from './context.ts';
import {
  at,
  create,
  literal,
  name,
  object,
  plain,
  unlessEmptyObject,
  type Property,
  type Statement,
} from './expression.ts';
import { patch } from './patch.ts';
import { metadataProps, metadataStatements } from './metadata.ts';

/** `new AddOnDeploymentConfig(…)`. */
export function writeAddOnDeploymentConfig(
  config: AddOnDeploymentConfigV1alpha1,
  context: Context,
): readonly Statement[] | undefined {
  const { place } = context;
  const { agentInstallNamespace, customizedVariables, nodePlacement, ...rest } = config.spec;
  const { registries, proxyConfig, resourceRequirements, ...others } = rest;
  if (Object.keys(others).length > 0) return undefined;
  // the construct demands a node selector, without which the hub ignores the tolerations
  const isOdd = nodePlacement !== undefined && nodePlacement.nodeSelector === undefined;
  const variables = customizedVariables?.map(({ name, value }, index): Property | undefined =>
    value === undefined
      ? undefined
      : { key: name, value: literal(value), path: ['spec', 'customizedVariables', index] },
  );
  if (variables?.includes(undefined)) return undefined;
  const field = (key: string, value: unknown) =>
    at(['spec', key], value === undefined ? undefined : plain(value, ['spec', key]));
  const props = object({
    ...metadataProps(config, place),
    agentInstallNamespace: field(
      'agentInstallNamespace',
      agentInstallNamespace === 'open-cluster-management-agent-addon' ? undefined : agentInstallNamespace,
    ),
    customizedVariables: at(
      ['spec', 'customizedVariables'],
      variables && { type: 'object', properties: variables.filter((variable) => variable !== undefined) },
    ),
    nodePlacement: field('nodePlacement', isOdd ? undefined : nodePlacement),
    registries: field('registries', registries),
    proxyConfig: field('proxyConfig', proxyConfig),
    resourceRequirements: field('resourceRequirements', resourceRequirements),
  });
  return [
    {
      name: place.variable,
      value: create('AddOnDeploymentConfig', name(place.chart), literal(place.id), unlessEmptyObject(props)),
    },
    ...(isOdd ? [patch(place.variable, ['spec', 'nodePlacement'], nodePlacement)] : []),
    ...metadataStatements(config, context),
  ];
}
