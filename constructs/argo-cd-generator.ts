import type { ArgoCdPlacementAccess } from './argo-cd-placement-access.ts';
import { defined, unlessEmpty } from './defined.ts';
import type { IPlacement } from './placement.ts';
import type { SelectorLike } from './selector.ts';
import { toLabelSelector } from './selector.ts';

/** A generator: the elements that an ApplicationSet creates Applications for. */
export interface ArgoCdGenerator {
  /** The generator in Argo CD's format. */
  readonly generator: object;
  /** The namespaces of the Placements that it reads. The ApplicationSet must be in each of them. */
  readonly namespaces?: readonly string[];
}

/** The files or folders of a Git repository. */
export interface ArgoCdGitOptions {
  /** URL of the repository. */
  readonly repoUrl: string;

  /**
   * A branch, tag or commit.
   *
   * @default 'HEAD'
   */
  readonly revision?: string;

  /** Patterns of paths, such as `clusters/*`. */
  readonly paths: readonly [string, ...string[]];

  /**
   * Patterns of paths that are left out.
   *
   * @default - none
   */
  readonly exclude?: readonly string[];

  /**
   * Prefix of the parameters of the path. With the prefix app, the template has `{{.app.path.basename}}`. Needed if a matrix has two such generators.
   *
   * @default - none
   */
  readonly pathParamPrefix?: string;

  /**
   * Further parameters, `{{.values.NAME}}`. Their values can use the other parameters.
   *
   * @default - none
   */
  readonly values?: Readonly<Record<string, string>>;

  /**
   * Interval between two reads of the repository, in seconds.
   *
   * @default 180
   */
  readonly requeueAfterSeconds?: number;
}

/** How Argo CD reads the decisions of a Placement. */
export interface ClusterDecisionOptions {
  /**
   * The ConfigMap and permission for Argo CD.
   *
   * @default - the ConfigMap `acm-placement`, which the controller of GitOpsClusters creates with the permission
   */
  readonly access?: ArgoCdPlacementAccess;

  /**
   * Interval between two reads of the decisions, in seconds.
   *
   * @default 180
   */
  readonly requeueAfterSeconds?: number;

  /**
   * Further parameters, `{{.values.NAME}}`. Argo CD does not evaluate templates in them.
   *
   * @default - none
   */
  readonly values?: Readonly<Record<string, string>>;
}

/** The clusters that Argo CD knows. */
export interface ArgoCdClustersOptions {
  /**
   * Selects by the labels of the clusters' Secrets, which a GitOpsCluster copies from the ManagedCluster.
   *
   * @default - all clusters, and the one that Argo CD runs on
   */
  readonly labels?: SelectorLike;

  /**
   * Further parameters, `{{.values.NAME}}`. Their values can use the other parameters.
   *
   * @default - none
   */
  readonly values?: Readonly<Record<string, string>>;

  /**
   * Whether there is one Application with all clusters in `{{.clusters}}`.
   *
   * @default false
   */
  readonly flatList?: boolean;
}

/**
 * The generators of an ApplicationSet.
 *
 * @example
 * const everywhere = new Placement(chart, 'everywhere');
 * const access = new ArgoCdPlacementAccess(chart, 'access');
 * ArgoCdGenerator.matrix(
 *   ArgoCdGenerator.placement(everywhere, { access, requeueAfterSeconds: 60 }),
 *   ArgoCdGenerator.list([{ app: 'cart' }, { app: 'search' }]),
 * );
 */
