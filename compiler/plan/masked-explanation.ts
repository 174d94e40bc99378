import type { AddOnExplanation } from './explain-add-on.ts';
import type { ExplainedManifestValue } from './explain-manifest.ts';
import type { ExplainedValue, LostValue } from './explain-values.ts';
import type { SensitiveValues } from './sensitive-values.ts';
import { secretMask } from './secrets.ts';

/** Returns an explanation with its sensitive values masked. */
export function maskedExplanation(
  explanation: AddOnExplanation,
  sensitive: SensitiveValues,
): AddOnExplanation {
  return {
    ...explanation,
    values: explanation.values.map((value) => maskedValue(value, sensitive)),
    // Their kind is not known, so fields of any kind are masked.
    unused: explanation.unused.map((value) => maskedLoser(value, '', value.path, sensitive)),
    manifest: explanation.manifest.map((value) => maskedManifestValue(value, sensitive)),
  };
}

function maskedValue(explained: ExplainedValue, sensitive: SensitiveValues): ExplainedValue {
  const { object, path, value, secret, losers } = explained;
  const kind = kindOf(object);
  return {
    ...explained,
    value: secret ? secretMask : sensitive.masked(kind, path, value),
    losers: losers.map((loser) => maskedLoser(loser, kind, path, sensitive)),
  };
}

function maskedLoser<T extends LostValue>(
  loser: T,
  kind: string,
  path: string,
  sensitive: SensitiveValues,
): T {
  const { value, secret } = loser;
  if (value === undefined) return loser;
  return { ...loser, value: secret ? secretMask : sensitive.masked(kind, path, value) };
}

/** Returns a value of a manifest, masked if it is sensitive. */
export function maskedManifestValue(
  explained: ExplainedManifestValue,
  sensitive: SensitiveValues,
): ExplainedManifestValue {
  const { object, path, value, secret, decidedBy } = explained;
  const masked = (shown: unknown): unknown =>
    secret === true ? secretMask : sensitive.masked(kindOf(object), path, shown);
  return {
    ...explained,
    value: masked(value),
    decidedBy: decidedBy.map((decider) =>
      decider.without === undefined ? decider : { ...decider, without: masked(decider.without) },
    ),
  };
}

/** Returns the first word of `ConfigMap agents/agent`. */
function kindOf(object: string): string {
  return object.split(' ', 1)[0] ?? '';
}
