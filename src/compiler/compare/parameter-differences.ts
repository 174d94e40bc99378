import { getOrInsertComputed } from '../../base/collections/get-or-insert.ts';
import { goJson } from '../../base/json/go-json.ts';
import type { AddOnDeploymentConfigV1alpha1 } from '../../../schemas/types.gen.ts';
import type { ClusterAddOn } from '../configure/resolved-add-on.ts';
import { formatFieldPath, type FieldPath } from '../model/field-path.ts';
import type { Admitted } from '../model/inventory.ts';
import type { AddOnParameters } from '../parameters/compile.ts';
import { layersOfParameter, layerWords, parameterPath } from '../parameters/layers-of-value.ts';
import type { ValueSource } from '../parameters/model.ts';
import type { Cause, Side, ValueChange } from './change.ts';
import type { ComparedUse } from './compare-configs.ts';
import type { Difference } from './compare-values.ts';
import type { Pair } from './resolution-pair.ts';

/** Names the layers of parameters that change values of an add-on. */
export class ParameterDifferences {
  readonly #parameters: Readonly<Record<Side, AddOnParameters | undefined>>;
  readonly #numbers = new Map<unknown, number>();

  constructor(name: string, { base, head }: Pair) {
    this.#parameters = {
      base: base.resolution.parameters.get(name),
      head: head.resolution.parameters.get(name),
    };
  }

  /** Whether clusters with the same configurations can have their values from other layers. */
  canDiffer(before: ClusterAddOn, after: ClusterAddOn): boolean {
    const { base, head } = this.#parameters;
    if (base === undefined && head === undefined) return false;
    return goJson(before.effective.references) !== goJson(after.effective.references);
  }

  /** Returns a text that is equal for clusters with the same values from the same layers in both states. */
  keyOf(cluster: string): string {
    const { base, head } = this.#parameters;
    if (base === undefined && head === undefined) return '';
    const numberOf = (parameters: AddOnParameters | undefined): number =>
      getOrInsertComputed(this.#numbers, parameters?.clusters.get(cluster), () => this.#numbers.size + 1);
    return `${numberOf(base)} ${numberOf(head)}`;
  }

  /** Returns the changes of a configuration on a cluster: of values that parameters set, the layers are the causes. */
  on(
    cluster: string,
    { cause, values, before, after, differences }: ComparedUse,
  ): { readonly causes: readonly Cause[]; readonly values: readonly ValueChange[] } {
    const changes = differences.map((difference) => this.#layersOf(difference, cluster, before, after));
    const byLayers = changes.flatMap((change) => change ?? []);
    if (byLayers.length === 0) return { causes: [cause], values };
    const causes = byLayers.map(layerCause);
    return {
      causes: byLayers.length === changes.length ? causes : [...causes, cause],
      values: values.map((value, index) => {
        const change = changes[index];
        if (change === undefined) return value;
        const { location } = layerCause(change);
        return { ...value, parameter: change.parameter, ...(location && { location }) };
      }),
    };
  }

  #layersOf(
    difference: Difference,
    cluster: string,
    before: Admitted | undefined,
    after: Admitted | undefined,
  ): LayerChange | undefined {
    const { base, head } = this.#parameters;
    const path =
      'after' in difference
        ? pathIn(head, after, difference.fieldPath)
        : pathIn(base, before, difference.fieldPath);
    if (path === undefined) return undefined;
    const sourcesIn = (parameters: AddOnParameters | undefined): readonly ValueSource[] =>
      parameters === undefined ? [] : layersOfParameter(parameters, cluster, path).winners;
    const sources = changedSources(sourcesIn(base), sourcesIn(head));
    const isSensitive = [base, head].some((side) => side?.parameters.get(String(path[0]))?.sensitive);
    const part = (sources.head ?? sources.base)?.path ?? path;
    return {
      parameter: String(path[0]),
      // The keys of a sensitive value are part of it.
      part: part.length > path.length && !isSensitive ? formatFieldPath(part) : String(path[0]),
      ...sources,
    };
  }
}

/** The layers that decide a value of a parameter in both states. Undefined if none does. */
interface LayerChange {
  readonly parameter: string;
  /** The parameter, with the key that changes if several layers set keys of its value. */
  readonly part: string;
  readonly base: ValueSource | undefined;
  readonly head: ValueSource | undefined;
}

/** Returns the strongest layers of both states that decide a value. Of several, those that set another part than before count. */
function changedSources(
  base: readonly ValueSource[],
  head: readonly ValueSource[],
): Pick<LayerChange, 'base' | 'head'> {
  const before = new Set(base.map(sourceKey));
  const after = new Set(head.map(sourceKey));
  const lost = base.filter((source) => !after.has(sourceKey(source)));
  const gained = head.filter((source) => !before.has(sourceKey(source)));
  if (lost.length === 0 && gained.length === 0) return { base: base.at(-1), head: head.at(-1) };
  const changed = goJson((gained.at(-1) ?? lost.at(-1))?.path);
  const isChanged = ({ path }: ValueSource): boolean => goJson(path) === changed;
  return {
    base: lost.findLast(isChanged),
    head: gained.findLast(isChanged) ?? head.findLast(isChanged),
  };
}

function sourceKey({ path, layer, value }: ValueSource): string {
  return goJson([path, layer, value ?? null]);
}

function pathIn(
  parameters: AddOnParameters | undefined,
  config: Admitted | undefined,
  path: FieldPath,
): FieldPath | undefined {
  if (parameters === undefined || config?.object.kind !== 'AddOnDeploymentConfig') return undefined;
  return parameterPath(parameters, config.object as unknown as AddOnDeploymentConfigV1alpha1, path);
}

function layerCause({ part, base, head }: LayerChange): Cause {
  const source = head ?? base;
  return {
    kind: 'configuration edited',
    text: changeWords(part, base, head),
    side: head === undefined ? 'base' : 'head',
    ...(source && { location: source.location() }),
  };
}

/** Returns one sentence without a period: `the layer region=eu sets LOG_LEVEL`. */
function changeWords(
  parameter: string,
  base: ValueSource | undefined,
  head: ValueSource | undefined,
): string {
  if (head === undefined)
    return `no layer sets ${parameter}${base === undefined ? '' : `, previously ${layerWords(base.layer)}`}`;
  const deciding = `${layerWords(head.layer)} ${head.value === undefined ? 'removes' : 'sets'} ${parameter}`;
  if (base === undefined) return deciding;
  if (base.layer !== head.layer) return `${deciding}, previously ${layerWords(base.layer)}`;
  const isSame = goJson(base.value ?? null) === goJson(head.value ?? null);
  return isSame ? `${deciding} from a fact that changed` : deciding;
}
