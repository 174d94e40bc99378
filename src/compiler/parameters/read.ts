import type { StructuralSchema } from '../../../schemas/index.ts';
import { diagnostic, type Diagnostic, type Outcome } from '../model/diagnostic.ts';
import type { LoadedObject } from '../model/inventory.ts';
import { pointAt } from '../model/point-at.ts';
import { didYouMean } from '../model/suggestion.ts';
import { checkValue } from './check-value.ts';
import { scopeOf, titleOf } from './layer-scope.ts';
import { validValues } from './layer-values.ts';
import { layerRanks, type Layer, type Parameter, type ParameterSet } from './model.ts';
import { parametersApiVersion, parametersSchemas } from './parameters-schema.ts';
import { declaredParameters, defaultLayers } from './read-declaration.ts';
import { faultsOf } from './report-fault.ts';
import type { ParametersObject } from './written-objects.ts';

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
  readonly parameters: ReadonlyMap<string, Parameter>;
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
    const report = faultsOf(loaded, this.diagnostics);
    for (const { path, message, hint } of faults) report('FW4109', path, message, hint);
    return faults.length === 0;
  }

  declare(loaded: LoadedObject): void {
    const { metadata } = loaded.object as unknown as ParametersObject;
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
    this.#drafts.set(metadata.name, {
      declaration: loaded,
      parameters: declaredParameters(loaded, faultsOf(loaded, this.diagnostics)),
      layers: [],
    });
  }

  addLayers(loaded: LoadedObject): void {
    const { kind, metadata, spec } = loaded.object as unknown as ParametersObject;
    const addOn = kind === 'AddOnParameters' ? metadata.name : (spec.addOn ?? '');
    const draft = this.#drafts.get(addOn);
    const report = faultsOf(loaded, this.diagnostics);
    if (draft === undefined) {
      const hint = didYouMean(addOn, this.#drafts.keys(), 'the add-ons with parameters are');
      const message = `no AddOnParameters declares the parameters of "${addOn}"`;
      report('FW4110', ['spec', 'addOn'], message, hint);
      return;
    }
    // A second declaration of the same add-on is reported, and its layers do not count.
    if (kind === 'AddOnParameters' && draft.declaration !== loaded) return;
    for (const [index, written] of (spec.layers ?? []).entries()) {
      const path = ['spec', 'layers', index];
      const scope = scopeOf(written);
      if (scope === undefined) {
        const hint =
          'a layer has one of hub, placement, where (with claims and sets), cluster, or none of them';
        report('FW4109', path, 'the layer has several scopes', hint);
        continue;
      }
      const layer: Layer = {
        scope,
        title: titleOf(scope),
        order: written.order ?? 0,
        values: validValues(written.values, [...path, 'values'], draft.parameters, report),
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
}

function rankOf({ scope }: Layer): number {
  return layerRanks.indexOf(scope.rank);
}
