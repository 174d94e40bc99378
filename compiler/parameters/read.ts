import type { LabelSelector, LabelSelectorRequirement } from '../../schemas/types.gen.ts';
import type { StructuralSchema } from '../../schemas/index.ts';
import { isJsonList, isJsonMap, type JsonMap } from '../../kubernetes/json-map.ts';
import type { Code } from '../codes.ts';
import { diagnostic, type Diagnostic, type Outcome } from '../diagnostic.ts';
import type { FieldPath } from '../field-path.ts';
import type { LoadedObject } from '../inventory.ts';
import type { Origin } from '../origin.ts';
import { pointAt } from '../point-at.ts';
import { didYouMean } from '../suggestion.ts';
import { checkLayerValue, checkValue } from './check-value.ts';
import { parameterOf } from './declaration.ts';
import { expressionOf, factsIn, withNulls } from './expression.ts';
import {
  layerRanks,
  type Layer,
  type LayerScope,
  type Parameter,
  type ParameterSet,
  type ParameterTarget,
} from './model.ts';
import { parametersApiVersion, parametersSchemas } from './parameters-schema.ts';

/** The parameters of an add-on, and what their AddOnDeploymentConfigs are. */
export interface DeclaredParameters extends ParameterSet {
  /** The object with the declarations. */
  readonly declaration: LoadedObject;
  /** The namespace of the AddOnDeploymentConfigs. */
  readonly namespace: string;
  readonly revisionHistoryLimit: number | undefined;
}

/** Whether an object is of a kind of parameters, which no API server has. */
export function isParametersObject({ object }: LoadedObject): boolean {
  return object.apiVersion === parametersApiVersion && Object.hasOwn(parametersSchemas, object.kind);
}

/** Reads the objects with parameters and layers of all add-ons, by add-on. Invalid parts are reported and left out. */
export function readParameters(
  objects: readonly LoadedObject[],
): Outcome<ReadonlyMap<string, DeclaredParameters>> {
  const reader = new ParametersReader();
  const shaped = objects.filter((loaded) => reader.checkShape(loaded));
  for (const loaded of shaped) if (loaded.object.kind === 'AddOnParameters') reader.declare(loaded);
  for (const loaded of shaped) reader.addLayers(loaded);
  return { value: reader.sets(), diagnostics: reader.diagnostics };
}

interface Draft {
  readonly declaration: LoadedObject;
  readonly parameters: Map<string, Parameter>;
  readonly layers: Layer[];
}

class ParametersReader {
  readonly diagnostics: Diagnostic[] = [];
  readonly #drafts = new Map<string, Draft>();

  checkShape(loaded: LoadedObject): boolean {
    const { object } = loaded;
    // The keywords are those of structural schemas; descriptions are for editors.
    const schema = parametersSchemas[object.kind] as StructuralSchema;
    const faults = checkValue(object, schema, object.kind);
    for (const { path, message, hint } of faults) this.#report('FW4109', loaded, path, message, hint);
    return faults.length === 0;
  }

