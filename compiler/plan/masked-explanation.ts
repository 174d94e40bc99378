import type { Resolution } from '../resolve.ts';
import type { AddOnExplanation } from './explain-add-on.ts';
import type { ExplainedManifestValue } from './explain-manifest.ts';
import type { ExplainedValue, LostValue } from './explain-values.ts';
import { secretVariables, withoutSecretVariables } from './secret-variables.ts';
import { secretMask, withoutSecrets } from './secrets.ts';

/** Returns an explanation with masked values of Secrets, and of variables that templates insert into Secrets. */
export function maskedExplanation<T extends AddOnExplanation>(explanation: T, { inventory }: Resolution): T {
  const variables = secretVariables([inventory]);
  return {
    ...explanation,
    values: explanation.values.map((value) => maskedValue(value, variables)),
    unused: explanation.unused.map((value) => maskedLoser(value, value.path, variables)),
    manifest: explanation.manifest.map(maskedManifestValue),
  };
}

function maskedValue(explained: ExplainedValue, variables: ReadonlySet<string>): ExplainedValue {
  const { path, value, secret, losers } = explained;
  return {
    ...explained,
    value: secret ? secretMask : withoutSecretVariables(path, withoutSecrets(value), variables),
    losers: losers.map((loser) => maskedLoser(loser, path, variables)),
  };
}

function maskedLoser<T extends LostValue>(loser: T, path: string, variables: ReadonlySet<string>): T {
  const { value, secret } = loser;
  if (value === undefined) return loser;
  return {
    ...loser,
    value: secret ? secretMask : withoutSecretVariables(path, withoutSecrets(value), variables),
  };
}

/** Returns a value of a manifest, masked if it is content of a Secret. */
export function maskedManifestValue(explained: ExplainedManifestValue): ExplainedManifestValue {
  if (explained.secret !== true) return explained;
  return {
    ...explained,
    value: secretMask,
    decidedBy: explained.decidedBy.map((decider) =>
      decider.without === undefined ? decider : { ...decider, without: secretMask },
    ),
  };
}
