import { goJson } from '../../base/json/go-json.ts';
import { isJsonMap, type JsonMap } from '../../base/json/json-map.ts';

/** The text that reports show instead of a secret value. */
export const secretMask = '(secret)';

/** The text for the later of two secret values that are different. */
export const changedSecretMask = '(secret, changed)';

export const secretKind = 'Secret';

export const contentFields: ReadonlySet<string> = new Set(['data', 'stringData']);

/** The annotation in which kubectl keeps a copy of the whole object, including the content of a Secret. */
const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';

/** Returns whether a field of an object, or of an object embedded in another, contains secret values. */
export function isSecretField(map: JsonMap, field: string): boolean {
  if (contentFields.has(field)) return map['kind'] === secretKind;
  return field === lastApplied && typeof map[field] === 'string' && /"kind"\s*:\s*"Secret"/.test(map[field]);
}

/** Returns a value with each of its secret values masked. Returns the same value if it contains none. */
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

/** Returns one mask, or one mask per key. Names of keys are not secret. */
export function maskedLeaves(value: unknown, mask: string): unknown {
  return isJsonMap(value) ? Object.fromEntries(Object.keys(value).map((key) => [key, mask])) : mask;
}

/** One side or both sides of a value that is different. */
interface Sides {
  readonly before?: unknown;
  readonly after?: unknown;
  readonly secret?: true;
}

/** Returns a difference with its secret values masked. */
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

/** Returns two states of a value with their secret values masked. If a secret value differs, the mask says so. */
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
