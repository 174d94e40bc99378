import { codes } from '../codes.ts';
import type { Diagnostic, Outcome } from '../diagnostic.ts';
import { referenceTo, type LoadedObject } from '../inventory.ts';
import { isJsonMap, type JsonMap } from '../admit/json-map.ts';
import { formatFieldPath } from '../field-path.ts';

/**
 * The object with the rollout strategies of add-ons as they are written today. Until 2023 they were UpdateAll, RollingUpdate
 * and RollingUpdateWithCanary, which no hub serves any more.
 */
export function translateOlderRollouts(loaded: LoadedObject): Outcome<LoadedObject> {
  const diagnostics: Diagnostic[] = [];
  const { object, origin } = loaded;
  const spec = object['spec'];
  if (object.kind !== 'ClusterManagementAddOn' || !isJsonMap(spec)) return { value: loaded, diagnostics };
  const { installStrategy } = spec;
  if (!isJsonMap(installStrategy)) return { value: loaded, diagnostics };
  const { placements } = installStrategy;
  if (!Array.isArray(placements)) return { value: loaded, diagnostics };
  const translated = placements.map((placement: unknown, index) => {
    const strategy = isJsonMap(placement) ? placement['rolloutStrategy'] : undefined;
    if (!isJsonMap(placement) || !isJsonMap(strategy)) return placement;
    const today = translate(strategy);
    if (today === undefined) return placement;
    const path = ['spec', 'installStrategy', 'placements', index, 'rolloutStrategy', 'type'];
    diagnostics.push({
      code: 'FW9102',
      severity: codes.FW9102.severity,
      message: `the rollout strategy ${String(strategy['type'])} is not served any more; it becomes ${today.says}`,
      object: referenceTo(object),
      path: formatFieldPath(path),
      location: origin.locate(path),
      ...(today.hint !== undefined && { hint: today.hint }),
    });
    return { ...placement, rolloutStrategy: today.strategy };
  });
  if (diagnostics.length === 0) return { value: loaded, diagnostics };
  const changed = { ...spec, installStrategy: { ...installStrategy, placements: translated } };
  return { value: { ...loaded, object: { ...object, spec: changed } }, diagnostics };
}

interface Translation {
  readonly strategy: JsonMap;
  readonly says: string;
  readonly hint?: string;
}

function translate({ type, rollingUpdate, rollingUpdateWithCanary }: JsonMap): Translation | undefined {
  switch (type) {
    case 'UpdateAll':
      return { strategy: { type: 'All' }, says: 'All' };
    case 'RollingUpdate':
      return progressive(rollingUpdate);
    case 'RollingUpdateWithCanary':
      return {
        ...progressive(rollingUpdateWithCanary),
        hint: `the canaries${canaries(rollingUpdateWithCanary)} no longer go first: make them a decision group, and name it in mandatoryGroups`,
      };
    default:
      return undefined;
  }
}

function progressive(options: unknown): Translation {
  const { maxConcurrency, maxConcurrentlyUpdating } = isJsonMap(options) ? options : {};
  // 25% was the default then; today it is the size of a decision group
  const limit = maxConcurrency ?? maxConcurrentlyUpdating ?? '25%';
  return {
    strategy: { type: 'Progressive', progressive: { maxConcurrency: limit } },
    says: `Progressive with maxConcurrency ${JSON.stringify(limit).replaceAll('"', '')}`,
  };
}

function canaries(options: unknown): string {
  const placement = isJsonMap(options) ? options['placement'] : undefined;
  const name = isJsonMap(placement) ? placement['name'] : undefined;
  return typeof name === 'string' ? ` of placement ${name}` : '';
}
