import type { AddOnTemplateV1alpha1 } from '../../../schemas/types.gen.ts';
import { isJsonMap, type JsonMap } from '../../base/json/json-map.ts';
import { diagnostic, type Diagnostic, type Outcome } from '../model/diagnostic.ts';
import type { Admitted, Inventory } from '../model/inventory.ts';
import { pointAt } from '../model/point-at.ts';
import { isManifestSource } from '../model/source-kinds.ts';
import type { Parameter, ParameterTarget } from './model.ts';
import type { DeclaredParameters } from './read.ts';

/**
 * Adds to the charts and Go templates of an add-on the variables that bring them the values of parameters.
 *
 * @returns the changed templates, by the ones that they replace
 */
export function withChartValues(
  set: DeclaredParameters,
  { addOnTemplates }: Pick<Inventory, 'addOnTemplates'>,
): Outcome<ReadonlyMap<Admitted, Admitted>> {
  const values = [...set.parameters.values()].flatMap((parameter) => {
    const { target } = parameter;
    return target.kind === 'chartValue' ? [{ parameter, target }] : [];
  });
  const changed = new Map<Admitted, Admitted>();
  if (values.length === 0) return { value: changed, diagnostics: [] };
  const variables = Object.fromEntries(
    values.map(({ parameter, target }) => [target.variable, sourceVariable(parameter, target)]),
  );
  for (const template of addOnTemplates.values()) {
    const { addonName, agentSpec } = template.object.spec;
    const manifests = agentSpec.workload?.manifests ?? [];
    if (template.source !== 'app' || addonName !== set.addOn || !manifests.some(isManifestSource)) continue;
    // Templates have one version, so this object is also among all objects.
    changed.set(template as unknown as Admitted, withVariables(template, variables));
  }
  return {
    value: changed,
    diagnostics: changed.size > 0 ? [] : values.map(({ parameter }) => unread(set, parameter)),
  };
}

function sourceVariable(
  { schema }: Parameter,
  { path }: Extract<ParameterTarget, { kind: 'chartValue' }>,
): JsonMap {
  return { path, type: schema.type === 'string' ? 'string' : 'json' };
}

function withVariables(template: Admitted<AddOnTemplateV1alpha1>, variables: JsonMap): Admitted {
  const { object } = template;
  const { agentSpec } = object.spec;
  const manifests = (agentSpec.workload?.manifests ?? []).map((manifest) => {
    const { spec } = manifest as { readonly spec?: unknown };
    if (!isManifestSource(manifest) || !isJsonMap(spec)) return manifest;
    const own = isJsonMap(spec['variables']) ? spec['variables'] : {};
    return { ...manifest, spec: { ...spec, variables: { ...own, ...variables } } };
  });
  const workload = { ...agentSpec.workload, manifests };
  return {
    ...template,
    object: { ...object, spec: { ...object.spec, agentSpec: { ...agentSpec, workload } } },
  };
}

function unread({ addOn, declaration }: DeclaredParameters, { name, path }: Parameter): Diagnostic {
  return diagnostic('FW4115', {
    message: `"${name}" has no effect: no AddOnTemplate of "${addOn}" in this app has a chart or Go templates`,
    ...pointAt(declaration, [...path, 'chartValue']),
    hint: 'add a HelmChart to the workload of the template, or remove chartValue, so that the parameter is a customized variable',
  });
}
