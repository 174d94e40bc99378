import type {
  ClusterManagementAddOnV1beta1,
  ClusterManagementAddOnV1beta1DefaultConfig,
  ClusterManagementAddOnV1beta1PlacementStrategy,
  ManagedClusterAddOnV1beta1,
} from '../../../schemas/types.gen.ts';
import { deliveryAnnotation } from '../../ocm/fleetwright-annotations.ts';
import { installNamespaceAnnotation } from '../../compiler/admit/conversion/convert-managed-cluster-add-on.ts';
import type { FieldPath } from '../../compiler/model/field-path.ts';
import { listExpression } from '../code/list-expression.ts';
import type { ResourceReference } from './config-reference.ts';
import type { Context } from '../context.ts';
import {
  at,
  call,
  create,
  literal,
  name,
  object,
  unlessEmptyList,
  unlessEmptyObject,
  type Expression,
  type Statement,
} from '../code/expression.ts';
import { labelProps, metadataProps, metadataStatements } from './metadata.ts';
import { rollout } from './rollout.ts';
import { addOnGroup } from '../../../schemas/groups.ts';
import { lifecycleAnnotation } from '../../ocm/lifecycle.ts';
import { defaultInstallNamespace } from '../../ocm/install-namespace.ts';
import { noDefaultConfigName } from '../../ocm/default-config.ts';

/** Writes `new ClusterManagementAddOn(…)`. */
export function writeClusterManagementAddOn(
  original: ClusterManagementAddOnV1beta1,
  context: Context,
): readonly Statement[] {
  const { location } = context;
  const { lifecycle, delivery, annotations } = modes(original.metadata.annotations ?? {});
  const addOn = { ...original, metadata: { ...original.metadata, annotations } };
  const { addOnMeta, defaultConfigs, installStrategy } = addOn.spec;
  const strategies = ['spec', 'installStrategy', 'placements'];
  const placements = installStrategy?.type === 'Placements' ? (installStrategy.placements ?? []) : undefined;
  const metaField = (field: 'displayName' | 'description') => {
    const value = addOnMeta?.[field];
    return at(['spec', 'addOnMeta', field], value === undefined ? undefined : literal(value));
  };
  const { annotations: annotationProps, ...metadata } = metadataProps(addOn, location);
  const props = object({
    ...metadata,
    annotations: Object.keys(annotations).length === 0 ? undefined : annotationProps,
    lifecycle: at(
      ['metadata', 'annotations', lifecycleAnnotation],
      lifecycle === (delivery === 'compiled' ? 'self' : 'addon-manager') ? undefined : literal(lifecycle),
    ),
    delivery: at(
      ['metadata', 'annotations', deliveryAnnotation],
      delivery === 'hub' ? undefined : literal(delivery),
    ),
    displayName: metaField('displayName'),
    description: metaField('description'),
    defaultConfigs: at(
      ['spec', 'defaultConfigs'],
      unlessEmptyList(
        listExpression(defaultConfigs, ['spec', 'defaultConfigs'], (config) =>
          defaultConfig(config, context),
        ),
      ),
    ),
    placements: at(
      ['spec', 'installStrategy'],
      listExpression(placements, strategies, (strategy, path) => placementStrategy(strategy, path, context)),
    ),
  });
  return [
    {
      name: location.variable,
      value: create(
        'ClusterManagementAddOn',
        name(location.chart),
        literal(location.id),
        unlessEmptyObject(props),
      ),
    },
    ...metadataStatements(addOn, context),
  ];
}

/** Writes two of the annotations as props. Values that the props do not accept stay annotations. */
function modes(annotations: Readonly<Record<string, string>>) {
  const { [lifecycleAnnotation]: lifecycle, [deliveryAnnotation]: delivery, ...others } = annotations;
  const isLifecycle = lifecycle === 'addon-manager' || lifecycle === 'self';
  const isCompiled = delivery === 'compiled';
  return {
    lifecycle: isLifecycle ? lifecycle : 'unset',
    delivery: isCompiled ? delivery : 'hub',
    annotations: {
      ...others,
      ...(lifecycle !== undefined && !isLifecycle && { [lifecycleAnnotation]: lifecycle }),
      ...(delivery !== undefined && !isCompiled && { [deliveryAnnotation]: delivery }),
    },
  } as const;
}

