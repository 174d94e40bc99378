import type {
  ClusterManagementAddOnV1beta1,
  ClusterManagementAddOnV1beta1DefaultConfig,
  ClusterManagementAddOnV1beta1PlacementStrategy,
  ManagedClusterAddOnV1beta1,
} from '../../schemas/types.gen.ts';
import { deliveryAnnotation } from '../../schemas/own-annotations.ts';
import { noDefaultConfigName } from '../admit/convert-cluster-management-add-on.ts';
import { installNamespaceAnnotation } from '../admit/convert-managed-cluster-add-on.ts';
import { lifecycleAnnotation } from '../api/install-strategy.ts';
import { addOnGroup } from '../api/referent.ts';
import type { FieldPath } from '../field-path.ts';
import { all } from './all.ts';
import type { ResourceReference } from './config-reference.ts';
import type { Context } from './context.ts';
import {
  at,
  call,
  create,
  literal,
  name,
  object,
  unlessEmptyObject,
  type Expression,
  type Statement,
} from './expression.ts';
import { labelProps, metadataProps, metadataStatements } from './metadata.ts';
import { patch } from './patch.ts';
import { rollout, withoutDefaults } from './rollout.ts';

/** `new ClusterManagementAddOn(…)`. */
export function writeClusterManagementAddOn(
  written: ClusterManagementAddOnV1beta1,
  context: Context,
): readonly Statement[] | undefined {
  const { place } = context;
  const {
    [lifecycleAnnotation]: lifecycle = 'unset',
    [deliveryAnnotation]: delivery = 'hub',
    ...annotations
  } = written.metadata.annotations ?? {};
  if (!lifecycles.has(lifecycle) || !deliveries.has(delivery)) return undefined;
  const addOn = { ...written, metadata: { ...written.metadata, annotations } };
  const { addOnMeta, defaultConfigs, installStrategy, ...others } = addOn.spec;
  const placements = ['spec', 'installStrategy', 'placements'];
  const configs = all(defaultConfigs, ['spec', 'defaultConfigs'], (config) => defaultConfig(config, context));
  const patches: Statement[] = [];
  const strategies = all(installStrategy?.placements, placements, (strategy, path) => {
    const { expression, rest } = placementStrategy(strategy, path, context) ?? {};
    if (rest !== undefined) patches.push(patch(place.variable, [...path, 'rolloutStrategy'], rest));
    return expression;
  });
  const { type = 'Manual', ...more } = installStrategy ?? {};
  const isPlaced = type === 'Placements';
  if (configs === 'unsayable' || strategies === 'unsayable' || isPlaced !== (strategies !== undefined))
    return undefined;
  if (Object.keys(others).length > 0 || Object.keys(more).some((key) => key !== 'placements'))
    return undefined;
  const metaField = (field: 'displayName' | 'description') => {
    const value = addOnMeta?.[field];
    return at(['spec', 'addOnMeta', field], value === undefined ? undefined : literal(value));
  };
  const { annotations: kept, ...metadata } = metadataProps(addOn, place);
  const props = object({
    ...metadata,
    annotations: Object.keys(annotations).length === 0 ? undefined : kept,
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
    defaultConfigs: at(['spec', 'defaultConfigs'], configs),
    placements: at(['spec', 'installStrategy'], strategies),
  });
  return [
    {
      name: place.variable,
      value: create('ClusterManagementAddOn', name(place.chart), literal(place.id), unlessEmptyObject(props)),
    },
    ...patches,
    ...metadataStatements(addOn, context),
  ];
}

const deliveries: ReadonlySet<string> = new Set(['hub', 'compiled']);
const lifecycles: ReadonlySet<string> = new Set(['addon-manager', 'self', 'unset']);

function defaultConfig(
  { group = '', resource, namespace, name }: ClusterManagementAddOnV1beta1DefaultConfig,
  context: Context,
): Expression | undefined {
  if (name === noDefaultConfigName) return namespace === undefined ? supported(group, resource) : undefined;
  return context.config({ group, resource, name, ...(namespace !== undefined && { namespace }) });
}

/** The classes of configuration, by the name under which the API serves them. */
const configClasses: ReadonlyMap<string, string> = new Map([
  [`${addOnGroup}/addondeploymentconfigs`, 'AddOnDeploymentConfig'],
  [`${addOnGroup}/addontemplates`, 'AddOnTemplate'],
]);

function supported(apiGroup: string, resource: string): Expression {
  const known = configClasses.get(`${apiGroup}/${resource}`);
  const kind =
    known === undefined ? object({ group: literal(apiGroup), resource: literal(resource) }) : name(known);
  return call('AddOnConfig', 'supported', kind);
}

/** The strategy, and the rollout where `Rollout` cannot say it. */
function placementStrategy(
  { namespace, name, configs, rolloutStrategy, ...others }: ClusterManagementAddOnV1beta1PlacementStrategy,
  path: FieldPath,
  context: Context,
): { readonly expression: Expression; readonly rest: object | undefined } | undefined {
  const written = configList(configs, [...path, 'configs'], context);
  const strategy = [...path, 'rolloutStrategy'];
  const waves = rollout(rolloutStrategy, { namespace, name }, strategy, context);
  if (written === 'unsayable' || Object.keys(others).length > 0) return undefined;
  const expression = object({
    placement: at([...path, 'name'], context.placement(namespace, name)),
    configs: at([...path, 'configs'], written),
    rollout: at(strategy, waves === 'none' ? undefined : waves),
  });
  return {
    expression,
    rest: waves === undefined && rolloutStrategy !== undefined ? withoutDefaults(rolloutStrategy) : undefined,
  };
}

function configList(
  configs: readonly (Omit<ResourceReference, 'group'> & { readonly group?: string })[] | undefined,
  path: FieldPath,
  context: Context,
): Expression | 'unsayable' | undefined {
  return all(configs, path, ({ group = '', resource, namespace, name, ...others }) =>
    Object.keys(others).length > 0
      ? undefined
      : context.config({ group, resource, name, ...(namespace !== undefined && { namespace }) }),
  );
}

/** `addOn.forCluster(…)`, or `new ManagedClusterAddOn(…)` where the add-on is not a construct. */
export function writeManagedClusterAddOn(
  written: ManagedClusterAddOnV1beta1,
  context: Context,
): readonly Statement[] | undefined {
  const { place } = context;
  const { [installNamespaceAnnotation]: installNamespace, ...annotations } =
    written.metadata.annotations ?? {};
  const addOn = { ...written, metadata: { ...written.metadata, annotations } };
  const { configs, ...others } = addOn.spec ?? {};
  const own = configList(configs, ['spec', 'configs'], context);
  if (own === 'unsayable' || Object.keys(others).length > 0) return undefined;
  const { annotations: kept, labels } = labelProps(addOn);
  const { name: addOnName = '', namespace: cluster = '' } = addOn.metadata;
  const props = {
    labels,
    annotations: Object.keys(annotations).length === 0 ? undefined : kept,
    configs: at(['spec', 'configs'], own),
    installNamespace: at(
      ['spec', 'installNamespace'],
      // the hub fills this one in
      installNamespace === undefined || installNamespace === 'open-cluster-management-agent-addon'
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
          name(place.chart),
          literal(place.id),
          object({ addOn: reference, cluster: literal(cluster), ...props }),
        );
  return [{ name: place.variable, value }, ...metadataStatements(addOn, context)];
}
