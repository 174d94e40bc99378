import { objectKey } from '../model/inventory.ts';
import { clusterCount } from '../model/words.ts';
import type { ClusterDifference, EffectDifference, PartDifference } from '../plan/effects/compare-effects.ts';
import type {
  AddOnEffects,
  ObjectEffect,
  PlacementEffect,
  PromotionEffect,
} from '../plan/effects/plan-effects.ts';
import { effectWords, someOf } from './plan-words.ts';
import { afterWords } from './rollout-words.ts';

/** The maximum number of names in a message. */
const mostNames = 10;

/** Returns how an effect differs from the approved one, in the words of plan: a sentence without a period. */
export function effectDifferenceWords(difference: EffectDifference): string {
  switch (difference.part) {
    case 'clusters':
      return clusterWords(difference);
    case 'waves': {
      const { approved, now } = difference;
      return `${nameOf(now ?? approved)} is rolled out in other waves: ${wavesWords(now)}; approved: ${wavesWords(approved)}`;
    }
    case 'access': {
      const { approved, now } = difference;
      return `${nameOf(now ?? approved)} changes hub permissions or registrations: ${accessWords(now)}; approved: ${accessWords(approved)}`;
    }
    case 'placement': {
      const { approved, now } = difference;
      const shown = now ?? approved;
      return `placement ${shown?.placement ?? ''}${ownerWords(shown)}: ${selectionWords(now)}; approved: ${selectionWords(approved)}`;
    }
    case 'object':
      return objectWords(difference);
    case 'promotion': {
      const { approved, now } = difference;
      return `the promotion${ownerWords(now ?? approved)}: ${promotionWords(now)}; approved: ${promotionWords(approved)}`;
    }
    case 'guardrail':
      return `the change exceeds the guardrail ${difference.now ?? difference.approved ?? ''}`;
    default:
      return difference satisfies never;
  }
}

function selectionWords(effect: PlacementEffect | undefined): string {
  if (effect === undefined) return 'nothing';
  const { change, gained, lost } = effect;
  const words = [
    ...(change === undefined ? [] : [change]),
    ...(gained.length > 0 ? [`gains ${someOf(gained, mostNames)}`] : []),
    ...(lost.length > 0 ? [`loses ${someOf(lost, mostNames)}`] : []),
  ];
  return words.join(', ');
}

function objectWords({ approved, now, state }: PartDifference<'object', ObjectEffect>): string {
  const shown = now ?? approved;
  if (shown === undefined) return '';
  const { kind, namespace, name } = shown.object;
  const object = `${kind} ${objectKey(namespace, name)}${ownerWords(shown)}`;
  if (state !== 'other') return `${object} is ${shown.change}`;
  const way = now?.after === approved?.after ? 'from' : 'to';
  return `${object} is ${shown.change} ${way} another content than the approved one`;
}

function promotionWords(effect: PromotionEffect | undefined): string {
  if (effect === undefined) return 'nothing';
  const { next, started } = effect;
  const words = [
    ...(next === undefined ? [] : [`begins release ${next.slice(0, 12)}`]),
    ...(started.length === 0
      ? []
      : [
          `starts ${someOf(
            started.map(({ addOn, cluster }) => `${addOn}/${cluster}`),
            mostNames,
          )}`,
        ]),
  ];
  return words.join(', ');
}

function clusterWords({ addOn, clusters, approved, now, state }: ClusterDifference): string {
  const where = `${clusterCount(clusters.length)}: ${someOf(clusters, mostNames)}`;
  const effect = now?.effect ?? approved?.effect ?? 'changed';
  const what = `${nameOf(addOn)} is ${effectWords[effect]} ${where}`;
  if (state !== 'other' || approved === undefined || now === undefined) return what;
  const details: string[] = [];
  if (approved.effect !== now.effect) details.push(`approved: ${effectWords[approved.effect]} them`);
  if (approved.after !== now.after) details.push('to another content than the approved one');
  else if (approved.before !== now.before) details.push('from another content than the approved one');
  if ((approved.fate ?? '') !== (now.fate ?? ''))
    details.push(`${fateWords(now.fate)}; approved: ${fateWords(approved.fate)}`);
  if (approved.enforcement !== now.enforcement)
    details.push(
      now.enforcement === undefined
        ? `enforcement no longer ${approved.enforcement ?? ''}`
        : `enforcement ${now.enforcement.toUpperCase()}`,
    );
  if (approved.applications !== now.applications) details.push('other changes of its Applications');
  const answers = (now.answers ?? []).map(({ kind, object }) => `${object} is ${kind}`);
  const others = (approved.answers ?? []).map(({ kind, object }) => `${object} is ${kind}`);
  if (answers.join() !== others.join())
    details.push(
      `the clusters: ${answers.join(', ') || 'accept it'}; approved: ${others.join(', ') || 'accept it'}`,
    );
  return [what, ...details].join('; ');
}

function fateWords(fate: 'waits' | 'rolled back' | undefined): string {
  return fate === undefined
    ? 'with the merge'
    : fate === 'waits'
      ? 'waits for the promotion'
      : 'was rolled back';
}

function nameOf(addOn: AddOnEffects | undefined): string {
  if (addOn === undefined) return '';
  const name = addOn.kind === undefined ? `add-on "${addOn.addOn}"` : `${addOn.kind} ${addOn.addOn}`;
  return name + ownerWords(addOn);
}

function ownerWords(owner: { readonly app: string; readonly hub?: string } | undefined): string {
  if (owner === undefined) return '';
  const { app, hub } = owner;
  const words = [...(app === '' ? [] : [`app ${app}`]), ...(hub === undefined ? [] : [`hub ${hub}`])];
  return words.length === 0 ? '' : ` (${words.join(', ')})`;
}

function wavesWords(addOn: AddOnEffects | undefined): string {
  if (addOn === undefined) return 'none';
  const { waves, left, stalled } = addOn;
  const words = waves
    .slice(0, mostNames)
    .map((wave, index) => `${index + 1}${afterWords(wave)}: ${someOf(wave.clusters, 5)}`);
  const more = waves.length > mostNames ? [`${waves.length - mostNames} more waves`] : [];
  const rest = left.length === 0 ? [] : [`never reaches ${someOf(left, mostNames)}`];
  const stop = stalled === true ? ['the hub configures no cluster'] : [];
  return [...words, ...more, ...rest, ...stop].join('; ') || 'none';
}

function accessWords(addOn: AddOnEffects | undefined): string {
  const { permissions = [], registrations = [] } = addOn ?? {};
  const words = [
    ...permissions.map(
      ({ permission, change, before, after }) => `${permission} ${change} (${before} to ${after} clusters)`,
    ),
    ...registrations.map(({ signer, change }) => `${signer} ${change}`),
  ];
  return someOf(words, mostNames) || 'none';
}
