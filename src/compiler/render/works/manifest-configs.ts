import type {
  AddOnTemplateV1alpha1ManifestConfigOption,
  ManifestWorkV1FeedbackRule,
  ManifestWorkV1ManifestConfigOption,
  ManifestWorkV1ResourceIdentifier,
} from '../../../../schemas/types.gen.ts';
import type { GoJsonObject, GoJsonValue } from '../../../base/json/go-json.ts';
import type { RenderedObject } from '../manifests.ts';
import { nameOf, namespaceOf } from '../../../base/objects/object-identity.ts';
import { convertTyped } from '../../../base/typed/typed-conversion.ts';

/**
 * Returns `spec.manifestConfigs` of every work of an add-on: one entry per Deployment and DaemonSet, then those of the template,
 * merged into the entries that they name. As addon-framework getManifestConfigOption.
 *
 * @param templateConfigs those of the add-on's default template, regardless of the template that the cluster uses
 */
export function manifestConfigs(
  objects: readonly RenderedObject[],
  templateConfigs: readonly AddOnTemplateV1alpha1ManifestConfigOption[],
): readonly ManifestWorkV1ManifestConfigOption[] {
  const configs = objects.flatMap(({ object, workload }) =>
    workload === undefined ? [] : [watched('apps', workload, object)],
  );
  for (const templateConfig of templateConfigs.map(asGoWrites)) {
    const index = configs.findIndex((config) =>
      isSame(config.resourceIdentifier, templateConfig.resourceIdentifier),
    );
    const existing = configs[index];
    if (existing === undefined) configs.push(templateConfig);
    else configs[index] = merge(existing, templateConfig);
  }
  return configs;
}

function watched(group: string, resource: string, object: GoJsonObject): ManifestWorkV1ManifestConfigOption {
  return {
    resourceIdentifier: { group, resource, name: nameOf(object), namespace: namespaceOf(object) },
    feedbackRules: [{ type: 'WellKnownStatus' }],
  };
}

/** Returns an entry as Go writes it after reading it into a struct. */
function asGoWrites(config: AddOnTemplateV1alpha1ManifestConfigOption): ManifestWorkV1ManifestConfigOption {
  return convertTyped(
    'ManifestConfigOption',
    config as unknown as GoJsonValue,
  ) as unknown as ManifestWorkV1ManifestConfigOption;
}

function isSame(a: ManifestWorkV1ResourceIdentifier, b: ManifestWorkV1ResourceIdentifier): boolean {
  return a.group === b.group && a.resource === b.resource && a.name === b.name && a.namespace === b.namespace;
}

// The condition rules and the scrape type of a merged entry are lost.
function merge(
  existing: ManifestWorkV1ManifestConfigOption,
  { feedbackRules = [], updateStrategy }: ManifestWorkV1ManifestConfigOption,
): ManifestWorkV1ManifestConfigOption {
  let rules = existing.feedbackRules ?? [];
  for (const rule of feedbackRules) rules = mergeRule(rules, rule);
  return {
    ...existing,
    ...(rules.length === 0 ? {} : { feedbackRules: rules }),
    ...(updateStrategy === undefined ? {} : { updateStrategy }),
  };
}

/** As addon-framework mergeFeedbackRule: paths whose name already exists are dropped. */
function mergeRule(
  rules: readonly ManifestWorkV1FeedbackRule[],
  rule: ManifestWorkV1FeedbackRule,
): readonly ManifestWorkV1FeedbackRule[] {
  if (rule.type === 'WellKnownStatus')
    return rules.some(({ type }) => type === rule.type) ? rules : [...rules, rule];
  const names = new Set(
    rules
      .filter(({ type }) => type === 'JSONPaths')
      .flatMap(({ jsonPaths = [] }) => jsonPaths.map(({ name }) => name)),
  );
  const jsonPaths = (rule.jsonPaths ?? []).filter((path) => !names.has(path.name));
  return jsonPaths.length === 0 ? rules : [...rules, { type: rule.type, jsonPaths }];
}
