import { ocmKinds } from '../../schemas/kinds.ts';
import { addOnGroup } from '../../schemas/groups.ts';

/** A kind of configuration, as references name it. */
export interface ConfigKind {
  /** The API group; absent or empty for the core group. */
  readonly group?: string;
  /** The plural: `addondeploymentconfigs`. */
  readonly resource: string;
}

/** A configuration by group, plural, namespace and name. */
export interface Referent extends ConfigKind {
  readonly group: string;
  readonly namespace?: string;
  readonly name: string;
}

/** Returns the key of a kind of configurations. Sorting by it sorts by group, then resource. */
export function configKindKey({ group = '', resource }: ConfigKind): string {
  return `${group}\u0000${resource}`;
}

/** Returns the kind of a key of `configKindKey`. */
export function configKindOfKey(key: string): Required<ConfigKind> {
  const [group = '', resource = ''] = key.split('\u0000');
  return { group, resource };
}

/** Returns a text that is equal for two references to one object, whether a missing group or namespace is absent or empty. */
export function referentKey({
  group = '',
  resource,
  namespace = '',
  name,
}: ConfigKind & Pick<Referent, 'namespace' | 'name'>): string {
  return `${group}\u0000${resource}\u0000${namespace}\u0000${name}`;
}

/** Which of several configurations of one kind the renderers of an add-on read. */
export type ReadPosition = 'first' | 'last';

/**
 * Returns the one of several configurations of a kind that is read. As addon-framework GetAddOnConfigRef, which returns the first
 * up to release 1.3 and the last since 1.4.
 *
 * @see https://github.com/open-cluster-management-io/addon-framework/pull/388
 */
export function configRead<T>(configs: readonly T[], position: ReadPosition): T | undefined {
  return configs.at(position === 'first' ? 0 : -1);
}

export function isTemplate({ group, resource }: ConfigKind): boolean {
  return group === addOnGroup && resource === ocmKinds.addOnTemplate.plural;
}

export function isDeploymentConfig({ group, resource }: ConfigKind): boolean {
  return group === addOnGroup && resource === ocmKinds.addOnDeploymentConfig.plural;
}
