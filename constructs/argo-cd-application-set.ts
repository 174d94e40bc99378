import { Construct } from 'constructs';
import { ApiObject } from './api-object.ts';
import type { ArgoCdApplicationTemplate } from './argo-cd-application.ts';
import { applicationSpec, backgroundFinalizer, destinationFaults } from './argo-cd-application.ts';
import { defined } from './defined.ts';
import type { NamespacedObjectProps } from './ocm-object.ts';
import { NamespacedObject } from './ocm-object.ts';
import type { IPlacement } from './placement.ts';

/** What an ApplicationSet makes Applications for. */
export interface ArgoCdGenerator {
  /** The generator as Argo CD has it. */
  readonly generator: object;
  /** The namespace that it has to be in, where that matters. */
  readonly namespace?: string;
}

/** The ways in which an ApplicationSet comes to its Applications. */
export const ArgoCdGenerator = {
  /**
   * One for each folder that is there: `dist/*` for each app. The template has `{{.path.path}}` and `{{.path.basename}}`.
   *
   * @see https://argo-cd.readthedocs.io/en/stable/operator-manual/applicationset/Generators-Git/
   */
  directories(options: { repoUrl: string; revision?: string; paths: readonly string[] }): ArgoCdGenerator {
    const { repoUrl, revision = 'HEAD', paths } = options;
    return {
      generator: { git: { repoURL: repoUrl, revision, directories: paths.map((path) => ({ path })) } },
    };
  },

  /**
   * One for each cluster that a Placement selects. Argo CD must know the clusters by the names that OCM has for them. The
   * template has `{{.name}}`, `{{.server}}` and `{{.clusterName}}`.
   *
   * @see https://argo-cd.readthedocs.io/en/stable/operator-manual/applicationset/Generators-Cluster-Decision-Resource/
   */
  placement(placement: IPlacement, options: ClusterDecisionOptions): ArgoCdGenerator {
    const { namespace, name } = placement.placementReference;
    return {
      namespace,
      generator: {
        clusterDecisionResource: {
          configMapRef: options.access.configMapName,
          labelSelector: { matchLabels: { 'cluster.open-cluster-management.io/placement': name } },
          requeueAfterSeconds: options.requeueAfterSeconds ?? 180,
        },
      },
    };
  },

  /** One for each of these values. */
  list(elements: readonly Readonly<Record<string, string>>[]): ArgoCdGenerator {
    return { generator: { list: { elements } } };
  },
} as const;

/** How Argo CD reads the decisions of a Placement. */
export interface ClusterDecisionOptions {
  /** What lets it. */
  readonly access: ArgoCdPlacementAccess;

  /**
   * How often it looks for other decisions, in seconds.
   *
   * @default 180
   */
  readonly requeueAfterSeconds?: number;
}

/** An ApplicationSet, and the Application that it makes again and again. */
export interface ArgoCdApplicationSetProps extends NamespacedObjectProps {
  /**
   * The namespace of Argo CD.
   *
   * @default 'argocd'
   */
  readonly namespace?: string;

  /** What it makes Applications for. */
  readonly generators: readonly ArgoCdGenerator[];

  /** The name of each Application, such as `{{.path.basename}}`. */
  readonly applicationName: string;

  /** What each applies. Texts are Go templates. */
  readonly template: ArgoCdApplicationTemplate;

  /**
   * Whether an Application stays that has nothing any more that it is made for.
   *
   * @default false
   */
  readonly preserveResourcesOnDeletion?: boolean;
}

/**
 * Makes Applications: for each app that there is, or for each cluster that a Placement selects.
 *
 * @see https://argo-cd.readthedocs.io/en/stable/operator-manual/applicationset/
 */
export class ArgoCdApplicationSet extends NamespacedObject {
  private readonly choices: ArgoCdApplicationSetProps;

  constructor(scope: Construct, id: string, props: ArgoCdApplicationSetProps) {
    const type = { apiVersion: 'argoproj.io/v1alpha1', kind: 'ApplicationSet' };
    super(scope, id, type, { ...props, namespace: props.namespace ?? 'argocd' });
    this.choices = props;
  }

  protected override toSpec(): object {
    const { generators, applicationName, template, preserveResourcesOnDeletion } = this.choices;
    return defined({
      goTemplate: true,
      // A value that is not there is an error, not an empty text.
      goTemplateOptions: ['missingkey=error'],
      generators: generators.map(({ generator }) => generator),
      syncPolicy: preserveResourcesOnDeletion === undefined ? undefined : { preserveResourcesOnDeletion },
      template: {
        metadata: {
          name: applicationName,
          // Without it Argo CD sets a finalizer that deletes in the foreground.
          finalizers: preserveResourcesOnDeletion === true ? undefined : [backgroundFinalizer],
        },
        spec: applicationSpec(template),
      },
    });
  }

  protected override faults(): string[] {
    const elsewhere = this.choices.generators.flatMap(({ namespace }) =>
      namespace === undefined || namespace === this.namespace ? [] : [namespace],
    );
    return [
      ...super.faults(),
      ...destinationFaults(`ApplicationSet '${this.name}'`, this.choices.template.destination),
      ...elsewhere.map(
        (namespace) =>
          `ApplicationSet '${this.name}' reads decisions in its own namespace '${this.namespace}', and the Placement is in '${namespace}'`,
      ),
    ];
  }
}

/** Where Argo CD is. */
export interface ArgoCdPlacementAccessProps {
  /**
   * The namespace of Argo CD, which is that of the Placements.
   *
   * @default 'argocd'
   */
  readonly namespace?: string;

  /**
   * The name of the ConfigMap, of the Role and of its binding.
   *
   * @default 'ocm-placement-decisions'
   */
  readonly name?: string;

  /**
   * The account of Argo CD's ApplicationSet controller.
   *
   * @default 'argocd-applicationset-controller'
   */
  readonly serviceAccount?: string;
}

/** Lets Argo CD read the decisions of Placements: the ConfigMap that says how, and the permission. */
export class ArgoCdPlacementAccess extends Construct {
  /** The name of the ConfigMap. */
  readonly configMapName: string;

  constructor(scope: Construct, id: string, props: ArgoCdPlacementAccessProps = {}) {
    super(scope, id);
    const { namespace = 'argocd', name = 'ocm-placement-decisions' } = props;
    const { serviceAccount = 'argocd-applicationset-controller' } = props;
    this.configMapName = name;
    const metadata = { name, namespace };
    new ApiObject(this, 'config', {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata,
      data: {
        apiVersion: 'cluster.open-cluster-management.io/v1beta1',
        kind: 'placementdecisions',
        statusListKey: 'decisions',
        matchKey: 'clusterName',
      },
    });
    new ApiObject(this, 'role', {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'Role',
      metadata,
      rules: [
        {
          apiGroups: ['cluster.open-cluster-management.io'],
          resources: ['placementdecisions'],
          verbs: ['get', 'list', 'watch'],
        },
      ],
    });
    new ApiObject(this, 'binding', {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'RoleBinding',
      metadata,
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name },
      subjects: [{ kind: 'ServiceAccount', name: serviceAccount, namespace }],
    });
  }
}
