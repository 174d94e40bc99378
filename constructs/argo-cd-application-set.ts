import type { Construct } from 'constructs';
import type { ArgoCdApplicationTemplate } from './argo-cd-application.ts';
import { applicationSpec, backgroundFinalizer, destinationFaults } from './argo-cd-application.ts';
import type { ArgoCdGenerator } from './argo-cd-generator.ts';
import { checkProps } from './check-properties.ts';
import { defined } from './defined.ts';
import type { NamespacedObjectProps } from './ocm-object.ts';
import { NamespacedObject } from './ocm-object.ts';
import type { Percent } from './rollout.ts';

/** One step of a progressive sync. */
export interface ArgoCdSyncStep {
  /** The Applications of the step: the values of a label that they can have. */
  readonly label: string;
  readonly values: readonly [string, ...string[]];

  /**
   * Whether the step has the Applications with another value of the label, or without it.
   *
   * @default false
   */
  readonly isExcluded?: boolean;

  /**
   * Maximum number of Applications that are synced at the same time: `maxUpdate`.
   *
   * @default - all of the step
   */
  readonly maxUpdate?: number | Percent;
}

/** The settings of an ApplicationSet and of its Applications. */
export interface ArgoCdApplicationSetProps extends NamespacedObjectProps {
  /**
   * The namespace of Argo CD.
   *
   * @default 'argocd'
   */
  readonly namespace?: string;

  /** The generators. */
  readonly generators: readonly ArgoCdGenerator[];

  /** The name of each Application, such as `{{.path.basename}}`. */
  readonly applicationName: string;

  /** The template of each Application. Texts are Go templates. */
  readonly template: ArgoCdApplicationTemplate;

  /**
   * Labels of each Application. Their values are Go templates.
   *
   * @default - none
   */
  readonly applicationLabels?: Readonly<Record<string, string>>;

  /**
   * Annotations of each Application. Their values are Go templates.
   *
   * @default - none
   */
  readonly applicationAnnotations?: Readonly<Record<string, string>>;

  /**
   * A Go template whose result, in YAML, is merged into each Application.
   *
   * @default - none
   * @see https://argo-cd.readthedocs.io/en/stable/operator-manual/applicationset/Template/#template-patch
   */
  readonly templatePatch?: string;

  /**
   * Whether what an Application deployed stays when the Application is deleted, because its element is gone or the ApplicationSet is
   * deleted.
   *
   * @default false
   */
  readonly preserveResourcesOnDeletion?: boolean;

  /**
   * What Argo CD may do with Applications that exist. Applications that are not deleted are kept as they are.
   *
   * @default 'sync'
   * @see
   * https://argo-cd.readthedocs.io/en/stable/operator-manual/applicationset/Controlling-Resource-Modification/
   */
  readonly applicationsSync?: 'sync' | 'create-only' | 'create-update' | 'create-delete';

  /**
   * The steps of a progressive sync: `strategy.rollingSync`. A step begins when all Applications of the steps before are healthy. Argo
   * CD then syncs the Applications itself, and automated syncs have no effect. The controller needs the option
   * `--enable-progressive-syncs`.
   *
   * @default - all Applications at once
   * @see https://argo-cd.readthedocs.io/en/stable/operator-manual/applicationset/Progressive-Syncs/
   */
  readonly steps?: readonly ArgoCdSyncStep[];

  /**
   * Whether Applications are deleted in the order of the steps, backwards. Only with `steps`.
   *
   * @default 'AllAtOnce'
   */
  readonly deletionOrder?: 'AllAtOnce' | 'Reverse';

  /**
   * Labels and annotations that others may set on Applications, and Argo CD keeps.
   *
   * @default - none
   */
  readonly preservedFields?: {
    readonly labels?: readonly string[];
    readonly annotations?: readonly string[];
  };
}