export const ArgoCdGenerator = {
  /**
   * Creates one Application per folder in Git: `dist/*` for each app. The template has `{{.path.path}}` and
   * `{{.path.basename}}`.
   *
   * @see https://argo-cd.readthedocs.io/en/stable/operator-manual/applicationset/Generators-Git/
   */
  directories(options: ArgoCdGitOptions): ArgoCdGenerator {
    return gitGenerator('directories', options);
  },

  /**
   * Creates one Application per file in Git, in JSON or YAML. The template has the fields of the file, and `{{.path.path}}`. A file
   * with a list has one Application per item.
   *
   * @see https://argo-cd.readthedocs.io/en/stable/operator-manual/applicationset/Generators-Git/
   */
  files(options: ArgoCdGitOptions): ArgoCdGenerator {
    return gitGenerator('files', options);
  },

  /**
   * Creates one Application per cluster that a Placement selects. Argo CD must use the same cluster names as OCM. The
   * template has `{{.name}}`, `{{.server}}` and `{{.clusterName}}`.
   *
   * @see
   * https://argo-cd.readthedocs.io/en/stable/operator-manual/applicationset/Generators-Cluster-Decision-Resource/
   */
  placement(placement: IPlacement, options: ClusterDecisionOptions = {}): ArgoCdGenerator {
    const { namespace, name } = placement.placementReference;
    return {
      namespaces: [namespace],
      generator: {
        clusterDecisionResource: defined({
          configMapRef: options.access?.configMapName ?? 'acm-placement',
          labelSelector: { matchLabels: { 'cluster.open-cluster-management.io/placement': name } },
          requeueAfterSeconds: options.requeueAfterSeconds ?? 180,
          values: options.values,
        }),
      },
    };
  },

  /**
   * Creates one Application per cluster that Argo CD knows. The template has `{{.name}}`, `{{.server}}` and `{{.metadata.labels}}`.
   *
   * @see https://argo-cd.readthedocs.io/en/stable/operator-manual/applicationset/Generators-Cluster/
   */
  clusters(options: ArgoCdClustersOptions = {}): ArgoCdGenerator {
    const { labels, values, flatList } = options;
    return {
      generator: { clusters: defined({ selector: labels && toLabelSelector(labels), values, flatList }) },
    };
  },

  /** Creates one Application per element. */
  list(elements: readonly Readonly<Record<string, unknown>>[]): ArgoCdGenerator {
    return { generator: { list: { elements } } };
  },

  /**
   * Creates one Application per pair of elements. The second generator can use the parameters of the first one.
   *
   * @see https://argo-cd.readthedocs.io/en/stable/operator-manual/applicationset/Generators-Matrix/
   */
  matrix(first: ArgoCdGenerator, second: ArgoCdGenerator): ArgoCdGenerator {
    return combination('matrix', [first, second], {});
  },

  /**
   * Adds the parameters of further generators to the elements of the first one that have the same values of the keys.
   *
   * @see https://argo-cd.readthedocs.io/en/stable/operator-manual/applicationset/Generators-Merge/
   */
  merge(
    mergeKeys: readonly [string, ...string[]],
    generators: readonly [ArgoCdGenerator, ArgoCdGenerator, ...ArgoCdGenerator[]],
  ): ArgoCdGenerator {
    return combination('merge', generators, { mergeKeys });
  },
} as const;

function gitGenerator(kind: 'directories' | 'files', options: ArgoCdGitOptions): ArgoCdGenerator {
  const { repoUrl, revision = 'HEAD', paths, exclude = [] } = options;
  const { pathParamPrefix, values, requeueAfterSeconds } = options;
  const items = [...paths.map((path) => ({ path })), ...exclude.map((path) => ({ path, exclude: true }))];
  return {
    generator: {
      git: defined({
        repoURL: repoUrl,
        revision,
        [kind]: items,
        pathParamPrefix,
        values,
        requeueAfterSeconds,
      }),
    },
  };
}

/** The maximum number of combinations inside of each other. Argo CD reads no further. */
const deepest = 2;

function combination(
  kind: 'matrix' | 'merge',
  children: readonly ArgoCdGenerator[],
  settings: object,
): ArgoCdGenerator {
  if (children.some(({ generator }) => depthOf(generator) >= deepest))
    throw new Error(
      `a ${kind} has a generator that combines generators which combine others: Argo CD reads ${deepest} levels`,
    );
  const namespaces = unlessEmpty(children.flatMap((child) => child.namespaces ?? []));
  return defined({
    namespaces: namespaces && [...new Set(namespaces)],
    generator: { [kind]: { ...settings, generators: children.map(({ generator }) => generator) } },
  });
}

function depthOf(generator: object): number {
  const depths = Object.entries(generator).map(([kind, value]: [string, { generators?: object[] }]) =>
    kind === 'matrix' || kind === 'merge' ? 1 + Math.max(0, ...(value.generators ?? []).map(depthOf)) : 0,
  );
  return Math.max(0, ...depths);
}
