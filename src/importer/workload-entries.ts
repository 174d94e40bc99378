import type { KubernetesObject } from '../base/objects/object-meta.ts';
import { isJsonMap } from '../base/json/json-map.ts';
import type { Statement } from './code/expression.ts';
import { namesIn } from './walk.ts';
import { messageJson } from '../base/json/message-json.ts';

/** One object of a workload, as it is written. */
export interface Entry {
  readonly manifest: KubernetesObject;
  /** The last statement creates the object. */
  readonly statements: readonly Statement[];
  readonly variable: string;
  /** Whether a construct of cdk8s-plus creates it, which others accept as a whole. */
  readonly isConstruct: boolean;
}

/** The parts of a workload that are written so far. */
export class WorkloadEntries {
  readonly #entries: Entry[] = [];
  readonly #byVariable = new Map<string, Entry>();
  readonly #byObject = new Map<string, Entry>();
  readonly #byLabels = new Map<string, Entry>();

  add(entry: Entry): void {
    const { manifest, variable, isConstruct } = entry;
    const { apiVersion, kind, metadata } = manifest;
    this.#entries.push(entry);
    this.#byVariable.set(variable, entry);
    this.#byObject.set(keyOf(`${apiVersion}/${kind}`, metadata.namespace, metadata.name ?? ''), entry);
    if (isConstruct) this.#byLabels.set(messageJson(selectorOf(manifest)), entry);
  }

  find(kind: string, namespace: string | undefined, objectName: string): Entry | undefined {
    return this.#byObject.get(keyOf(kind, namespace, objectName));
  }

  podsWith(labels: Readonly<Record<string, string>>): Entry | undefined {
    return this.#byLabels.get(messageJson(labels));
  }

  /** Returns the statements that others need, grouped by object. */
  neededBy(statements: readonly Statement[]): readonly (readonly Statement[])[] {
    const needed = new Set<Entry>();
    const visit = (user: readonly Statement[]): void => {
      for (const used of namesIn(user)) {
        const entry = this.#byVariable.get(used);
        if (entry === undefined || needed.has(entry)) continue;
        visit(entry.statements);
        needed.add(entry);
      }
    };
    visit(statements);
    return [...needed].map((entry) => entry.statements);
  }

  /** Returns all statements. Only those that others use have a name. */
  body(): Statement[] {
    const statements = this.#entries.flatMap((entry) => entry.statements);
    const used = namesIn(statements.map(({ name: _, ...statement }) => statement));
    return statements.map(({ name: variable, ...statement }) =>
      variable !== undefined && used.has(variable) ? { ...statement, name: variable } : statement,
    );
  }
}

function selectorOf({ spec }: KubernetesObject): unknown {
  const selector = isJsonMap(spec) ? spec['selector'] : undefined;
  return isJsonMap(selector) ? selector['matchLabels'] : undefined;
}

function keyOf(kind: string, namespace: string | undefined, objectName: string): string {
  return `${kind} ${namespace ?? ''}/${objectName}`;
}
