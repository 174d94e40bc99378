import { readFileSync, statSync } from 'node:fs';
import type { Construct } from 'constructs';
import { ApiObject } from './api-object.ts';
import { checkLock } from './chart-lock.ts';
import { defined } from './defined.ts';
import { largestArchive, pathOf, readFolder } from './source-files.ts';
import type { ValuesFunction } from './values-function.ts';
import { checkProps } from './check-properties.ts';

/** The values with which a source is rendered. */
export interface SourceProps {
  /**
   * Values that are stronger than the chart's defaults, and weaker than those of variables and functions.
   *
   * @default - none
   */
  readonly values?: Readonly<Record<string, unknown>>;

  /**
   * The paths of values that customized variables of an AddOnDeploymentConfig set, by the name of the variable. Each value is a
   * string. With hub delivery, these values become variables of the AddOnTemplate.
   *
   * @default - none: a function can set the values that have the names of variables
   */
  readonly variables?: Readonly<Record<string, string>>;

  /**
   * The functions of addon-framework that return values.
   *
   * @default - all fields of the AddOnDeploymentConfig, then the annotation of the ManagedClusterAddOn
   */
  readonly valuesFunctions?: readonly ValuesFunction[];
}

/** A Helm chart and its values, as a manager that uses addon-framework renders it. */
export interface ManagerChartProps extends SourceProps {
  /**
   * The folder or the archive (`.tgz`) of the chart. A URL is usually relative to `import.meta.url`. If a file with the name of the
   * archive and the extension `.lock` is beside it, the archive must have the digest in it.
   */
  readonly chart: string | URL;

  /**
   * Whether a template that reads a missing value is an error.
   *
   * @default false
   */
  readonly strict?: boolean;
  /**
   * What the function `now` returns, such as `2026-01-31T12:00:00Z`. Functions that read the clock are errors without it.
   *
   * @default - the chart must not read the clock
   */
  readonly now?: string;
}

/** A Helm chart and its values. */
export interface HelmChartProps extends ManagerChartProps {
  /**
   * Whose rules decide. By Helm's rules, the objects are those that `helm install` creates: without `NOTES.txt`, tests and the files
   * in `.helmignore`, with the conditions of dependencies, and in the namespace of the release. By addon-framework's rules, they are
   * those of a manager that is built with `BuildHelmAgentAddon`.
   *
   * @default - Helm's rules with compiled delivery, and addon-framework's rules with hub delivery
   */
  readonly rules?: 'helm' | 'addon-framework';

  /**
   * The version of Kubernetes on clusters that report none, such as `1.34`.
   *
   * @default - a chart that reads the version fails on clusters that do not report it
   */
  readonly kubeVersion?: string;

  /**
   * APIs that the clusters serve besides those of Kubernetes, such as `monitoring.coreos.com/v1`, for `.Capabilities.APIVersions`.
   * Only Helm's rules read them.
   *
   * @default - none
   */
  readonly apiVersions?: readonly string[];

  /**
   * Whether objects of a kind have a namespace, by `group/Kind`, such as `{ 'cert-manager.io/ClusterIssuer': 'Cluster' }`. It is known
   * for kinds of Kubernetes and OCM, and for those of CustomResourceDefinitions in the chart. Only Helm's rules read it.
   *
   * @default - objects of unknown kinds get the namespace of the release, and are reported
   */
  readonly scopes?: Readonly<Record<string, 'Namespaced' | 'Cluster'>>;

  /**
   * The names of Secrets of the chart that are on the clusters in another way, and are not delivered: `name`, or `namespace/name`. Name those here
   * with passwords or keys that the chart makes at random, after you created them. By addon-framework's rules it is an error.
   *
   * @default - a Secret with random content is not delivered either, and is reported
   */
  readonly clusterSecrets?: readonly string[];
}

/**
 * The manifests of an add-on, from a Helm chart. Create it in the workload of an AddOnTemplate. The compiler renders it, so no manager
 * is needed.
 *
 * With compiled delivery, it is rendered for each cluster. With hub delivery, it becomes manifests with variables, which is
 * possible if no condition in its templates depends on the values that differ between clusters.
 *
 * @example
 * const template = new AddOnTemplate(chart, 'hello-1.2.0', {
 *   addonName: 'hello',
 *   workload: (workload) => {
 *     new HelmChart(workload, 'hello', { chart: new URL('chart', import.meta.url), values: { replicas: 2 } });
 *   },
 * });
 */
export class HelmChart extends ApiObject {
  /** @throws {Error} if the chart cannot be read */
  constructor(scope: Construct, id: string, props: HelmChartProps) {
    checkProps({ HelmChart }, new.target, scope, id, props);
    super(scope, id, {
      apiVersion: 'fleetwright.dev/v1alpha1',
      kind: 'HelmChart',
      spec: chartSpec(props),
    });
  }
}

/** Go templates and their values. */
export interface GoTemplatesProps extends SourceProps {
  /** The folder with the templates. A URL is usually relative to `import.meta.url`. */
  readonly folder: string | URL;
}

/**
 * The manifests of an add-on, from Go templates with one object in each file. Create it in the workload of an AddOnTemplate. The
 * compiler renders it as addon-framework's template agent does. The names of its built-in values begin with an uppercase letter.
 *
 * @example
 * const template = new AddOnTemplate(chart, 'hello-1.2.0', {
 *   addonName: 'hello',
 *   workload: (workload) => {
 *     new GoTemplates(workload, 'hello', { folder: new URL('manifests', import.meta.url) });
 *   },
 * });
 */
export class GoTemplates extends ApiObject {
  /** @throws {Error} if the folder cannot be read */
  constructor(scope: Construct, id: string, props: GoTemplatesProps) {
    checkProps({ GoTemplates }, new.target, scope, id, props);
    super(scope, id, {
      apiVersion: 'fleetwright.dev/v1alpha1',
      kind: 'GoTemplates',
      spec: templatesSpec(props),
    });
  }
}

/**
 * Returns a chart as the compiler reads it.
 *
 * @throws {Error} if the chart cannot be read
 */
export function chartSpec(props: HelmChartProps): object {
  const place = pathOf(props.chart);
  const isFolder = statSync(place).isDirectory();
  return defined({
    ...(isFolder ? filesOf(place) : { archive: archiveAt(place).toString('base64') }),
    ...sourceSpec(props),
    strict: props.strict,
    now: props.now,
    rules: props.rules,
    kubeVersion: props.kubeVersion,
    apiVersions: props.apiVersions,
    scopes: props.scopes,
    clusterSecrets: props.clusterSecrets,
  });
}

/**
 * Returns Go templates as the compiler reads them.
 *
 * @throws {Error} if the folder cannot be read
 */
export function templatesSpec(props: GoTemplatesProps): object {
  return { ...filesOf(pathOf(props.folder)), ...sourceSpec(props) };
}

/** @throws {Error} if the archive cannot be read, is too large, or is not the one that the lock beside it describes */
function archiveAt(file: string): Buffer {
  const archive = readFileSync(file);
  if (archive.length > largestArchive)
    throw new Error(
      `${file} has ${archive.length} bytes, and no template can have more than ${largestArchive}: the hub stores objects of at most 1.5 MiB`,
    );
  checkLock(file, archive);
  return archive;
}

function filesOf(folder: string): object {
  const { files, binaryFiles } = readFolder(folder);
  return { files, ...(Object.keys(binaryFiles).length === 0 ? {} : { binaryFiles }) };
}

function sourceSpec({ values, variables, valuesFunctions }: SourceProps): object {
  return defined({ values, variables, valuesFunctions: valuesFunctions?.map(({ called }) => called) });
}
