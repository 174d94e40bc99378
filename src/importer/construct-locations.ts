import { kindKey } from '../base/names/resource-name.ts';
import { ocmKinds } from '../../schemas/kinds.ts';
import type { KubernetesObject } from '../base/objects/object-meta.ts';
import type { ConstructLocation } from './context.ts';
import { create, literal, name, object, type Statement } from './code/expression.ts';
import { isInClusterNamespace, kindWithConstruct } from './kinds.ts';
import { Ids, kebab, VariableNames } from './code/names.ts';

interface Chart {
  readonly variable: string;
  readonly id: string;
  /** The namespace that it sets on objects without one. */
  readonly namespace: string | undefined;
  readonly ids: Ids;
}

interface LocatedObject {
  readonly controllerView: KubernetesObject;
}

/** Names with a meaning in every module that import writes. */
const meanings = ['app', 'cel', 'collect', 'hub', 'kplus', 'scope'];

/** Decides where each object is created: one chart per namespace, and one for objects without a namespace. */
export class ConstructLocations {
  readonly variables = new VariableNames();
  readonly #charts: readonly Chart[];
  readonly #locations = new Map<LocatedObject, ConstructLocation>();

  /** @param clusters - names of managed clusters, whose namespaces have the same names */
  constructor(subjects: readonly LocatedObject[], clusters: ReadonlySet<string>) {
    this.variables.reserve(meanings);
    // add-ons are the main objects of an app, so they choose their names first
    const addOns = subjects.filter(
      ({ controllerView }) => kindKey(controllerView) === ocmKinds.clusterManagementAddOn.key,
    );
    const addOnVariables = new Map(
      addOns.map((subject) => [subject, this.#variable(subject.controllerView)]),
    );
    this.#charts = this.#makeCharts(subjects, clusters);
    const byNamespace = new Map(this.#charts.map((chart) => [chart.namespace, chart]));
    for (const subject of subjects) {
      const { controllerView } = subject;
      const chart =
        byNamespace.get(
          isInClusterNamespace(controllerView) ? undefined : controllerView.metadata.namespace,
        ) ?? this.#charts[0];
      if (chart === undefined) continue;
      this.#locations.set(subject, {
        chart: chart.variable,
        namespace: chart.namespace,
        id: chart.ids.take(idCandidates(controllerView)),
        variable: addOnVariables.get(subject) ?? this.#variable(controllerView),
      });
    }
  }

  of(subject: LocatedObject): ConstructLocation {
    const location = this.#locations.get(subject);
    if (location === undefined) throw new Error('every object has a location');
    return location;
  }

  /** Returns the variable of any chart. */
  get anyChart(): string {
    return this.#charts[0]?.variable ?? '';
  }

  /** Returns the namespaces of the charts, by their variables. */
  get chartNamespaces(): ReadonlyMap<string, string | undefined> {
    return new Map(this.#charts.map(({ variable, namespace }) => [variable, namespace]));
  }

  /** Returns the definitions of the charts. */
  chartStatements(): Statement[] {
    return this.#charts.map(({ variable, id, namespace }) => {
      const props = namespace === undefined ? undefined : object({ namespace: literal(namespace) });
      return { name: variable, value: create('Chart', name('app'), literal(id), props) };
    });
  }

  #makeCharts(subjects: readonly LocatedObject[], clusters: ReadonlySet<string>): Chart[] {
    const namespaces = new Set<string>();
    const clusterNamespaces = new Set(clusters);
    let hasOthers = subjects.length === 0;
    for (const { controllerView } of subjects) {
      const { namespace } = controllerView.metadata;
      if (namespace === undefined || isInClusterNamespace(controllerView)) hasOthers = true;
      else namespaces.add(namespace);
      if (namespace !== undefined && isInClusterNamespace(controllerView)) clusterNamespaces.add(namespace);
    }
    const ids = new Ids();
    const hub = (namespace?: string): Chart => ({
      variable: 'hub',
      id: ids.take(['hub']),
      namespace,
      ids: new Ids(),
    });
    const [only, ...more] = namespaces;
    // with one namespace, one chart is enough: kinds without namespaces ignore it
    if (only !== undefined && more.length === 0 && !clusterNamespaces.has(only)) return [hub(only)];
    const charts = [...namespaces].map((namespace): Chart => ({
      variable: this.variables.take([namespace, `${namespace}-namespace`, `namespace-${namespace}`]),
      id: ids.take([namespace, `namespace-${namespace}`]),
      namespace,
      ids: new Ids(),
    }));
    return hasOthers ? [hub(), ...charts] : charts;
  }

  #variable(source: KubernetesObject): string {
    const { name: objectName = '', namespace = '' } = source.metadata;
    const word = wordOf(source);
    const label = isInClusterNamespace(source) ? `${objectName}-on-${namespace}` : objectName;
    // a name that begins with a digit needs a prefix
    const short = /^[a-z]/i.test(label) ? `${namespace}-${label}` : `${word}-${label}`;
    return this.variables.take([label, `${label}-${word}`, short, `${word}-${namespace}-${objectName}`]);
  }
}

function wordOf(source: KubernetesObject): string {
  return kindWithConstruct(source)?.word ?? kebab(source.kind);
}

function idCandidates(source: KubernetesObject): readonly [string, ...string[]] {
  const { name: objectName = '', namespace = '' } = source.metadata;
  if (isInClusterNamespace(source)) return [`${objectName}-on-${namespace}`];
  const word = wordOf(source);
  return [objectName, `${objectName}-${word}`, `${word}-${objectName}`];
}
