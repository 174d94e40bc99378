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

/** How the work agent applies one object, and what it reports of it. */
export interface ManifestConfigOptions {
  /**
   * What is reported of the object's status.
   *
   * @default - nothing
   */
  readonly feedback?: readonly Feedback[];

  /**
   * Whether the status is asked for at intervals or watched.
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
   * How the object is brought to the state of the manifest.
   *
   * @default UpdateStrategy.update()
   */
  readonly updateStrategy?: UpdateStrategy;
}

/**
 * Says how one object of a work is applied, and what is reported of it. The hub compares the four parts of
 * its name with the delivered object, so the object has to have its namespace already.
 *
 * @see https://open-cluster-management.io/docs/concepts/work-distribution/manifestwork/
 */
export class ManifestConfig {
  /** For the object of that name. */
  static of(reference: ResourceReference, options: ManifestConfigOptions): ManifestConfig {
    return new ManifestConfig(reference, options);
  }

  /**
   * For an object of the workload. The constructs of cdk8s-plus know under which name the API serves them.
   */
  static forObject(object: NamedResource, options: ManifestConfigOptions): ManifestConfig;
  /** For an object of the workload. `resource` is the lower-case plural under which the API serves it. */
  static forObject(object: NamedObject, options: ManifestConfigOptions, resource: string): ManifestConfig;
  static forObject(
    object: NamedObject | NamedResource,
    options: ManifestConfigOptions,
    resource?: string,
  ): ManifestConfig {
    return new ManifestConfig(referenceTo(object, resourceOf(object, resource)), options);
  }

  /** As OCM's objects write it. */
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

/** What is reported of an object's status. */
export class Feedback {
  /** What is known to matter of the built-in kinds, such as the ready replicas of a Deployment. */
  static wellKnownStatus(): Feedback {
    return new Feedback({ type: 'WellKnownStatus' });
  }

  /** Values by JSONPath, each under a name: `{ ready: '.status.readyReplicas' }`. */
  static jsonPaths(paths: Readonly<Record<string, string>>): Feedback {
    return new Feedback({
      type: 'JSONPaths',
      jsonPaths: Object.entries(paths).map(([name, path]) => ({ name, path })),
    });
  }

  /** As OCM's objects write it. */
  readonly rule: ManifestWorkV1FeedbackRule;

  private constructor(rule: ManifestWorkV1FeedbackRule) {
    this.rule = rule;
  }
}

/** A condition that is computed from an object. */
export class ConditionRule {
  /** A condition that is known of the built-in kinds, such as `Complete` of a Job. */
  static wellKnown(condition: string): ConditionRule {
    return new ConditionRule({ type: 'WellKnownConditions', condition });
  }

  /**
   * A condition that is true while all expressions over `object` are. `messageExpression` is a CEL expression
   * too, and goes before `message`.
   */
  static cel(
    condition: string,
    expressions: readonly string[],
    message: { readonly message?: string; readonly messageExpression?: string } = {},
  ): ConditionRule {
    return new ConditionRule({ type: 'CEL', condition, celExpressions: expressions, ...message });
  }

  /** As OCM's objects write it. */
  readonly rule: ManifestWorkV1ConditionRule;

  private constructor(rule: ManifestWorkV1ConditionRule) {
    this.rule = rule;
  }
}

/** How the work agent applies an object on the server. */
export interface ServerSideApplyOptions {
  /**
   * The name under which the agent owns the fields; it begins with `work-agent`.
   *
   * @default 'work-agent'
   */
  readonly fieldManager?: `work-agent${string}`;

  /**
   * Whether to take over fields that others own.
   *
   * @default false
   */
  readonly force?: boolean;

  /**
   * Fields that are left alone once the object exists, or once somebody else changes them.
   *
   * @default - none
   */
  readonly ignoreFields?: readonly ManifestWorkV1IgnoreField[];
}

/** How an object is brought to the state of its manifest. */
export class UpdateStrategy {
  /** By a merge, whoever else changed it. */
  static update(): UpdateStrategy {
    return new UpdateStrategy({ type: 'Update' });
  }

  /** Not at all, once it exists. */
  static createOnly(): UpdateStrategy {
    return new UpdateStrategy({ type: 'CreateOnly' });
  }

  /** Not at all: it is only read, for its status. */
  static readOnly(): UpdateStrategy {
    return new UpdateStrategy({ type: 'ReadOnly' });
  }

  /** By server-side apply. */
  static serverSideApply(options: ServerSideApplyOptions = {}): UpdateStrategy {
    const given = Object.keys(options).length > 0;
    return new UpdateStrategy({ type: 'ServerSideApply', ...(given && { serverSideApply: options }) });
  }

  /** As OCM's objects write it. */
  readonly strategy: ManifestWorkV1UpdateStrategy;

  private constructor(strategy: ManifestWorkV1UpdateStrategy) {
    this.strategy = strategy;
  }
}
