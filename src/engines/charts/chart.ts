import { getOrInsertComputed } from '../../base/collections/get-or-insert.ts';
import { textOf, type Value, type ValueMap } from '../gotemplate/index.ts';

/** A file of a chart. */
export interface ChartFile {
  /** The path in the folder of its chart, such as `templates/deployment.yaml`. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

const texts = new WeakMap<ChartFile, string>();

/** Returns the content of a file, which is decoded once for all renderings. */
export function fileText(file: ChartFile): string {
  return getOrInsertComputed(texts, file, ({ bytes }) => textOf(bytes));
}

/** An item of `dependencies` in Chart.yaml. */
export interface ChartDependency {
  /** The alias replaces the name when Helm's rules for dependencies are applied. */
  name: string;
  /** The name in Chart.yaml. */
  readonly chart: string;
  readonly version: string;
  readonly repository: string;
  readonly condition: string;
  readonly tags: readonly string[];
  readonly alias: string;
  isEnabled: boolean;
  importValues: readonly Value[];
}

/** What Chart.yaml describes. */
export interface ChartMetadata {
  /** An alias replaces it when Helm's rules for dependencies are applied. */
  name: string;
  readonly home: string;
  readonly sources: readonly string[] | undefined;
  readonly version: string;
  readonly description: string;
  readonly keywords: readonly string[] | undefined;
  readonly maintainers: readonly ChartMaintainer[] | undefined;
  readonly icon: string;
  readonly apiVersion: string;
  readonly condition: string;
  readonly tags: string;
  readonly appVersion: string;
  readonly deprecated: boolean;
  readonly annotations: ReadonlyMap<string, string> | undefined;
  readonly kubeVersion: string;
  dependencies: readonly ChartDependency[] | undefined;
  readonly type: string;
}

export interface ChartMaintainer {
  readonly name: string;
  readonly email: string;
  readonly url: string;
}

/** What a chart consists of, without the charts around it. */
interface ChartParts {
  readonly metadata: ChartMetadata;
  readonly values: ValueMap | undefined;
  readonly valuesFile: Uint8Array | undefined;
  readonly schema: string | undefined;
  readonly templates: readonly ChartFile[];
  readonly files: readonly ChartFile[];
  readonly folder: string;
}

/** One chart of a tree, as Helm's `chart.Chart`: the rules for dependencies change a copy of the tree. */
export class ChartNode {
  metadata: ChartMetadata;
  values: ValueMap | undefined;
  /** The content of values.yaml. */
  readonly valuesFile: Uint8Array | undefined;
  readonly schema: string | undefined;
  readonly templates: readonly ChartFile[];
  readonly files: readonly ChartFile[];
  /** The folder of the chart in the loaded files, such as `charts/redis`; empty for the root. */
  readonly folder: string;
  parent: ChartNode | undefined;
  dependencies: readonly ChartNode[] = [];

  constructor(parts: ChartParts) {
    this.metadata = parts.metadata;
    this.values = parts.values;
    this.valuesFile = parts.valuesFile;
    this.schema = parts.schema;
    this.templates = parts.templates;
    this.files = parts.files;
    this.folder = parts.folder;
  }

  get name(): string {
    return this.metadata.name;
  }

  get isRoot(): boolean {
    return this.parent === undefined;
  }

  /** Such as `app/charts/redis`: the names of the charts, which aliases change, and not their folders. */
  get fullPath(): string {
    return this.parent === undefined ? this.name : `${this.parent.fullPath}/charts/${this.name}`;
  }

  get isLibrary(): boolean {
    return this.metadata.type.toLowerCase() === 'library';
  }

  setDependencies(charts: readonly ChartNode[]): void {
    for (const chart of charts) chart.parent = this;
    this.dependencies = charts;
  }

  /** Returns a copy that has the same dependencies, whose parent is still this chart. As Go's assignment of the struct. */
  shallowCopy(): ChartNode {
    const copy = this.#copyWith({ ...this.metadata });
    copy.parent = this.parent;
    copy.dependencies = this.dependencies;
    return copy;
  }

  #copyWith(metadata: ChartMetadata): ChartNode {
    const { values, valuesFile, schema, templates, files, folder } = this;
    return new ChartNode({ metadata, values, valuesFile, schema, templates, files, folder });
  }

  /** Returns a copy of the tree; files and values are shared. */
  copyTree(): ChartNode {
    const { dependencies } = this.metadata;
    const copy = this.#copyWith({
      ...this.metadata,
      dependencies: dependencies?.map((each) => ({ ...each })),
    });
    copy.setDependencies(this.dependencies.map((each) => each.copyTree()));
    return copy;
  }
}

/** Returns a chart and all charts below it. */
export function chartsOf(chart: ChartNode): ChartNode[] {
  return [chart, ...chart.dependencies.flatMap(chartsOf)];
}
