import { textOf, type ValueMap } from '../gotemplate/index.ts';
import { ChartError, type ChartFault } from './chart-fault.ts';
import type { ChartFile, ChartNode } from './chart.ts';
import { cleaned, readArchive, withoutByteOrderMark } from './loading/archive.ts';
import { ChartBounds } from './loading/bounds.ts';
import { IgnoreRules } from './loading/ignore-rules.ts';
import { ignoredFeatures, missingDependencies } from './loading/declared-dependencies.ts';
import { loadTree } from './loading/load-tree.ts';
import { ChartProgram, type ChartRules } from './rendering/chart-program.ts';
import { crdFilesOf } from './rendering/crd-files.ts';

export interface LoadOptions {
  /**
   * Whose rules decide. A program that embeds Helm's engine does not read .helmignore, and it renders every subchart: conditions,
   * tags, aliases and imported values have no effect. Helm's client applies all of them.
   *
   * @default 'embedded'
   */
  readonly rules?: ChartRules;
  /** The name of the program that embeds the engine, for warnings. @default 'the program' */
  readonly program?: string;
}

/** A chart that is ready to render any number of times. */
export interface Chart {
  readonly name: string;
  readonly version: string;
  readonly appVersion: string;
  /** The versions of Kubernetes that Chart.yaml allows, such as `>=1.25.0-0`; empty for all. */
  readonly kubeVersion: string;
  /** Whether other charts use it, and it has no manifests. */
  readonly isLibrary: boolean;
  /** The files in the folder `crds/`, in the order in which they are created. */
  readonly crds: readonly string[];
  /** The values of the `values.yaml`, with those of subcharts below their names. */
  readonly values: ValueMap;
  /** The text of the `values.yaml`; empty without one. */
  readonly valuesText: string;
  /** @internal */
  readonly program: ChartProgram;
}

/** What loadChart returns: a chart, or faults that are errors. */
export interface LoadedChart {
  /** Undefined if the chart cannot be loaded. */
  readonly chart: Chart | undefined;
  readonly faults: readonly ChartFault[];
}

/**
 * Loads a chart. It reads nothing but the files that it receives, and throws nothing: a chart that Helm cannot load, an unsafe
 * archive and a chart beyond the bounds are faults.
 *
 * @param files - the bytes of each file by its path in the folder of the chart, such as `Chart.yaml` and
 * `templates/deployment.yaml`; or the bytes of a `.tgz`
 * @example
 * const { chart, faults } = loadChart(new Map([
 *   ['Chart.yaml', encode('apiVersion: v2\nname: agent\nversion: 1.0.0\n')],
 *   ['templates/config.yaml', encode('apiVersion: v1\nkind: ConfigMap\nmetadata: { name: {{ .Release.Name }} }\n')],
 * ]));
 */
export function loadChart(
  files: ReadonlyMap<string, Uint8Array> | Uint8Array,
  { rules = 'embedded', program = 'the program' }: LoadOptions = {},
): LoadedChart {
  try {
    const { own, root } = loadRoot(files, rules);
    const values = own.find(({ name }) => name === 'values.yaml');
    const chart: Chart = {
      name: root.name,
      version: root.metadata.version,
      appVersion: root.metadata.appVersion,
      kubeVersion: root.metadata.kubeVersion,
      isLibrary: root.isLibrary,
      crds: crdFilesOf(root, rules).map(({ name }) => name),
      values: valuesOf(root),
      valuesText: values === undefined ? '' : textOf(values.bytes),
      program: new ChartProgram(root, rules),
    };
    return {
      chart,
      // Helm's rules decide with the values which dependencies are enabled.
      faults: rules === 'helm' ? [] : [...ignoredFeatures(root, program), ...missingDependencies(root)],
    };
  } catch (error) {
    if (error instanceof ChartError) return { chart: undefined, faults: error.faults };
    if (!(error instanceof RangeError)) throw error;
    const message = 'Chart.yaml or values.yaml is nested too deeply';
    return { chart: undefined, faults: [{ code: 'FW6024', message, hint: 'nest fewer maps and lists' }] };
  }
}

/** Reads the tree of a chart. @throws ChartError, RangeError */
export function loadRoot(
  files: ReadonlyMap<string, Uint8Array> | Uint8Array,
  rules: ChartRules,
): { readonly own: readonly ChartFile[]; readonly root: ChartNode } {
  const bounds = new ChartBounds();
  const own = files instanceof Uint8Array ? readArchive('', files, bounds) : filesOf(files, rules, bounds);
  return { own, root: loadTree(own, '', bounds) };
}

function valuesOf({ values, dependencies }: ChartNode): ValueMap {
  const own: ValueMap = new Map(values);
  for (const each of dependencies) {
    const [inner, outer] = [valuesOf(each), own.get(each.name)];
    own.set(each.name, outer instanceof Map ? new Map([...inner, ...outer]) : inner);
  }
  return own;
}

function filesOf(
  files: ReadonlyMap<string, Uint8Array>,
  rules: ChartRules,
  bounds: ChartBounds,
): ChartFile[] {
  const ignored =
    rules === 'helm' ? new IgnoreRules(textOf(files.get('.helmignore') ?? new Uint8Array())) : undefined;
  const result: ChartFile[] = [];
  for (const name of [...files.keys()].toSorted()) {
    const bytes = files.get(name) ?? new Uint8Array();
    if (name.startsWith('/') || cleaned(name) !== name || name.startsWith('..'))
      throw new ChartError({
        code: 'FW6023',
        message: `${JSON.stringify(name)} is no path in a chart`,
        file: name,
      });
    if (ignored?.excludes(name) === true) continue;
    bounds.add(name, bytes.length);
    result.push({ name, bytes: rules === 'helm' ? withoutByteOrderMark(bytes) : bytes });
  }
  return result;
}
