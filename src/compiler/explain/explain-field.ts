import { ownField } from '../../base/json/json-map.ts';
import { addOnDeploymentConfigV1alpha1 } from '../../../schemas/schemas.gen.ts';
import type { StructuralSchema } from '../../../schemas/structural-schema.ts';
import type { ClusterAddOn } from '../configure/resolved-add-on.ts';
import type { HubVersion } from '../../ocm/hub-version.ts';
import type { Resolution } from '../resolve.ts';
import { closest, didYouMean } from '../model/suggestion.ts';
import { quote } from '../model/words.ts';
import {
  explainManifest,
  manifestsOf,
  manifestValues,
  manifestWords,
  parseManifestField,
  type ExplainedManifestValue,
  type ManifestField,
} from './explain-manifest.ts';
import {
  explainedWithoutValue,
  fieldBelowParameter,
  fieldOfParameter,
  parameterNamed,
  type ExplainedParameter,
} from './explain-parameter.ts';
import {
  explainValues,
  fieldSteps,
  isBelow,
  isStepsOf,
  unusedValues,
  type ExplainedValue,
  type UnusedValue,
} from './explain-values.ts';
import type { State } from '../compare/resolution-pair.ts';
import { unknownRendering } from '../compare/works/unknown-rendering.ts';

/** A question without an answer, because nothing that it names exists. */
export interface UnknownField {
  /** One sentence without a period. */
  readonly message: string;
  readonly hint?: string;
}

/** The values that a field names. */
export interface ExplainedField {
  readonly values: readonly ExplainedValue[];
  /** Values of configurations that lost, if no configuration that counts has the field. */
  readonly unused: readonly UnusedValue[];
  /** The values of the manifest, if the field names one. */
  readonly manifest: readonly ExplainedManifestValue[];
  /** The layers of the parameter that the field names, if it has no value. Absent if it has one, or if it names none. */
  readonly withoutValue?: ExplainedParameter;
  /** Absent if the field is known. The lists are then empty if nothing sets the field. */
  readonly unknown?: UnknownField;
}

/** An add-on on a cluster for which a field is explained. */
export interface FieldSubject {
  readonly resolution: Resolution;
  readonly state: State;
  readonly addOn: string;
  readonly clusterAddOn: ClusterAddOn;
  readonly hub: HubVersion;
}

const nothing: ExplainedField = { values: [], unused: [], manifest: [] };

/**
 * Explains a field: a path, the end of a path such as the name of a variable, or a manifest with one of its fields. A field that
 * exists and is not set has no values. A field that does not exist is `unknown`.
 */
export function explainField(subject: FieldSubject, field: string): ExplainedField {
  const wanted = parseManifestField(field);
  return wanted === undefined ? configField(subject, field) : renderedField(subject, wanted);
}

function configField(subject: FieldSubject, field: string): ExplainedField {
  const { addOn, clusterAddOn, resolution, state } = subject;
  const parameters = resolution.parameters.get(addOn);
  const parameter = parameterNamed(parameters, field);
  const unused = unusedValues(clusterAddOn, state);
  const wanted =
    parameter === undefined ? fieldBelowParameter(parameters, field) : fieldOfParameter(parameter);
  const exact = explainValues(clusterAddOn, state, wanted, parameters);
  if (exact.length > 0) return { ...nothing, values: exact };
  if (parameters !== undefined && parameter !== undefined)
    return {
      ...nothing,
      withoutValue: explainedWithoutValue(parameters, clusterAddOn.cluster, parameter),
    };
  const exactlyUnused = unused.filter(({ path }) => isBelow(path, field));
  if (exactlyUnused.length > 0) return { ...nothing, unused: exactlyUnused };

  const all = explainValues(clusterAddOn, state, '', parameters);
  const steps = fieldSteps(field);
  const values = all.filter(({ path }) => isStepsOf(path, steps));
  if (values.length > 0) return { ...nothing, values };
  const unusedByName = unused.filter(({ path }) => isStepsOf(path, steps));
  if (unusedByName.length > 0) return { ...nothing, unused: unusedByName };

  const paths = [...all, ...unused].map(({ path }) => path);
  const meant = closest(field, paths.flatMap(namesOf));
  const nextStep = expectedStep(steps);
  if (nextStep === 'field' || (nextStep === 'entry' && meant === undefined)) return nothing;
  return { ...nothing, unknown: unknownField(subject, field, paths) };
}