  declare(loaded: LoadedObject): void {
    const { metadata, spec } = loaded.object as unknown as ParametersObject;
    const first = this.#drafts.get(metadata.name);
    if (first !== undefined) {
      this.diagnostics.push(
        diagnostic('FW4109', {
          message: `the parameters of "${metadata.name}" are already declared`,
          ...pointAt(loaded, ['metadata', 'name']),
          hint: 'declare them in one AddOnParameters; more layers can be in an AddOnValues',
          related: [{ message: 'the first declaration', location: first.declaration.origin.location }],
        }),
      );
      return;
    }
    const parameters = new Map<string, Parameter>();
    this.#drafts.set(metadata.name, { declaration: loaded, parameters, layers: [] });
    const targets = new Map<string, string>();
    for (const [name, written] of Object.entries(spec.parameters)) {
      const path = ['spec', 'parameters', name];
      const { parameter, faults } = parameterOf(name, written, path);
      for (const { code, path: at, message, hint } of faults)
        this.#report(code, loaded, [...path, ...at], message, hint);
      const set = targetKeys(parameter.target);
      const other = set.map((key) => targets.get(key)).find((taken) => taken !== undefined);
      if (other !== undefined)
        this.#report('FW4109', loaded, path, `"${name}" and "${other}" set the same target`);
      for (const key of set) targets.set(key, name);
      parameters.set(name, parameter);
      if (parameter.sensitive)
        this.#report(
          'FW4117',
          loaded,
          [...path, 'sensitive'],
          `reports mask "${name}", but Git and the hub have its value in plain text`,
          'refer to a Secret on the cluster instead, or accept this finding',
        );
    }
    if (parameters.size > 0 && (metadata.namespace ?? '') === '')
      this.#report(
        'FW4109',
        loaded,
        ['metadata'],
        'metadata.namespace is missing: the AddOnDeploymentConfigs need a namespace',
        'set it to the namespace of the add-on on the hub',
      );
  }

  addLayers(loaded: LoadedObject): void {
    const { kind, metadata, spec } = loaded.object as unknown as ParametersObject;
    const addOn = kind === 'AddOnParameters' ? metadata.name : (spec.addOn ?? '');
    const draft = this.#drafts.get(addOn);
    if (draft === undefined) {
      const hint = didYouMean(addOn, this.#drafts.keys(), 'the add-ons with parameters are');
      const path = ['spec', 'addOn'];
      this.#report('FW4110', loaded, path, `no AddOnParameters declares the parameters of "${addOn}"`, hint);
      return;
    }
    // A second declaration of the same add-on is reported, and its layers do not count.
    if (kind === 'AddOnParameters' && draft.declaration !== loaded) return;
    for (const [index, written] of (spec.layers ?? []).entries()) {
      const path = ['spec', 'layers', index];
      const scope = this.#scopeOf(loaded, written, path);
      if (scope === undefined) continue;
      const layer: Layer = {
        scope,
        title: titleOf(scope),
        order: written.order ?? 0,
        values: this.#validValues(loaded, written.values, [...path, 'values'], draft.parameters),
        object: loaded.object,
        origin: loaded.origin,
        path,
        valuesPath: [...path, 'values'],
      };
      draft.layers.push(layer);
    }
  }

  sets(): ReadonlyMap<string, DeclaredParameters> {
    return new Map(
      [...this.#drafts].map(([addOn, { declaration, parameters, layers }]) => {
        const { metadata, spec } = declaration.object as unknown as ParametersObject;
        const all = [...defaultLayers(parameters, declaration), ...layers];
        const set: DeclaredParameters = {
          addOn,
          parameters,
          layers: all.sort((a, b) => rankOf(a) - rankOf(b) || a.order - b.order),
          declaration,
          namespace: metadata.namespace ?? '',
          revisionHistoryLimit: spec.revisionHistoryLimit,
        };
        return [addOn, set];
      }),
    );
  }

  #validValues(
    loaded: LoadedObject,
    values: JsonMap,
    path: FieldPath,
    parameters: ReadonlyMap<string, Parameter>,
  ): JsonMap {
    const valid: [string, unknown][] = [];
    for (const [name, written] of Object.entries(values)) {
      const value = withNulls(written);
      const at = [...path, name];
      const parameter = parameters.get(name);
      if (parameter === undefined) {
        const hint = didYouMean(name, parameters.keys(), 'the parameters are');
        this.#report('FW4101', loaded, at, `the add-on has no parameter "${name}"`, hint);
        continue;
      }
      const wrong = value === null ? [] : checkLayerValue(value, parameter.schema, name);
      for (const { code, path: below, message, hint } of wrong)
        this.#report(code, loaded, [...at, ...below], message, hint);
      const expressions = this.#checkExpressions(loaded, value, at, parameters);
      if (wrong.length === 0 && expressions) valid.push([name, value]);
    }
    return Object.fromEntries(valid);
  }

  /** Whether all expressions in a value are valid. */
  #checkExpressions(
    loaded: LoadedObject,
    value: unknown,
    path: FieldPath,
    parameters: ReadonlyMap<string, Parameter>,
  ): boolean {
    const expression = expressionOf(value);
    if (expression !== undefined && 'fault' in expression) {
      this.#report('FW4114', loaded, path, expression.fault, expression.hint);
      return false;
    }
    if (expression !== undefined) {
      const unknown = factsIn(value).find(({ of, key }) => of === 'parameters' && !parameters.has(key));
      if (unknown === undefined) return true;
      const hint = didYouMean(unknown.key, parameters.keys(), 'the parameters are');
      this.#report('FW4101', loaded, path, `the add-on has no parameter "${unknown.key}"`, hint);
      return false;
    }
    const entries = isJsonList(value) ? [...value.entries()] : isJsonMap(value) ? Object.entries(value) : [];
    return entries
      .map(([key, item]) => this.#checkExpressions(loaded, item, [...path, key], parameters))
      .every(Boolean);
  }

  #scopeOf(loaded: LoadedObject, written: WrittenLayer, path: FieldPath): LayerScope | undefined {
    const { hub, placement, where, claims, sets, cluster, clusters } = written;
    const selects = where !== undefined || claims !== undefined || sets !== undefined;
    const names = cluster === undefined ? clusters : [cluster, ...(clusters ?? [])];
    const scopes = [hub, placement, selects ? where : undefined, names].filter(
      (scope, index) => scope !== undefined || (index === 2 && selects),
    );
    if (scopes.length > 1) {
      const hint =
        'a layer has one of hub, placement, where (with claims and sets), cluster, or none of them';
      this.#report('FW4109', loaded, path, 'the layer has several scopes', hint);
      return undefined;
    }
    if (hub !== undefined) return { rank: 'hub', hub: hub === '*' ? undefined : hub };
    if (placement !== undefined) return { rank: 'placement', placement };
    if (names !== undefined) return { rank: 'cluster', clusters: names };
    if (!selects) return { rank: 'add-on' };
    return {
      rank: 'where',
      where: {
        ...(where !== undefined && { labels: selectorOf(where) }),
        ...(claims !== undefined && { claims: selectorOf(claims) }),
        ...(sets !== undefined && { sets }),
      },
    };
  }

  #report(code: Code, loaded: LoadedObject, path: FieldPath, message: string, hint?: string): void {
    this.diagnostics.push(
      diagnostic(code, {
        message,
        ...pointAt(loaded, path),
        ...(hint !== undefined && { hint }),
      }),
    );
  }
}

