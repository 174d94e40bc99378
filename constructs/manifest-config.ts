import type {
  ManifestWorkV1ConditionRule,
  ManifestWorkV1FeedbackRule,
  ManifestWorkV1IgnoreField,
  ManifestWorkV1ManifestConfigOption,
  ManifestWorkV1UpdateStrategy,
} from '../schemas/types.gen.ts';
import { defined, unlessEmpty } from './defined.ts';
import type { NamedObject, NamedResource, ResourceReference } from './named-object.ts';
import { referenceTo, resourceOf } from './named-object.ts';

/** How the work agent applies one object, and what it reports about it. */
export interface ManifestConfigOptions {
  /**
   * The reported fields of the object's status.
   *
   * @default - nothing
   */
  readonly feedback?: readonly Feedback[];

  /**
   * Whether the agent polls or watches the status.
   *
   * @default 'Poll'
   */
  readonly feedbackScrapeType?: 'Poll' | 'Watch';

  /**
   * Conditions that are computed from the object.
   *
   * @default - none
   */
  readonly conditions?: readonly ConditionRule[];

  /**
   * How the object is updated to match the manifest.
   *
   * @default UpdateStrategy.update()
   */
  readonly updateStrategy?: UpdateStrategy;
}

/**
 * Defines how one object of a work is applied, and what is reported about it. The hub compares the four parts of its
 * name with the delivered object, so the object must already have its namespace.
 *
 * @example
 * const agent = { group: 'apps', resource: 'deployments', namespace: 'hello', name: 'agent' };
 * ManifestConfig.of(agent, { feedback: [Feedback.wellKnownStatus()], updateStrategy: UpdateStrategy.update() });
 *
 * @see https://open-cluster-management.io/docs/concepts/work-distribution/manifestwork/
 */
export class ManifestConfig {
  /** Returns the configuration for the object with this name. */
  static of(reference: ResourceReference, options: ManifestConfigOptions): ManifestConfig {
    return new ManifestConfig(reference, options);
  }

  /**
   * Returns the configuration for an object of the workload. The constructs of cdk8s-plus have the plural name of
   * their kind.
   */
  static forObject(object: NamedResource, options: ManifestConfigOptions): ManifestConfig;
  /**
   * Returns the configuration for an object of the workload. `resource` is the lower-case plural name of its kind.
   */
  static forObject(object: NamedObject, options: ManifestConfigOptions, resource: string): ManifestConfig;
  static forObject(
    object: NamedObject | NamedResource,
    options: ManifestConfigOptions,
    resource?: string,
  ): ManifestConfig {
    return new ManifestConfig(referenceTo(object, resourceOf(object, resource)), options);
  }

  /** Keeps values of other classes from being assignable. */
  declare protected readonly brand: 'ManifestConfig';

  /**
   * Returns the configuration as written in OCM's objects.
   *
   * @internal
   */
  readonly config: ManifestWorkV1ManifestConfigOption;

  private constructor(reference: ResourceReference, options: ManifestConfigOptions) {
    this.config = defined({
      resourceIdentifier: reference,
      feedbackRules: unlessEmpty((options.feedback ?? []).map(({ rule }) => rule)),
      feedbackScrapeType: options.feedbackScrapeType,
      conditionRules: unlessEmpty((options.conditions ?? []).map(({ rule }) => rule)),
      updateStrategy: options.updateStrategy?.strategy,
    });
  }
}

/**
 * The reported fields of an object's status.
 *
 * @example
 * Feedback.jsonPaths({ ready: '.status.readyReplicas' });
 */
export class Feedback {
  /** Reports the well-known fields of the built-in kinds, such as the ready replicas of a Deployment. */
  static wellKnownStatus(): Feedback {
    return new Feedback({ type: 'WellKnownStatus' });
  }

  /** Reports values by JSONPath, each with a name: `{ ready: '.status.readyReplicas' }`. */
  static jsonPaths(paths: Readonly<Record<string, string>>): Feedback {
    return new Feedback({
      type: 'JSONPaths',
      jsonPaths: Object.entries(paths).map(([name, path]) => ({ name, path })),
    });
  }

  /** Keeps values of other classes from being assignable. */
  declare protected readonly brand: 'Feedback';

  /**
   * Returns the rule as written in OCM's objects.
   *
   * @internal
   */
  readonly rule: ManifestWorkV1FeedbackRule;

  private constructor(rule: ManifestWorkV1FeedbackRule) {
    this.rule = rule;
  }
}

/**
 * A condition that is computed from an object.
 *
 * @example
 * ConditionRule.wellKnown('Complete');
 */
export class ConditionRule {
  /** Returns a well-known condition of the built-in kinds, such as `Complete` of a Job. */
  static wellKnown(condition: string): ConditionRule {
    return new ConditionRule({ type: 'WellKnownConditions', condition });
  }

  /**
   * Returns a condition that is true while all expressions over `object` are true. `messageExpression` is a CEL
   * expression too, and overrides `message`.
   */
  static cel(
    condition: string,
    expressions: readonly string[],
    message: { readonly message?: string; readonly messageExpression?: string } = {},
  ): ConditionRule {
    return new ConditionRule({ type: 'CEL', condition, celExpressions: expressions, ...message });
  }

  /** Keeps values of other classes from being assignable. */
  declare protected readonly brand: 'ConditionRule';

  /**
   * Returns the rule as written in OCM's objects.
   *
   * @internal
   */
  readonly rule: ManifestWorkV1ConditionRule;

  private constructor(rule: ManifestWorkV1ConditionRule) {
    this.rule = rule;
  }
}

/** Settings for server-side apply by the work agent. */
export interface ServerSideApplyOptions {
  /**
   * The field manager of the agent. It begins with `work-agent`.
   *
   * @default 'work-agent'
   */
  readonly fieldManager?: `work-agent${string}`;

  /**
   * Whether to take over fields that other field managers own.
   *
   * @default false
   */
  readonly force?: boolean;

  /**
   * Fields that the agent ignores once the object exists, or once someone else changes them.
   *
   * @default - none
   */
  readonly ignoreFields?: readonly ManifestWorkV1IgnoreField[];
}

/**
 * How an object is updated to match its manifest.
 *
 * @example
 * UpdateStrategy.serverSideApply({ force: true });
 */
export class UpdateStrategy {
  /** Merges the manifest, and overwrites the changes of others. */
  static update(): UpdateStrategy {
    return new UpdateStrategy({ type: 'Update' });
  }

  /** Creates the object, and never updates it. */
  static createOnly(): UpdateStrategy {
    return new UpdateStrategy({ type: 'CreateOnly' });
  }

  /** Never writes the object: the agent only reads its status. */
  static readOnly(): UpdateStrategy {
    return new UpdateStrategy({ type: 'ReadOnly' });
  }

  /** Uses server-side apply. */
  static serverSideApply(options: ServerSideApplyOptions = {}): UpdateStrategy {
    const hasOptions = Object.keys(options).length > 0;
    return new UpdateStrategy({ type: 'ServerSideApply', ...(hasOptions && { serverSideApply: options }) });
  }

  /** Keeps values of other classes from being assignable. */
  declare protected readonly brand: 'UpdateStrategy';

  /**
   * Returns the strategy as written in OCM's objects.
   *
   * @internal
   */
  readonly strategy: ManifestWorkV1UpdateStrategy;

  private constructor(strategy: ManifestWorkV1UpdateStrategy) {
    this.strategy = strategy;
  }
}
