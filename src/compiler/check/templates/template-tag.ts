import type { FieldPath } from '../../model/field-path.ts';
import { isGoJsonList, isGoJsonObject, type GoJsonValue } from '../../../base/json/go-json.ts';
import type { RenderGroup } from '../../render/render-result.ts';

/** A tag of a template and its location. */
export interface TemplateTag {
  /** The exact text between the braces. */
  readonly tag: string;
  readonly path: FieldPath;
}

/** Returns the tags of a group's template, each once per manifest, at the first field that has it. */
export function* templateTags({ template, manifests }: RenderGroup): Iterable<TemplateTag> {
  const templateManifests = template.object.spec.agentSpec.workload?.manifests ?? [];
  for (const [index, { tags }] of manifests.texts.entries()) {
    const path = ['spec', 'agentSpec', 'workload', 'manifests', index];
    for (const tag of new Set(tags)) {
      const manifest = templateManifests[index] as GoJsonValue | undefined;
      yield { tag, path: [...path, ...(fieldWith(`{{${tag}}}`, manifest ?? null) ?? [])] };
    }
  }
}

/** Returns the path of the first field with a text in its value or key. Undefined for a tag that spans several fields. */
function fieldWith(text: string, value: GoJsonValue): FieldPath | undefined {
  if (typeof value === 'string') return value.includes(text) ? [] : undefined;
  const entries = isGoJsonList(value) ? value.entries() : isGoJsonObject(value) ? Object.entries(value) : [];
  for (const [step, item] of entries) {
    if (typeof step === 'string' && step.includes(text)) return [step];
    const path = fieldWith(text, item);
    if (path !== undefined) return [step, ...path];
  }
  return undefined;
}

/** Whether a text is a valid name of a customized variable. */
export function isVariableName(text: string): boolean {
  return /^[a-zA-Z_][_a-zA-Z0-9]*$/.test(text);
}
