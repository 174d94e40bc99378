import { isJsonMap, type JsonMap } from '../json/json-map.ts';

/** A rule of a Role or ClusterRole. */
export interface PolicyRule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
}

/** A request that the RBAC authorizer decides about. */
export interface AccessRequest {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  /** The name of the object. A request to create has none, but a SubjectAccessReview about it may. */
  readonly name?: string;
}

/** Returns the rules of a Role or ClusterRole. */
export function policyRulesOf({ rules }: JsonMap): readonly PolicyRule[] {
  return Array.isArray(rules) ? rules.filter(isJsonMap).map(ruleOf) : [];
}

function ruleOf({ apiGroups, resources, verbs, resourceNames, nonResourceURLs }: JsonMap): PolicyRule {
  return {
    apiGroups: textsOf(apiGroups),
    resources: textsOf(resources),
    verbs: textsOf(verbs),
    resourceNames: textsOf(resourceNames),
    nonResourceURLs: textsOf(nonResourceURLs),
  };
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];
}

/** Whether a rule allows a request. As RuleAllows of Kubernetes' RBAC authorizer, for resources without subresources. */
export function isAllowed(
  rules: readonly PolicyRule[],
  { verb, group, resource, name }: AccessRequest,
): boolean {
  return rules.some(
    (rule) =>
      includes(rule.verbs, verb) &&
      includes(rule.apiGroups, group) &&
      includes(rule.resources, resource) &&
      (noNames(rule) || (name !== undefined && rule.resourceNames?.includes(name) === true)),
  );
}

/**
 * Whether an owner of some rules has everything that other rules grant, so that it may grant them. As Covers of
 * component-helpers/auth/rbac/validation.
 */
export function covers(owner: readonly PolicyRule[], granted: readonly PolicyRule[]): boolean {
  return granted.every((rule) => isCovered(owner, rule));
}

function isCovered(owner: readonly PolicyRule[], rule: PolicyRule): boolean {
  const { apiGroups, resources, verbs, resourceNames = [], nonResourceURLs = [] } = rule;
  const names: readonly (string | undefined)[] = resourceNames.length === 0 ? [undefined] : resourceNames;
  return verbs.every(
    (verb) =>
      nonResourceURLs.every((url) =>
        owner.some(
          (one) =>
            includes(one.verbs, verb) &&
            one.nonResourceURLs?.some((pattern) => isUrlMatch(pattern, url)) === true,
        ),
      ) &&
      apiGroups.every((group) =>
        resources.every((resource) =>
          names.every((name) =>
            owner.some(
              (one) =>
                includes(one.verbs, verb) &&
                includes(one.apiGroups, group) &&
                hasResource(one.resources, resource) &&
                (noNames(one) || (name !== undefined && one.resourceNames?.includes(name) === true)),
            ),
          ),
        ),
      ),
  );
}

function noNames({ resourceNames = [] }: PolicyRule): boolean {
  return resourceNames.length === 0;
}

/** As resourceCoversAll: a rule can have a subresource of all resources. */
function hasResource(list: readonly string[], resource: string): boolean {
  if (includes(list, resource)) return true;
  const slash = resource.indexOf('/');
  return slash >= 0 && list.includes(`*${resource.slice(slash)}`);
}

/** As nonResourceURLCovers. */
function isUrlMatch(pattern: string, url: string): boolean {
  return pattern === url || (pattern.endsWith('*') && url.startsWith(pattern.replace(/\*+$/, '')));
}

function includes(list: readonly string[], text: string): boolean {
  return list.includes('*') || list.includes(text);
}
