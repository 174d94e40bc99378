import { defined } from './defined.ts';
import type { IPolicy, IPolicySet } from './policy-api.ts';
import { policyApiVersion, policySetApiVersion } from './policy-api.ts';

/** The compliance that a dependency must have. */
export type Compliance = 'Compliant' | 'NonCompliant' | 'Pending';

/** An object on the managed cluster whose status has its compliance. */
export interface CompliantObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;

  /**
   * The namespace of the object.
   *
   * @default - the namespace of the cluster, which has all templates of policies
   */
  readonly namespace?: string;
}

/**
 * An object that must have a compliance on the cluster before a policy is applied there. The policy is `Pending` until then.
 *
 * @example
 * const base = Policy.reference('policies', 'operators');
 * new Policy(chart, 'logging', {
 *   remediationAction: 'enforce',
 *   dependencies: [PolicyDependency.policy(base)],
 *   templates: [PolicyTemplate.configuration('logging', {
 *     mustHave: (workload) => {
 *       new ApiObject(workload, 'logging', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'logging' } });
 *     },
 *   })],
 * });
 *
 * @see https://open-cluster-management.io/docs/getting-started/integration/policy-controllers/policy-framework/
 */
export class PolicyDependency {
  /** Waits for a Policy. */
  static policy(policy: IPolicy, compliance: Compliance = 'Compliant'): PolicyDependency {
    const { namespace, name } = policy.policyReference;
    return new PolicyDependency(
      { apiVersion: policyApiVersion, kind: 'Policy', name, namespace },
      compliance,
    );
  }

  /** Waits for every Policy of a PolicySet that is on the cluster. */
  static policySet(set: IPolicySet, compliance: Compliance = 'Compliant'): PolicyDependency {
    const { namespace, name } = set.policySetReference;
    return new PolicyDependency(
      { apiVersion: policySetApiVersion, kind: 'PolicySet', name, namespace },
      compliance,
    );
  }

  /** Waits for a template of a Policy, such as `{ apiVersion, kind: 'ConfigurationPolicy', name }`. */
  static object(object: CompliantObject, compliance: Compliance = 'Compliant'): PolicyDependency {
    return new PolicyDependency(object, compliance);
  }

  /** Keeps values of other classes from being assignable. */
  declare protected readonly brand: 'PolicyDependency';

  /**
   * Returns the dependency as written in a Policy.
   *
   * @internal
   */
  readonly dependency: CompliantObject & { readonly compliance: Compliance };

  private constructor({ apiVersion, kind, name, namespace }: CompliantObject, compliance: Compliance) {
    this.dependency = defined({ apiVersion, kind, name, namespace, compliance });
  }
}

const withoutNamespace: ReadonlySet<string> = new Set(['CertificatePolicy', 'ConfigurationPolicy']);

/**
 * Returns the errors of dependencies.
 *
 * @param policy - the Policy that waits
 */
export function dependencyFaults(dependencies: readonly PolicyDependency[], policy: IPolicy): string[] {
  const own = policy.policyReference;
  return dependencies.flatMap(({ dependency: { kind, name, namespace } }) => {
    if (withoutNamespace.has(kind) && namespace !== undefined)
      return [
        `the dependency on ${kind} '${name}' has a namespace, which the API server rejects: leave it out`,
      ];
    return kind === 'Policy' && name === own.name && namespace === own.namespace
      ? [`Policy '${name}' depends on itself, and would be Pending indefinitely`]
      : [];
  });
}
