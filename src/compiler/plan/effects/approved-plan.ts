import { isJsonMap, type JsonMap } from '../../../base/json/json-map.ts';
import { diagnostic, type Diagnostic } from '../../model/diagnostic.ts';
import { effectsHash, type PlanEffects } from './plan-effects.ts';

/** A plan that someone approved, as `plan -o json` wrote it. */
export interface ApprovedPlan {
  readonly hash: string;
  readonly effects: PlanEffects;
}

/** What an approved plan is read with. */
export interface ApprovedPlanOptions {
  /** The name of the file, for messages. */
  readonly file: string;
  /** The format that this version writes. */
  readonly format: string;
  /** The version of Fleetwright. */
  readonly version: string;
}

const planAgain =
  'write it again with this version for the request as it was approved: fleetwright plan BASE..HEAD -o json=plan.json';

/**
 * Reads an approved plan. The hash in the file must be that of the effects in it, so that a file which was edited or cut approves
 * nothing. Another version may name the same content by another hash.
 */
export function readApprovedPlan(
  text: string,
  { file, format, version }: ApprovedPlanOptions,
): ApprovedPlan | Diagnostic {
  const unusable = (why: string): Diagnostic =>
    diagnostic('FW8022', { message: `${file} is not a usable plan: ${why}`, hint: planAgain });
  const plan = parsed(text);
  if (plan === undefined) return unusable('it is not a JSON object; it may have been cut');
  if (plan['format'] !== format) return unusable(`its format is not ${format}`);
  if (plan['version'] !== version) {
    const other = typeof plan['version'] === 'string' ? plan['version'].slice(0, 40) : 'another version';
    return unusable(`Fleetwright ${other} wrote it, and this is Fleetwright ${version}`);
  }
  const { hash, effects } = plan;
  if (typeof hash !== 'string' || !isJsonMap(effects)) return unusable('it has no effects');
  if (!areEffects(effects)) return unusable('its effects have another form');
  if (effectsHash(effects) !== hash) return unusable('its hash is not that of its effects; it was edited');
  return { hash, effects };
}

function parsed(text: string): JsonMap | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonMap(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === 'string';
const isNumber: Check = (value) => typeof value === 'number';
const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);
const isMaybe =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);
const mapOf =
  (fields: Readonly<Record<string, Check>>): Check =>
  (value) =>
    isJsonMap(value) && Object.entries(fields).every(([name, check]) => check(value[name]));

const owner = { app: isText, hub: isMaybe(isText) };
const texts = listOf(isText);

const areEffectsChecked = mapOf({
  addOns: listOf(
    mapOf({
      ...owner,
      kind: isMaybe(isText),
      addOn: isText,
      clusters: listOf(
        mapOf({ effect: isText, clusters: texts, before: isMaybe(isText), after: isMaybe(isText) }),
      ),
      permissions: listOf(mapOf({ permission: isText, change: isText, before: isNumber, after: isNumber })),
      registrations: listOf(mapOf({ signer: isText, change: isText })),
      waves: listOf(mapOf({ after: isNumber, earliest: isNumber, clusters: texts })),
      left: texts,
      early: isMaybe(listOf(mapOf({ cluster: isText, earliest: isNumber }))),
    }),
  ),
  placements: listOf(mapOf({ ...owner, placement: isText, gained: texts, lost: texts })),
  objects: listOf(
    mapOf({
      ...owner,
      object: mapOf({ apiVersion: isText, kind: isText, name: isText, namespace: isMaybe(isText) }),
      change: isText,
    }),
  ),
  promotions: listOf(
    mapOf({ ...owner, next: isMaybe(isText), started: listOf(mapOf({ addOn: isText, cluster: isText })) }),
  ),
  exceeded: listOf(mapOf({ code: isText, guardrail: isText })),
});

function areEffects(value: unknown): value is PlanEffects {
  return areEffectsChecked(value);
}