function defaultConfig(
  { group = '', resource, namespace, name }: ClusterManagementAddOnV1beta1DefaultConfig,
  context: Context,
): Expression | undefined {
  if (name === noDefaultConfigName) return namespace === undefined ? supported(group, resource) : undefined;
  return context.config({ group, resource, name, ...(namespace !== undefined && { namespace }) });
}

/** The configuration classes, by the name under which the API serves them. */
const configClasses: ReadonlyMap<string, string> = new Map([
  [`${addOnGroup}/addondeploymentconfigs`, 'AddOnDeploymentConfig'],
  [`${addOnGroup}/addontemplates`, 'AddOnTemplate'],
]);

function supported(apiGroup: string, resource: string): Expression {
  const className = configClasses.get(`${apiGroup}/${resource}`);
  const kind =
    className === undefined
      ? object({ group: literal(apiGroup), resource: literal(resource) })
      : name(className);
  return call('AddOnConfig', 'supported', kind);
}

function placementStrategy(
  { namespace, name, configs, rolloutStrategy }: ClusterManagementAddOnV1beta1PlacementStrategy,
  path: FieldPath,
  context: Context,
): Expression {
  const strategy = [...path, 'rolloutStrategy'];
  const waves = rollout(rolloutStrategy, { namespace, name }, strategy, context);
  return object({
    placement: at([...path, 'name'], context.placement(namespace, name)),
    configs: at([...path, 'configs'], configList(configs, [...path, 'configs'], context)),
    rollout: at(strategy, waves === 'none' ? undefined : waves),
  });
}

function configList(
  configs: readonly (Omit<ResourceReference, 'group'> & { readonly group?: string })[] | undefined,
  path: FieldPath,
  context: Context,
): Expression | undefined {
  const references = listExpression(configs, path, ({ group = '', resource, namespace, name }) =>
    context.config({ group, resource, name, ...(namespace !== undefined && { namespace }) }),
  );
  return unlessEmptyList(references);
}

/** Writes `addOn.forCluster(…)`, or `new ManagedClusterAddOn(…)` if the add-on is not a construct. */
export function writeManagedClusterAddOn(
  original: ManagedClusterAddOnV1beta1,
  context: Context,
): readonly Statement[] {
  const { location } = context;
  const { [installNamespaceAnnotation]: installNamespace, ...annotations } =
    original.metadata.annotations ?? {};
  const addOn = { ...original, metadata: { ...original.metadata, annotations } };
  const configs = configList(addOn.spec?.configs, ['spec', 'configs'], context);
  const { annotations: annotationProps, labels } = labelProps(addOn);
  const { name: addOnName = '', namespace: cluster = '' } = addOn.metadata;
  const props = {
    labels,
    annotations: Object.keys(annotations).length === 0 ? undefined : annotationProps,
    configs: at(['spec', 'configs'], configs),
    installNamespace: at(
      ['spec', 'installNamespace'],
      // the hub sets this one
      installNamespace === undefined || installNamespace === defaultInstallNamespace
        ? undefined
        : literal(installNamespace),
    ),
  };
  const reference = context.addOn(addOnName);
  const value =
    reference.type === 'name'
      ? call(reference, 'forCluster', literal(cluster), unlessEmptyObject(object(props)))
      : create(
          'ManagedClusterAddOn',
          name(location.chart),
          literal(location.id),
          object({ addOn: reference, cluster: literal(cluster), ...props }),
        );
  return [{ name: location.variable, value }, ...metadataStatements(addOn, context)];
}