/**
 * Creates Applications: one per folder, per file, per value, or per cluster that a Placement selects.
 *
 * @example
 * new ArgoCdApplicationSet(chart, 'add-ons', {
 *   generators: [ArgoCdGenerator.list([{ app: 'hello' }, { app: 'proxy' }])],
 *   applicationName: '{{.app}}',
 *   template: { repoUrl: 'https://git.example.com/add-ons.git', path: 'dist/{{.app}}' },
 * });
 *
 * @see https://argo-cd.readthedocs.io/en/stable/operator-manual/applicationset/
 */
export class ArgoCdApplicationSet extends NamespacedObject {
  private readonly choices: ArgoCdApplicationSetProps;

  constructor(scope: Construct, id: string, props: ArgoCdApplicationSetProps) {
    checkProps({ ArgoCdApplicationSet }, new.target, scope, id, props);
    const type = { apiVersion: 'argoproj.io/v1alpha1', kind: 'ApplicationSet' };
    super(scope, id, type, { ...props, namespace: props.namespace ?? 'argocd' });
    this.choices = props;
  }

  /** @internal */
  protected override toSpec(): object {
    const { generators, applicationName, template, preserveResourcesOnDeletion } = this.choices;
    const { applicationLabels, applicationAnnotations, applicationsSync, preservedFields } = this.choices;
    const syncPolicy = defined({ preserveResourcesOnDeletion, applicationsSync });
    return defined({
      goTemplate: true,
      // A missing value is an error, not an empty text.
      goTemplateOptions: ['missingkey=error'],
      generators: generators.map(({ generator }) => generator),
      syncPolicy: Object.keys(syncPolicy).length === 0 ? undefined : syncPolicy,
      strategy: this.strategy(),
      preservedFields,
      template: {
        metadata: defined({
          name: applicationName,
          labels: applicationLabels,
          annotations: applicationAnnotations,
          // Without it Argo CD sets a finalizer that deletes in the foreground.
          finalizers: preserveResourcesOnDeletion === true ? undefined : [backgroundFinalizer],
        }),
        spec: applicationSpec(template),
      },
      templatePatch: this.choices.templatePatch,
    });
  }

  private strategy(): object | undefined {
    const { steps = [], deletionOrder } = this.choices;
    if (steps.length === 0) return undefined;
    return defined({
      type: 'RollingSync',
      deletionOrder,
      rollingSync: {
        steps: steps.map(({ label, values, isExcluded = false, maxUpdate }) =>
          defined({
            matchExpressions: [{ key: label, operator: isExcluded ? 'NotIn' : 'In', values }],
            maxUpdate,
          }),
        ),
      },
    });
  }

  protected override faults(): string[] {
    const { generators, template } = this.choices;
    const title = `ApplicationSet '${this.name}'`;
    const namespaces = new Set(generators.flatMap((generator) => generator.namespaces ?? []));
    namespaces.delete(this.namespace);
    return [
      ...super.faults(),
      ...(generators.length === 0 ? [`${title} has no generators, and creates no Application`] : []),
      ...destinationFaults(title, template.destination),
      ...[...namespaces].map(
        (namespace) =>
          `${title} reads decisions in its own namespace '${this.namespace}', and the Placement is in '${namespace}'`,
      ),
      ...this.stepFaults(title),
    ];
  }

  private stepFaults(title: string): string[] {
    const { steps = [], deletionOrder, applicationLabels = {}, templatePatch } = this.choices;
    const faults: string[] = [];
    if (deletionOrder === 'Reverse' && steps.length === 0)
      faults.push(`${title} has a deletionOrder without steps, so that Argo CD ignores it`);
    for (const { label, values, isExcluded = false } of steps) {
      // A patch can set any label.
      if (isExcluded || templatePatch !== undefined) continue;
      const value = applicationLabels[label];
      if (value !== undefined && (value.includes('{{') || values.includes(value))) continue;
      const problem =
        value === undefined
          ? `which applicationLabels do not set`
          : `and applicationLabels set it to '${value}'`;
      faults.push(
        `${title} has a step for Applications with the label ${label} in ${values.join(', ')}, ${problem}: the step has no Application`,
      );
    }
    return faults;
  }
}
