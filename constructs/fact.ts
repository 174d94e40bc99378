/** A default for clusters that lack a fact. */
export interface FactOptions {
  /**
   * The value on clusters that lack the fact.
   *
   * @default - such a cluster is an error
   */
  readonly default?: string | number | boolean;
}

/**
 * A fact of a cluster, of the hub, or the value of another parameter. It is computed when the app is compiled, for each cluster. A
 * text becomes a number or a boolean where the parameter is one.
 *
 * @example
 * const parameters = new AddOnParameters(chart, 'parameters', {
 *   addOn: ClusterManagementAddOn.reference('logs'),
 *   parameters: { COLLECTOR: Parameter.string(), REPLICAS: Parameter.integer() },
 * });
 * parameters.forEveryCluster({
 *   COLLECTOR: Fact.text`https://logs.${Fact.label('region')}.example.com`,
 *   REPLICAS: Fact.claim('replicas.example.com', { default: 2 }),
 * });
 */
export class Fact {
  /** The name of the cluster. */
  static readonly clusterName = Fact.of('cluster.name');

  /** The Kubernetes version of the cluster, such as `v1.31.0`. */
  static readonly clusterVersion = Fact.of('cluster.version');

  /** The exclusive ManagedClusterSet of the cluster. */
  static readonly clusterSet = Fact.of('cluster.set');

  /** The name of the hub in fleetwright.yaml. */
  static readonly hubName = Fact.of('hub.name');

  /** The OCM release of the hub, such as `1.3`. */
  static readonly hubVersion = Fact.of('hub.version');

  /** Returns a label of the cluster. */
  static label(key: string, options: FactOptions = {}): Fact {
    return Fact.of(`cluster.labels.${key}`, options);
  }

  /** Returns a claim of the cluster. */
  static claim(name: string, options: FactOptions = {}): Fact {
    return Fact.of(`cluster.claims.${name}`, options);
  }

  /** Returns an allocatable resource of the cluster, such as `cpu`. A quantity becomes its number where the parameter is one. */
  static allocatable(resource: string, options: FactOptions = {}): Fact {
    return Fact.of(`cluster.allocatable.${resource}`, options);
  }

  /** Returns the capacity of a resource of the cluster. */
  static capacity(resource: string, options: FactOptions = {}): Fact {
    return Fact.of(`cluster.capacity.${resource}`, options);
  }

  /** Returns a value under `facts` of the hub in fleetwright.yaml. Dots separate the keys of nested values. */
  static hub(key: string, options: FactOptions = {}): Fact {
    return Fact.of(`hub.facts.${key}`, options);
  }

  /** Returns the value of another parameter of the add-on. */
  static parameter(name: string): Fact {
    return Fact.of(`parameters.${name}`);
  }

  /** Returns a text with facts. */
  static text(texts: TemplateStringsArray, ...facts: readonly Fact[]): Fact {
    let text = '';
    for (const [index, part] of texts.entries()) {
      text += part.replaceAll('$', '$$$$');
      const fact = facts[index];
      if (fact !== undefined) text += fact.inText();
    }
    return new Fact({ $text: text });
  }

  private static of(name: string, { default: value }: FactOptions = {}): Fact {
    return new Fact(value === undefined ? { $fact: name } : { $fact: name, $default: value });
  }

  /** @internal */
  readonly expression: FactExpression;

  private constructor(expression: FactExpression) {
    this.expression = expression;
  }

  private inText(): string {
    const { expression } = this;
    if ('$text' in expression) return expression.$text;
    const { $fact: name, $default: value } = expression;
    return value === undefined ? `\${${name}}` : `\${${name}:-${String(value)}}`;
  }
}

type FactExpression =
  { readonly $fact: string; readonly $default?: string | number | boolean } | { readonly $text: string };