/** Returns texts that two parameters of an add-on cannot both have. */
function targetKeys(target: ParameterTarget): readonly string[] {
  if (target.kind === 'field') return [`field ${target.field}`];
  const variable = `variable ${target.variable}`;
  return target.kind === 'variable' ? [variable] : [variable, `value ${JSON.stringify(target.path)}`];
}

interface ParametersObject {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly spec: {
    readonly addOn?: string;
    readonly parameters: Readonly<Record<string, JsonMap>>;
    readonly layers?: readonly WrittenLayer[];
    readonly revisionHistoryLimit?: number;
  };
}

interface WrittenLayer {
  readonly hub?: string;
  readonly placement?: string;
  readonly where?: JsonMap;
  readonly claims?: JsonMap;
  readonly sets?: readonly string[];
  readonly cluster?: string;
  readonly clusters?: readonly string[];
  readonly order?: number;
  readonly values: JsonMap;
}

function rankOf({ scope }: Layer): number {
  return layerRanks.indexOf(scope.rank);
}

/** Returns the defaults as the weakest layer. */
function defaultLayers(
  parameters: ReadonlyMap<string, Parameter>,
  { object, origin }: LoadedObject,
): Layer[] {
  return [...parameters.values()].flatMap((parameter) =>
    parameter.default === undefined
      ? []
      : [
          {
            scope: { rank: 'default' as const },
            title: 'default',
            order: 0,
            values: { [parameter.name]: parameter.default },
            object,
            origin: defaultOrigin(origin),
            path: parameter.path,
            valuesPath: ['spec', 'parameters'],
          },
        ],
  );
}

/** Locates values of the layer of defaults: the default of a parameter is a field of its declaration. */
function defaultOrigin(origin: Origin): Origin {
  return {
    get location() {
      return origin.location;
    },
    locate: ([spec = '', parameters = '', name = '', ...rest]) =>
      origin.locate([spec, parameters, name, 'default', ...rest]),
  };
}

/** Returns a selector in Kubernetes' form: pairs may have a list of values. */
function selectorOf(written: JsonMap): LabelSelector {
  const { matchLabels, matchExpressions, ...pairs } = written;
  const labels: Record<string, string> = {};
  const expressions: LabelSelectorRequirement[] = [];
  const add = (entries: JsonMap): void => {
    for (const [key, value] of Object.entries(entries))
      if (typeof value === 'string') labels[key] = value;
      else if (isJsonList(value)) expressions.push({ key, operator: 'In', values: value.map(String) });
  };
  add(pairs);
  if (isJsonMap(matchLabels)) add(matchLabels);
  else if (matchLabels !== undefined) add({ matchLabels });
  if (isJsonList(matchExpressions))
    expressions.push(...(matchExpressions as readonly LabelSelectorRequirement[]));
  return {
    ...(Object.keys(labels).length > 0 && { matchLabels: labels }),
    ...(expressions.length > 0 && { matchExpressions: expressions }),
  };
}

/** Returns a scope as reports name it. */
function titleOf(scope: LayerScope): string {
  switch (scope.rank) {
    case 'default':
    case 'add-on':
      return scope.rank;
    case 'hub':
      return scope.hub === undefined ? 'hub' : `hub ${scope.hub}`;
    case 'placement':
      return `placement ${scope.placement}`;
    case 'cluster':
      return scope.clusters.length === 1
        ? `cluster ${scope.clusters[0]}`
        : `clusters ${scope.clusters.join(', ')}`;
    case 'where': {
      const { labels, claims, sets } = scope.where;
      const texts = [
        ...(labels === undefined ? [] : selectorTexts(labels, '')),
        ...(claims === undefined ? [] : selectorTexts(claims, 'claim ')),
        ...(sets === undefined ? [] : [`set ${sets.join(' or ')}`]),
      ];
      return texts.length === 0 ? 'where' : texts.join(', ');
    }
    default:
      throw new Error(`no title for ${String(scope satisfies never)}`);
  }
}

function selectorTexts({ matchLabels = {}, matchExpressions = [] }: LabelSelector, prefix: string): string[] {
  return [
    ...Object.entries(matchLabels).map(([key, value]) => `${prefix}${key}=${value}`),
    ...matchExpressions.map(({ key, operator, values = [] }) => {
      if (operator === 'In') return `${prefix}${key}=${values.join('|')}`;
      if (operator === 'NotIn') return `${prefix}${key}!=${values.join('|')}`;
      return operator === 'Exists' ? `${prefix}${key}` : `${prefix}!${key}`;
    }),
  ];
}
