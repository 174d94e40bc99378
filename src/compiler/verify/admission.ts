import { isJsonList, isJsonMap } from '../../base/json/json-map.ts';
import type { KubernetesObject } from '../../base/objects/object-meta.ts';

/** What the API server is asked to do with an object. */
export interface AdmittedRequest {
  readonly operation: 'CREATE' | 'UPDATE';
  readonly group: string;
  readonly plural: string;
}

/**
 * Returns the webhooks and policies of a hub that may change an object: those whose rules match its kind. The API server does not
 * name the one that did. Selectors and conditions are not evaluated.
 *
 * @param objects - MutatingWebhookConfigurations and MutatingAdmissionPolicies
 */
export function mutatorsOf(
  objects: readonly KubernetesObject[],
  request: AdmittedRequest,
): readonly string[] {
  return objects.flatMap((object) => {
    const { kind, metadata } = object;
    if (kind === 'MutatingAdmissionPolicy') {
      const constraints = fieldOf(object['spec'], 'matchConstraints');
      return rulesOf(constraints, 'resourceRules').some((rule) => isMatch(rule, request))
        ? [`MutatingAdmissionPolicy ${metadata.name ?? ''}`]
        : [];
    }
    return rulesOf(object, 'webhooks').flatMap((webhook) =>
      rulesOf(webhook, 'rules').some((rule) => isMatch(rule, request))
        ? [
            `webhook ${textOf(fieldOf(webhook, 'name'))} (MutatingWebhookConfiguration ${metadata.name ?? ''})`,
          ]
        : [],
    );
  });
}

function isMatch(rule: unknown, { operation, group, plural }: AdmittedRequest): boolean {
  return (
    has(rule, 'operations', [operation]) &&
    has(rule, 'apiGroups', [group]) &&
    has(rule, 'resources', [plural, '*/*'])
  );
}

function has(rule: unknown, field: string, wanted: readonly string[]): boolean {
  return rulesOf(rule, field).some((value) => value === '*' || wanted.some((each) => value === each));
}

function rulesOf(value: unknown, field: string): readonly unknown[] {
  const list = fieldOf(value, field);
  return isJsonList(list) ? list : [];
}

function fieldOf(value: unknown, field: string): unknown {
  return isJsonMap(value) ? value[field] : undefined;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