function unknownField(subject: FieldSubject, field: string, paths: readonly string[]): UnknownField {
  const { addOn, clusterAddOn } = subject;
  const message = `no configuration of ${quote(addOn)} on ${quote(clusterAddOn.cluster)} has a field or value ${quote(field)}`;
  const rendered = renderedPlaces(subject, field);
  if (rendered.length > 0) return { message, hint: `did you mean ${rendered.join(' or ')}?` };
  const parameters = subject.resolution.parameters.get(addOn)?.parameters.keys() ?? [];
  const fieldNames = [
    ...paths.flatMap(namesOf),
    ...parameters,
    ...Object.keys(deploymentConfigSpec?.properties ?? {}),
  ];
  const meant = closest(field, fieldNames);
  if (meant !== undefined) return { message, hint: `did you mean ${quote(meant)}?` };
  const hint = didYouMean(field, paths.map(entryOf), 'its configurations set');
  return { message, ...(hint === undefined ? {} : { hint }) };
}

/** Returns the rendered fields with that name, in the form in which a user would enter them. */
function renderedPlaces({ resolution, addOn, clusterAddOn }: FieldSubject, field: string): string[] {
  const steps = fieldSteps(field);
  const places = manifestsOf(resolution, addOn, clusterAddOn.cluster).flatMap((manifest) =>
    manifestValues([manifest], { ...manifest, field: '' })
      .filter(({ path }) => isStepsOf(path, steps))
      .map(({ path }) => `'${manifest.kind}/${manifest.name} .${path}'`),
  );
  return places.slice(0, 3);
}

function renderedField(subject: FieldSubject, wanted: ManifestField): ExplainedField {
  const { resolution, addOn, clusterAddOn, hub } = subject;
  const { cluster } = clusterAddOn;
  const manifests = manifestsOf(resolution, addOn, cluster);
  const named = manifests.find(
    ({ kind, name, namespace }) =>
      kind.toLowerCase() === wanted.kind.toLowerCase() &&
      name === wanted.name &&
      (wanted.namespace === undefined || wanted.namespace === namespace),
  );
  const text = manifestWords(wanted);
  if (named === undefined) {
    const why = unknownRendering(addOn, cluster, resolution);
    if (why !== undefined) {
      const message = `what the manager of ${quote(addOn)} renders is unknown: ${why}`;
      return {
        ...nothing,
        unknown: { message, hint: 'docs/charts.md describes which managers are predicted' },
      };
    }
    const names = manifests.map(({ kind, name, namespace }) =>
      manifestWords(
        wanted.namespace === undefined || namespace === undefined
          ? { kind, name }
          : { kind, name, namespace },
      ),
    );
    const hint = didYouMean(text, names, 'its manifests are');
    const message = `${quote(addOn)} delivers no manifest ${quote(text)} to ${quote(cluster)}`;
    return { ...nothing, unknown: { message, ...(hint === undefined ? {} : { hint }) } };
  }
  const asked = { ...wanted, kind: named.kind };
  const manifest = explainManifest(resolution, addOn, clusterAddOn, asked, hub);
  if (manifest.length > 0) return { ...nothing, manifest };
  const steps = fieldSteps(wanted.field);
  const all = manifestValues([named], { ...asked, field: '' });
  const byName = all.filter(({ path }) => isStepsOf(path, steps));
  const fields = new Set(byName.map(({ path }) => path));
  if (fields.size > 0) {
    const explained = explainManifest(resolution, addOn, clusterAddOn, { ...asked, field: '' }, hub);
    return { ...nothing, manifest: explained.filter(({ path }) => fields.has(path)) };
  }
  const hint = didYouMean(
    wanted.field,
    all.flatMap(({ path }) => namesOf(path)),
    'it sets',
  );
  const message = `${text} has no value ${quote(wanted.field)} on ${quote(cluster)}`;
  return { ...nothing, unknown: { message, ...(hint === undefined ? {} : { hint }) } };
}

const deploymentConfigSpec = ownField(addOnDeploymentConfigV1alpha1.properties, 'spec');

/** Returns whether deployment configs have such a field, or a list that could contain such an entry. */
function expectedStep(steps: readonly string[]): 'field' | 'entry' | undefined {
  let schema: StructuralSchema | undefined = deploymentConfigSpec;
  let part: 'field' | 'entry' = 'field';
  for (const [index, step] of steps.entries()) {
    if (index === 0 && step === 'spec') continue;
    if (schema?.items !== undefined) {
      schema = schema.items;
      part = 'entry';
      continue;
    }
    const values = schema?.additionalProperties;
    const declared: StructuralSchema | undefined = ownField(schema?.properties, step);
    if (declared === undefined && typeof values === 'object') part = 'entry';
    schema = declared ?? (typeof values === 'object' ? values : undefined);
    if (schema === undefined) return undefined;
  }
  return part;
}

/** Returns the names that identify a value in a question: its path without `spec.`, and the steps of the path. */
function namesOf(path: string): string[] {
  const short = path.replace(/^spec\./, '');
  return [entryOf(path), short, ...fieldSteps(short)];
}

/** Returns `customizedVariables[LOG_LEVEL]` for `spec.customizedVariables[LOG_LEVEL].value`. */
function entryOf(path: string): string {
  return path.replace(/^spec\./, '').replace(/\]\.value$/, ']');
}
