import type { AddOnExplanation } from './explain-add-on.ts';
import type { ExplainedParameter } from './explain-parameter.ts';
import type { ExplainedManifestValue } from './explain-manifest.ts';
import type { ExplainedValue, LostValue } from './explain-values.ts';
import type { SensitiveValues } from '../masks/sensitive-values.ts';
import { secretMask } from '../masks/secrets.ts';

/** Returns an explanation with its sensitive values masked. */
export function maskedExplanation(
  explanation: AddOnExplanation,
  sensitive: SensitiveValues,
): AddOnExplanation {
  const { withoutValue } = explanation;
  return {
    ...explanation,
    ...(withoutValue && {
      withoutValue: maskedParameter(withoutValue, 'AddOnDeploymentConfig', sensitive),
    }),
    values: explanation.values.map((value) => maskedValue(value, sensitive)),
    // Their kind is not known, so fields of any kind are masked.
    unused: explanation.unused.map((value) => maskedLoser(value, '', value.path, sensitive)),
    manifest: explanation.manifest.map((value) => maskedManifestValue(value, sensitive)),
  };
}

function maskedValue(explained: ExplainedValue, sensitive: SensitiveValues): ExplainedValue {
  const { object, path, value, secret, parameter, losers } = explained;
  const kind = kindOf(object);
  return {
    ...explained,
    value: secret ? secretMask : sensitive.masked(kind, path, value),
    ...(parameter && { parameter: maskedParameter(parameter, kind, sensitive) }),
    losers: losers.map((loser) => maskedLoser(loser, kind, path, sensitive)),
  };
}

function maskedParameter(
  parameter: ExplainedParameter,
  kind: string,
  sensitive: SensitiveValues,
): ExplainedParameter {
  const { path } = parameter;
  return {
    ...parameter,
    layers: parameter.layers.map((layer) =>
      layer.value === undefined ? layer : { ...layer, value: sensitive.masked(kind, path, layer.value) },
    ),
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
