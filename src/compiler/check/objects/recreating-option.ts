import { oncePerPart } from '../../../base/collections/joined-lists.ts';
import { type Diagnostic, diagnostic } from '../../model/diagnostic.ts';
import { type Admitted, objectsOfApp } from '../../model/inventory.ts';
import { pointAt } from '../../model/point-at.ts';
import { quote } from '../../model/words.ts';
import type { Rule } from '../rule.ts';

const syncOptions = 'argocd.argoproj.io/sync-options';
/** The annotations of Flux, the values that replace an object or stop its updates, and what they do. */
const fluxAnnotations: readonly (readonly [annotation: string, value: RegExp, effect: string])[] = [
  [
    'kustomize.toolkit.fluxcd.io/force',
    /^enabled$/i,
    'deletes and re-creates the object if an update is refused',
  ],
  ['kustomize.toolkit.fluxcd.io/ssa', /^ignore$/i, 'never applies the object'],
  ['kustomize.toolkit.fluxcd.io/ssa', /^ifnotpresent$/i, 'never updates the object'],
  ['kustomize.toolkit.fluxcd.io/reconcile', /^disabled$/i, 'never applies the object'],
];

/** Reports annotations with which an engine deletes and re-creates an object, or does not apply its changes. */
export const recreatingOption: Rule = {
  codes: ['FW7182'],
  check: ({ inventory }) => findings(objectsOfApp(inventory)),
};

const findings = oncePerPart((part: readonly Admitted[]) =>
  part.flatMap((admitted) => [...findingsOf(admitted)]),
);

function* findingsOf(admitted: Admitted): Iterable<Diagnostic> {
  const { annotations } = admitted.object.metadata;
  if (annotations === undefined) return;
  const options = (annotations[syncOptions] ?? '').split(',').map((option) => option.trim());
  for (const option of options.filter((each) => /^(?:Replace|Force)=true$/.test(each)))
    yield diagnostic('FW7182', {
      message: `with ${option}, Argo CD ${option.startsWith('Force') ? 'deletes and re-creates the object' : 'replaces the object, or deletes and re-creates it'}, and with it everything that it owns`,
      ...pointAt(admitted, ['metadata', 'annotations', syncOptions]),
      hint: `remove ${option} from the annotation`,
    });
  for (const [annotation, value, effect] of fluxAnnotations) {
    const text = annotations[annotation];
    if (text === undefined || !value.test(text)) continue;
    yield diagnostic('FW7182', {
      message: `with ${annotation}: ${quote(text)}, Flux ${effect}`,
      ...pointAt(admitted, ['metadata', 'annotations', annotation]),
      hint: 'remove the annotation',
    });
  }
}
