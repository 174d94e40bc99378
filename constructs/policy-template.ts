import type { Construct } from 'constructs';
import type { KubernetesObject } from '../src/base/objects/object-meta.ts';
import type { ConfigurationPolicyProps, PolicyTemplateOptions } from './configuration-policy.ts';
import { Configuration } from './configuration-policy.ts';
import { defined, unlessEmpty } from './defined.ts';
import type { IPolicy, RemediationAction } from './policy-api.ts';
import { policyApiVersion } from './policy-api.ts';
import { dependencyFaults } from './policy-dependency.ts';

/** An object that a Policy delivers to clusters, as it is there. */
export interface PolicyObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string } & Readonly<Record<string, unknown>>;
  readonly [field: string]: unknown;
}

/** A template of one Policy. Its objects are created once. */
export interface BoundTemplate {
  /** The name of the object. */
  readonly name: string;
  /** Returns the template as written in a Policy. */
  readonly toTemplate: () => object;
  readonly faults: () => string[];
}

/** A Policy that templates are bound to. */
type Owner = Construct & IPolicy & { readonly remediationAction: RemediationAction | undefined };

/** The object of a template in one Policy. */
interface TemplateObject {
  readonly toObject: () => KubernetesObject;
  readonly faults: () => string[];
}

/**
 * One object that a Policy delivers to clusters: one entry of `policy-templates`.
 *
 * @example
 * PolicyTemplate.configuration('no-debug', {
 *   severity: 'high',
 *   mustNotHave: (workload) => {
 *     new ApiObject(workload, 'debug', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'debug' } });
 *   },
 * });
 *
 * @see https://open-cluster-management.io/docs/getting-started/integration/policy-controllers/policy-framework/
 */
export class PolicyTemplate {
  /** Delivers a ConfigurationPolicy, which compares objects on the cluster with those that it must have. */
  static configuration(name: string, props: ConfigurationPolicyProps): PolicyTemplate {
    const title = { kind: 'ConfigurationPolicy', name, remediationAction: props.remediationAction };
    return new PolicyTemplate(title, props, (policy) => {
      const configuration = new Configuration(props, policy, name);
      return {
        toObject: () => ({
          apiVersion: policyApiVersion,
          kind: 'ConfigurationPolicy',
          metadata: { name },
          spec: configuration.toSpec(),
        }),
        faults: () => configuration.faults(),
      };
    });
  }

  /** Delivers an object of any kind that a policy engine reads, such as a CertificatePolicy, an OperatorPolicy or a constraint. */
  static object(object: PolicyObject, options: PolicyTemplateOptions = {}): PolicyTemplate {
    const { kind, metadata, spec } = object;
    const remediationAction =
      typeof spec === 'object' && spec !== null && 'remediationAction' in spec
        ? spec.remediationAction
        : undefined;
    return new PolicyTemplate({ kind, name: metadata.name, remediationAction }, options, () => ({
      toObject: () => ({ ...object, metadata: { ...metadata } }),
      faults: () => [],
    }));
  }

  /** Keeps values of other classes from being assignable. */
  declare protected readonly brand: 'PolicyTemplate';

  private readonly title: {
    readonly kind: string;
    readonly name: string;
    readonly remediationAction: unknown;
  };
  private readonly options: PolicyTemplateOptions;
  private readonly objectIn: (policy: Construct) => TemplateObject;

  private constructor(
    title: PolicyTemplate['title'],
    options: PolicyTemplateOptions,
    objectIn: (policy: Construct) => TemplateObject,
  ) {
    this.title = title;
    this.options = options;
    this.objectIn = objectIn;
  }

  /**
   * Creates the objects of the template for a Policy.
   *
   * @internal
   */
  bind(policy: Owner): BoundTemplate {
    const { kind, name } = this.title;
    const { extraDependencies = [], ignorePending } = this.options;
    const { toObject, faults } = this.objectIn(policy);
    return {
      name,
      toTemplate: () =>
        defined({
          objectDefinition: toObject(),
          extraDependencies: unlessEmpty(extraDependencies.map(({ dependency }) => dependency)),
          ignorePending,
        }),
      faults: () => [
        ...this.actionFaults(policy),
        ...faults().map((fault) => `${kind} '${name}': ${fault}`),
        ...dependencyFaults(extraDependencies, policy),
      ],
    };
  }

  private actionFaults(policy: Owner): string[] {
    const { kind, name, remediationAction } = this.title;
    const isMissing = policy.remediationAction === undefined && remediationAction === undefined;
    return isMissing && kind === 'ConfigurationPolicy'
      ? [
          `neither the Policy nor ConfigurationPolicy '${name}' has a remediationAction, which the hub rejects: set one`,
        ]
      : [];
  }
}
