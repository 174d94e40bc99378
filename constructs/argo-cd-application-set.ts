import { Construct } from 'constructs';
import { ApiObject } from './api-object.ts';
import type { ArgoCdApplicationTemplate } from './argo-cd-application.ts';
import { applicationSpec, backgroundFinalizer, destinationFaults } from './argo-cd-application.ts';
import { defined } from './defined.ts';
import type { NamespacedObjectProps } from './ocm-object.ts';
import { NamespacedObject } from './ocm-object.ts';
import type { IPlacement } from './placement.ts';
import { clusterGroup } from '../schemas/groups.ts';
import { checkProps } from './check-properties.ts';

/** A generator: the elements that an ApplicationSet creates Applications for. */
export interface ArgoCdGenerator {
  /** The generator in Argo CD's format. */
  readonly generator: object;
  /** The namespace that the ApplicationSet must be in, if there is such a restriction. */
  readonly namespace?: string;
}

/**
 * The generators of an ApplicationSet.
 *
 * @example
 * const everywhere = new Placement(chart, 'everywhere');
 * const access = new ArgoCdPlacementAccess(chart, 'access');
 * ArgoCdGenerator.placement(everywhere, { access, requeueAfterSeconds: 60 });
 */
export const ArgoCdGenerator = {
  /**
   * Creates one Application per folder in Git: `dist/*` for each app. The template has `{{.path.path}}` and
   * `{{.path.basename}}`.
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
   * Creates one Application per cluster that a Placement selects. Argo CD must use the same cluster names as OCM. The
   * template has `{{.name}}`, `{{.server}}` and `{{.clusterName}}`.
   *
   * @see
   * https://argo-cd.readthedocs.io/en/stable/operator-manual/applicationset/Generators-Cluster-Decision-Resource/
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

  /** Creates one Application per value. */
  list(elements: readonly Readonly<Record<string, string>>[]): ArgoCdGenerator {
    return { generator: { list: { elements } } };
  },
} as const;

/** How Argo CD reads the decisions of a Placement. */
export interface ClusterDecisionOptions {
  /** The ConfigMap and permission for Argo CD. */
  readonly access: ArgoCdPlacementAccess;

  /**
   * Interval between two reads of the decisions, in seconds.
   *
   * @default 180
   */
  readonly requeueAfterSeconds?: number;
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
   * Whether an Application is kept when its element is gone.
   *
   * @default false
   */
  readonly preserveResourcesOnDeletion?: boolean;
}

/**
 * Creates Applications: one per app, or one per cluster that a Placement selects.
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
    return defined({
      goTemplate: true,
      // A missing value is an error, not an empty text.
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

/** The installation of Argo CD. */
export interface ArgoCdPlacementAccessProps {
  /**
   * The namespace of Argo CD, which must be the namespace of the Placements.
   *
   * @default 'argocd'
   */
  readonly namespace?: string;

  /**
   * The name of the ConfigMap, of the Role and of its RoleBinding.
   *
   * @default 'ocm-placement-decisions'
   */
  readonly name?: string;

  /**
   * The ServiceAccount of Argo CD's ApplicationSet controller.
   *
   * @default 'argocd-applicationset-controller'
   */
  readonly serviceAccount?: string;
}

/**
 * Lets Argo CD read the decisions of Placements: creates the ConfigMap of the generator, and the permission.
 *
 * @example
 * const access = new ArgoCdPlacementAccess(chart, 'access', { namespace: 'argocd' });
 */
export class ArgoCdPlacementAccess extends Construct {
  /** The name of the ConfigMap. */
  readonly configMapName: string;

  constructor(scope: Construct, id: string, props: ArgoCdPlacementAccessProps = {}) {
    checkProps({ ArgoCdPlacementAccess }, new.target, scope, id, props);
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
          apiGroups: [clusterGroup],
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
