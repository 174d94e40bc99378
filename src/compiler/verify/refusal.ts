/** Who refused a request, by the words of the API server. */
export type Refusal =
  /** The permission of the user is missing: the request was not answered. */
  | { readonly by: 'permission' }
  /** The webhook does not answer dry runs. */
  | { readonly by: 'webhook without dry run'; readonly name: string }
  /** A webhook, an admission policy, a quota. */
  | { readonly by: 'admission'; readonly cause: string }
  /** The API server itself. */
  | { readonly by: 'server' };

const admission: readonly (readonly [pattern: RegExp, words: (...names: string[]) => string])[] = [
  [
    /ValidatingAdmissionPolicy '([^']+)' with binding '([^']+)' denied request/,
    (policy, binding) => `ValidatingAdmissionPolicy ${policy} (binding ${binding})`,
  ],
  [/admission webhook "([^"]+)" denied the request/, (name) => `webhook ${name}`],
  [/failed calling webhook "([^"]+)"/, (name) => `webhook ${name}, which does not answer`],
  [/[Mm]utatingAdmissionPolicy '?([\w.-]+)'?/, (policy) => `MutatingAdmissionPolicy ${policy}`],
  [/exceeded quota: ([^,\s]+)/, (name) => `ResourceQuota ${name}`],
  [/violates PodSecurity "([^"]+)"/, (level) => `PodSecurity ${level}`],
];

/** Returns who refused a request. @param message - of the API server, which names webhooks, policies and quotas */
export function refusalOf(code: number, message: string): Refusal {
  const [, unable] = /admission webhook "([^"]+)" does not support dry run/.exec(message) ?? [];
  if (unable !== undefined) return { by: 'webhook without dry run', name: unable };
  for (const [pattern, words] of admission) {
    const [, ...names] = pattern.exec(message) ?? [];
    if (names.length > 0) return { by: 'admission', cause: words(...names) };
  }
  return code === 403 || code === 401 ? { by: 'permission' } : { by: 'server' };
}
