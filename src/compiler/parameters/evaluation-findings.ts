import { getOrInsertComputed } from '../../base/collections/get-or-insert.ts';
import { diagnostic, type Diagnostic } from '../model/diagnostic.ts';
import { formatFieldPath, type FieldPath } from '../model/field-path.ts';
import { referenceTo } from '../model/inventory.ts';
import { clusterCount, quote } from '../model/words.ts';
import type { Layer, ParameterSet } from './model.ts';

/** What can be wrong with values on clusters. */
export type FindingCode =
  'FW4102' | 'FW4103' | 'FW4104' | 'FW4105' | 'FW4106' | 'FW4107' | 'FW4108' | 'FW4109' | 'FW4112';

/** The texts of a finding. */
export interface FindingDetails {
  readonly message: string;
  readonly hint?: string | undefined;
  readonly related?: Diagnostic['related'];
}

/** The findings of one add-on. Equal ones of several clusters become one. */
export class Findings {
  readonly addOn: string;
  readonly #set: ParameterSet;
  readonly #findings = new Map<
    string,
    {
      readonly code: FindingCode;
      readonly layer: Layer;
      readonly path: FieldPath;
      readonly details: FindingDetails;
      readonly clusters: Set<string>;
    }
  >();

  constructor(set: ParameterSet) {
    this.#set = set;
    this.addOn = set.addOn;
  }

  add(
    code: FindingCode,
    layer: Layer,
    path: FieldPath,
    details: FindingDetails,
    clusters: () => readonly string[] = () => [],
  ): void {
    const position = this.#set.layers.indexOf(layer);
    const key = JSON.stringify([code, position, path, details.message]);
    const finding = getOrInsertComputed(this.#findings, key, () => ({
      code,
      layer,
      path,
      details,
      clusters: new Set<string>(),
    }));
    for (const cluster of clusters()) finding.clusters.add(cluster);
  }

  diagnostics(): Diagnostic[] {
    return [...this.#findings.values()].map(({ code, layer, path, details, clusters }) => {
      const { message, hint, related } = details;
      return diagnostic(code, {
        message: clusters.size === 0 ? message : `${message}, on ${clusterNames([...clusters].sort())}`,
        object: referenceTo(layer.object),
        path: formatFieldPath(path),
        location: layer.origin.locate(path),
        ...(hint !== undefined && { hint }),
        ...(related !== undefined && { related }),
      });
    });
  }
}

/** Returns `cluster "a"`, or `3 clusters: "a", "b" and 1 more`. */
function clusterNames(names: readonly string[]): string {
  const [first = ''] = names;
  if (names.length === 1) return `cluster ${quote(first)}`;
  const shown = names.slice(0, 3).map(quote).join(', ');
  return `${clusterCount(names.length)}: ${shown}${names.length > 3 ? ` and ${names.length - 3} more` : ''}`;
}
