import { diagnostic, type Diagnostic, type Outcome } from '../../compiler/model/diagnostic.ts';
import { referenceTo, type LoadedObject } from '../../compiler/model/inventory.ts';
import { isJsonMap, type JsonMap } from '../../base/json/json-map.ts';
import { formatFieldPath } from '../../compiler/model/field-path.ts';
import { LegacyCanaries } from './legacy-canaries.ts';
import { messageJson } from '../../base/json/message-json.ts';

/**
 * Returns the objects with the rollout strategies of add-ons in their current form. Until 2023 these were UpdateAll,
 * RollingUpdate and RollingUpdateWithCanary, which no hub serves anymore.
 */
export function translateLegacyRollouts(loaded: readonly LoadedObject[]): Outcome<readonly LoadedObject[]> {
  const diagnostics: Diagnostic[] = [];
  const canaries = new LegacyCanaries(loaded);
  const value = loaded.map((object) => translateObject(object, canaries, diagnostics));
  return {
    value: diagnostics.length === 0 ? loaded : value.map((object) => canaries.grouped(object)),
    diagnostics,
  };
}

function translateObject(
  loaded: LoadedObject,
  canaries: LegacyCanaries,
  diagnostics: Diagnostic[],
): LoadedObject {
  const { object, origin } = loaded;
  const spec = object['spec'];
  if (object.kind !== 'ClusterManagementAddOn' || !isJsonMap(spec)) return loaded;
  const { installStrategy } = spec;
  if (!isJsonMap(installStrategy)) return loaded;
  const { placements } = installStrategy;
  if (!Array.isArray(placements)) return loaded;
  let isTranslated = false;
  const translated = placements.map((placement: unknown, index) => {
    const strategy = isJsonMap(placement) ? placement['rolloutStrategy'] : undefined;
    if (!isJsonMap(placement) || !isJsonMap(strategy)) return placement;
    const today = translate(strategy, placement, canaries);
    if (today === undefined) return placement;
    isTranslated = true;
    const path = ['spec', 'installStrategy', 'placements', index, 'rolloutStrategy', 'type'];
    diagnostics.push(
      diagnostic('FW9102', {
        message: `the rollout strategy ${String(strategy['type'])} is no longer served; it becomes ${today.says}`,
        object: referenceTo(object),
        path: formatFieldPath(path),
        location: origin.locate(path),
        ...(today.hint !== undefined && { hint: today.hint }),
      }),
    );
    return { ...placement, rolloutStrategy: today.strategy };
  });
  if (!isTranslated) return loaded;
  const changed = { ...spec, installStrategy: { ...installStrategy, placements: translated } };
  return { ...loaded, object: { ...object, spec: changed } };
}

interface Translation {
  readonly strategy: JsonMap;
  readonly says: string;
  readonly hint?: string;
}

function translate(
  { type, rollingUpdate, rollingUpdateWithCanary }: JsonMap,
  placement: JsonMap,
  canaries: LegacyCanaries,
): Translation | undefined {
  switch (type) {
    case 'UpdateAll':
      return { strategy: { type: 'All' }, says: 'All' };
    case 'RollingUpdate':
      return progressive(rollingUpdate);
    case 'RollingUpdateWithCanary':
      return withCanaries(rollingUpdateWithCanary, placement, canaries);
    default:
      return undefined;
  }
}

function progressive(options: unknown, groupName?: string): Translation {
  const { maxConcurrency, maxConcurrentlyUpdating } = isJsonMap(options) ? options : {};
  // 25% was the default then; now it is the size of a decision group
  const limit = maxConcurrency ?? maxConcurrentlyUpdating ?? '25%';
  const mandatory = groupName === undefined ? {} : { mandatoryDecisionGroups: [{ groupName }] };
  return {
    strategy: { type: 'Progressive', progressive: { ...mandatory, maxConcurrency: limit } },
    says: `Progressive with maxConcurrency ${messageJson(limit).replaceAll('"', '')}`,
  };
}

function withCanaries(options: unknown, placement: JsonMap, canaries: LegacyCanaries): Translation {
  const canary = isJsonMap(options) ? options['placement'] : undefined;
  const from = isJsonMap(canary) ? ` of placement ${String(canary['name'])}` : '';
  const group = canaries.group(canary, placement);
  if ('reason' in group) {
    return {
      ...progressive(options),
      hint: `the canaries${from} no longer go first, as ${group.reason}: make them a decision group, and name it in mandatoryGroups`,
    };
  }
  const { strategy, says } = progressive(options, group.name);
  return {
    strategy,
    says: `${says}, and the canaries${from} a decision group that goes first`,
    hint: `canaries that placement ${String(placement['name'])} does not select itself no longer go first`,
  };
}
