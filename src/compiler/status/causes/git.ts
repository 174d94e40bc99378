import { listed } from '../../model/words.ts';
import { isDeploymentConfig, isTemplate } from '../../../ocm/referent.ts';
import { causeOf, type CauseRule, type Evidence } from '../evidence.ts';

const mostNamed = 3;

/** The hub does not have the objects of the working tree, so it cannot act on them. */
export const gitRule: CauseRule = (evidence) => {
  const { addOn, progress, unapplied } = evidence;
  if (progress !== 'missing' && progress !== 'ToApply' && progress !== 'unexpected') return undefined;
  if (unapplied.length > 0)
    return causeOf(
      'git-not-applied',
      `the hub does not have the working tree's ${unappliedWords(unapplied)}`,
    );
  if (addOn.delivery !== 'compiled') return undefined;
  if (progress === 'missing')
    return causeOf('git-not-applied', 'the hub does not have the compiled ManagedClusterAddOn');
  if (progress === 'unexpected')
    return causeOf(
      'git-not-applied',
      'the hub has a compiled ManagedClusterAddOn that is no longer predicted',
    );
  if (hasCompiledWorks(evidence)) return undefined;
  return causeOf('git-not-applied', 'the hub does not have the compiled ManifestWorks of this revision');
};

/** Returns the names of objects that the hub does not have, or has with other values. */
export function unappliedWords(unapplied: readonly string[]): string {
  const rest = unapplied.length - mostNamed;
  return `${listed(unapplied.slice(0, mostNamed))}${rest > 0 ? `, and ${rest} more` : ''}`;
}

/** Whether the works on the hub are rendered with the predicted configurations. The companion reports the rest. */
function hasCompiledWorks({ details, expected }: Evidence): boolean {
  const predicted = (expected?.effective.references ?? [])
    .filter((reference) => isTemplate(reference) || isDeploymentConfig(reference))
    .map(({ specHash }) => specHash)
    .sort()
    .join(' ');
  return (
    details.works.length > 0 &&
    details.works.every(({ configHashes }) => configHashes.join(' ') === predicted)
  );
}
