import { isJsonList } from '../../../base/json/json-map.ts';
import { fieldAt, isOfKind, namespaceOf, textAt } from '../../api/placement-references.ts';
import { diagnostic, type Diagnostic } from '../../model/diagnostic.ts';
import { objectKey, type Admitted } from '../../model/inventory.ts';
import { orExternal } from '../../model/missing-object.ts';
import { pointAt } from '../../model/point-at.ts';
import { closest } from '../../model/suggestion.ts';
import { quote } from '../../model/words.ts';
import type { Rule, RuleInput } from '../rule.ts';

const policyGroup = 'policy.open-cluster-management.io';

/** Reports PlacementBindings whose subjects do not exist or have another group, and ApplicationSets whose ConfigMap does not exist. */
export const missingSubject: Rule = {
  codes: ['FW8335'],
  *check(input) {
    for (const holder of input.inventory.others) {
      if (holder.source !== 'app') continue;
      if (isOfKind(holder, policyGroup, 'PlacementBinding')) yield* subjects(holder, input);
      else if (isOfKind(holder, 'argoproj.io', 'ApplicationSet'))
        yield* configMaps(holder, input, ['spec', 'generators']);
    }
  },
};

function* subjects(binding: Admitted, input: RuleInput): Iterable<Diagnostic> {
  const list = fieldAt(binding.object, ['subjects']);
  for (const index of isJsonList(list) ? list.keys() : []) {
    const at = ['subjects', index];
    const [kind, name, group] = ['kind', 'name', 'apiGroup'].map((field) =>
      textAt(binding.object, [...at, field]),
    );
    if (kind === undefined || name === undefined) continue;
    if (group !== undefined && group !== policyGroup) {
      yield diagnostic('FW8335', {
        message: `${quote(group)} has no ${kind} for a binding, so it binds nothing`,
        ...pointAt(binding, [...at, 'apiGroup']),
        hint: `write ${policyGroup}`,
      });
      continue;
    }
    yield* missing({ holder: binding, path: [...at, 'name'], group: policyGroup, kind, name }, input);
  }
}

/** Matrix and merge nest generators. */
function* configMaps(
  set: Admitted,
  input: RuleInput,
  path: readonly (string | number)[],
): Iterable<Diagnostic> {
  const list = fieldAt(set.object, path);
  for (const index of isJsonList(list) ? list.keys() : []) {
    const at = [...path, index, 'clusterDecisionResource', 'configMapRef'];
    const name = textAt(set.object, at);
    if (name !== undefined)
      yield* missing({ holder: set, path: at, group: '', kind: 'ConfigMap', name }, input);
    for (const nested of ['matrix', 'merge'])
      yield* configMaps(set, input, [...path, index, nested, 'generators']);
  }
}

interface Named {
  readonly holder: Admitted;
  readonly path: readonly (string | number)[];
  readonly group: string;
  readonly kind: string;
  readonly name: string;
}

function* missing(
  { holder, path, group, kind, name }: Named,
  { inventory }: RuleInput,
): Iterable<Diagnostic> {
  const namespace = namespaceOf(holder);
  const candidates = inventory.others
    .filter((each) => isOfKind(each, group, kind) && namespaceOf(each) === namespace)
    .map((each) => each.object.metadata.name ?? '');
  if (candidates.includes(name)) return;
  if (inventory.elsewhere.existence({ group, kind, namespace, name }) !== 'missing') return;
  const meant = closest(name, candidates) ?? (candidates.length === 1 ? candidates[0] : undefined);
  // nothing of the kind is here: other repositories have them
  if (meant === undefined && candidates.length === 0) return;
  yield diagnostic('FW8335', {
    message: `${kind} ${quote(objectKey(namespace, name))} does not exist`,
    ...pointAt(holder, path),
    hint: `${meant === undefined ? 'correct the name' : `did you mean ${quote(meant)}?`} Otherwise create it, ${orExternal}`,
  });
}
