import { ignoredSteps, type IgnoredFields } from './ignored-fields.ts';

/** How the work agent writes a manifest, from the options of its work. */
export type UpdateStrategy = 'Update' | 'CreateOnly' | 'ServerSideApply' | 'ReadOnly';

/** The parts of a work that decide about single manifests. */
export interface ManifestOptions {
  readonly manifestConfigs?: readonly {
    readonly resourceIdentifier: ResourceIdentifier;
    readonly updateStrategy?: { readonly type: string; readonly serverSideApply?: WrittenServerSideApply };
    readonly conditionRules?: readonly { readonly condition?: string }[];
  }[];
  readonly deleteOption?: {
    readonly propagationPolicy?: string;
    readonly selectivelyOrphans?: { readonly orphaningRules?: readonly ResourceIdentifier[] };
  };
}

interface WrittenServerSideApply {
  readonly force?: boolean;
  readonly fieldManager?: string;
  readonly ignoreFields?: readonly IgnoredFields[];
}

/** A manifest, as the options of a work name it. */
export interface ResourceIdentifier {
  readonly group?: string;
  readonly resource: string;
  readonly namespace?: string;
  readonly name: string;
}

/** Returns the update strategy of a manifest. As FindManifestConfiguration: the first entry with a strategy counts. */
export function updateStrategyOf(options: ManifestOptions, resource: ResourceIdentifier): UpdateStrategy {
  return (writtenStrategyOf(options, resource)?.type ?? 'Update') as UpdateStrategy;
}

function writtenStrategyOf(
  { manifestConfigs = [] }: ManifestOptions,
  resource: ResourceIdentifier,
): { readonly type: string; readonly serverSideApply?: WrittenServerSideApply } | undefined {
  return manifestConfigs.find(
    ({ resourceIdentifier, updateStrategy }) =>
      updateStrategy !== undefined && isConfigOf(resourceIdentifier, resource),
  )?.updateStrategy;
}

/** How the agent applies a manifest with ServerSideApply. */
export interface ServerSideApplyOptions {
  readonly isForced: boolean;
  readonly fieldManager: string;
  /** Whether some fields are ignored: the agent then applies the manifest only if it has changed. */
  readonly ignoresFields: boolean;
  /** The paths of names of the fields that are left out while the object exists. Paths with other steps are not known. */
  readonly leftOut: readonly (readonly string[])[];
}

/** Returns how the agent applies a manifest with ServerSideApply. As ServerSideApply.Apply, with DefaultFieldManager. */
export function serverSideApplyOf(
  options: ManifestOptions,
  resource: ResourceIdentifier,
): ServerSideApplyOptions {
  const written = writtenStrategyOf(options, resource)?.serverSideApply ?? {};
  const { force = false, fieldManager = '', ignoreFields = [] } = written;
  return {
    isForced: force,
    fieldManager: fieldManager === '' ? 'work-agent' : fieldManager,
    ignoresFields: ignoreFields.length > 0,
    leftOut: ignoreFields.flatMap(ignoredSteps),
  };
}

/** Whether the agent stops to update a manifest that is complete, because a rule reports the condition Complete. */
export function canComplete(
  { manifestConfigs = [] }: ManifestOptions,
  resource: ResourceIdentifier,
): boolean {
  const config = manifestConfigs.find(
    ({ resourceIdentifier, conditionRules = [] }) =>
      conditionRules.length > 0 && isConfigOf(resourceIdentifier, resource),
  );
  return config?.conditionRules?.some(({ condition }) => condition === 'Complete') === true;
}

/** Whether an object is deleted when its work no longer has it. As OwnedByTheWork, which matches exact names only. */
export function isOwned({ deleteOption = {} }: ManifestOptions, resource: ResourceIdentifier): boolean {
  const { propagationPolicy, selectivelyOrphans } = deleteOption;
  if (propagationPolicy === 'Orphan') return false;
  if (propagationPolicy === 'Foreground') return true;
  return !(selectivelyOrphans?.orphaningRules ?? []).some((rule) => isRuleOf(rule, resource));
}

/** Whether an orphaning rule is about a manifest. */
export function isRuleOf(rule: ResourceIdentifier, resource: ResourceIdentifier): boolean {
  return (
    (rule.group ?? '') === (resource.group ?? '') &&
    rule.resource === resource.resource &&
    (rule.namespace ?? '') === (resource.namespace ?? '') &&
    rule.name === resource.name
  );
}

/** Whether an entry of manifestConfigs is about a manifest. As resourceMatch, with wildcardMatch for the namespace and the name. */
export function isConfigOf(pattern: ResourceIdentifier, resource: ResourceIdentifier): boolean {
  return (
    (pattern.group ?? '') === (resource.group ?? '') &&
    pattern.resource === resource.resource &&
    isWildcardMatch(pattern.namespace ?? '', resource.namespace ?? '') &&
    isWildcardMatch(pattern.name, resource.name)
  );
}

function isWildcardMatch(pattern: string, text: string): boolean {
  if (!pattern.includes('*')) return pattern === text;
  const parts = pattern.split('*').map((part) => part.replace(/[\\^$.|?+()[\]{}]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`, 's').test(text);
}
