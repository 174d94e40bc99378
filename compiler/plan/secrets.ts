import { goJson } from '../../encoding/go-json.ts';
import { isJsonMap, type JsonMap } from '../../encoding/json-map.ts';

/** What reports show instead of a secret value. */
export const secretMask = '(secret)';

/** The same for the later of two secret values that are different. */
export const changedSecretMask = '(secret, changed)';

export const secretKind = 'Secret';

const contentFields = new Set(['data', 'stringData']);

/** kubectl keeps a copy of the whole object here, and with it everything in a Secret. */
const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';

/** Whether a field of an object, or of an object embedded in another, holds secret values. */
export function isSecretField(map: JsonMap, field: string): boolean {
  if (contentFields.has(field)) return map['kind'] === secretKind;
  return field === lastApplied && typeof map[field] === 'string' && /"kind"\s*:\s*"Secret"/.test(map[field]);
}

/** A value with each secret value in it masked; the same value where it has none. */
export function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) {
    const entries = value as readonly unknown[];
    const masked = entries.map(withoutSecrets);
    return masked.some((entry, index) => entry !== entries[index]) ? masked : value;
  }
  if (!isJsonMap(value)) return value;
  const masked = Object.entries(value).map(
    ([field, inner]) =>
      [field, isSecretField(value, field) ? maskedLeaves(inner, secretMask) : withoutSecrets(inner)] as const,
  );
  return masked.some(([field, inner]) => inner !== value[field]) ? Object.fromEntries(masked) : value;
}

/** A mask, or one for each key: names of keys are no secrets. */
function maskedLeaves(value: unknown, mask: string): unknown {
  return isJsonMap(value) ? Object.fromEntries(Object.keys(value).map((key) => [key, mask])) : mask;
}

/** One side, or both, of a value that is different. */
interface Sides {
  readonly before?: unknown;
  readonly after?: unknown;
  readonly secret?: true;
}

/** A difference with its secret values masked. */
export function maskedSides<T extends Sides>(change: T): T {
  const { before, after, secret } = change;
  const masked = {
    before: secret ? maskedLeaves(before, secretMask) : withoutSecrets(before),
    after: secret
      ? maskedLeaves(after, before === undefined ? secretMask : changedSecretMask)
      : withoutSecrets(after),
  };
  if (masked.before === before && masked.after === after) return change;
  return {
    ...change,
    ...(before !== undefined && { before: masked.before }),
    ...(after !== undefined && { after: masked.after }),
  };
}

/** Two states of a value with their secret values masked; those that are not the same in both show it. */
export function maskedPair(before: unknown, after: unknown): readonly [unknown, unknown] {
  if (Array.isArray(before) && Array.isArray(after)) {
    const pairs = after.map((entry: unknown, index) => maskedPair(before[index], entry));
    return [
      before.map((entry: unknown, index) => pairs[index]?.[0] ?? withoutSecrets(entry)),
      pairs.map(([, entry]) => entry),
    ];
  }
  if (!isJsonMap(before) || !isJsonMap(after)) return [withoutSecrets(before), withoutSecrets(after)];
  const masked: readonly [Record<string, unknown>, Record<string, unknown>] = [{}, {}];
  for (const field of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const sides = { before: before[field], after: after[field] };
    const isSecret = isSecretField(before, field) || isSecretField(after, field);
    const [from, to] = isSecret ? maskedContent(sides) : maskedPair(sides.before, sides.after);
    if (sides.before !== undefined) masked[0][field] = from;
    if (sides.after !== undefined) masked[1][field] = to;
  }
  return masked;
}

function maskedContent({ before, after }: Sides): readonly [unknown, unknown] {
  if (!isJsonMap(before) || !isJsonMap(after)) {
    const isSame = before === undefined || goJson(before) === goJson(after ?? null);
    return [maskedLeaves(before, secretMask), maskedLeaves(after, isSame ? secretMask : changedSecretMask)];
  }
  const content = Object.entries(after).map(([key, value]) => {
    const earlier = before[key];
    const isSame = earlier === undefined || goJson(earlier) === goJson(value);
    return [key, isSame ? secretMask : changedSecretMask] as const;
  });
  return [maskedLeaves(before, secretMask), Object.fromEntries(content)];
}
