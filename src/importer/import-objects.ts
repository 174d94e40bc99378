import { kindKey } from '../base/names/resource-name.ts';
import { ocmKinds } from '../../schemas/kinds.ts';
import type { KubernetesObject } from '../base/objects/object-meta.ts';
import { admit } from '../compiler/admit/admit.ts';
import { diagnostic, hasErrors, type Diagnostic, type Outcome } from '../compiler/model/diagnostic.ts';
import { referenceTo, type LoadedObject } from '../compiler/model/inventory.ts';
import { formatFieldPath } from '../compiler/model/field-path.ts';
import { hubMetadataOf } from '../compiler/hub-metadata.ts';
import { yamlDocument } from '../compiler/emit/yaml.ts';
import type { SourceText } from '../compiler/load/load.ts';
import type { Origin } from '../compiler/model/origin.ts';
import { withoutCompiledOutput } from './compiled-output.ts';
import type { Obstacle } from './fit.ts';
import { isOfFleet, omittedState, reportedFleet } from './fleet-state.ts';
import { fleetObject, omittedMetadata } from './live-metadata.ts';
import { missingReferences } from './missing-references.ts';
import { writeModules } from './code/modules.ts';
import { withoutRevisions } from './revisions.ts';
import { translateLegacyRollouts } from './constructs/legacy-rollout.ts';
import { asParameters } from './as-parameters.ts';
import { attachComments } from './code/attach-comments.ts';
import { Sources } from './sources.ts';
import { subjectsOf, type Subject } from './constructs/subjects.ts';
import type { Synthesizer } from './synthesizer.ts';
import { writeObjects } from './write-objects.ts';

/** An app that produces the imported objects. */
export interface ImportedApp {
  /** By name, in the folder of the app. */
  readonly files: ReadonlyMap<string, string>;
  /** The number of objects that constructs create. */
  readonly created: number;
  /** The number of objects that stay YAML. */
  readonly asYaml: number;
  /** The number of add-ons whose AddOnDeploymentConfigs became parameters. */
  readonly parameters: number;
  /** The number of objects that describe the fleet. */
  readonly fleet: number;
  /** Whether managed clusters are among the objects. */
  readonly hasClusters: boolean;
  /** The objects that others name and that are not in the input, as `Kind namespace/name`. */
  readonly missing: readonly string[];
}

/** The current step of the import. The longest step also has its progress. */
export type ImportProgress =
  | { readonly step: 'admit' | 'print' }
  | { readonly step: 'create'; readonly done: number; readonly total: number };

/** The file of the objects that no construct can express. Apps read it with their other YAML. */
export const yamlFile = 'kept.yaml';
export const fleetFile = 'fleet.yaml';
/** The file of the parameters that AddOnDeploymentConfigs became. Apps read it with their other YAML. */
export const parametersFile = 'parameters.yaml';

/** How objects become an app. */
export interface ImportOptions {
  /** Whether AddOnDeploymentConfigs become parameters with layers. @default false */
  readonly parameters?: boolean;
  /** Whether the app reads the fleet of a workspace, unless it has a separate one. @default false */
  readonly hasFleet?: boolean;
  /** The release of cdk8s-plus that the app imports. The synthesizer has the same. @default 'cdk8s-plus-27' */
  readonly plusModule?: string;
}

/**
 * Writes objects as an app: TypeScript that creates them with the constructs, a snapshot of the fleet, and YAML for objects that
 * no construct can express. To verify that a construct produces the same object, import runs it with the synthesizer. Nothing is
 * written if the API server would reject an object.
 */
export function importObjects(
  imported: readonly LoadedObject[],
  texts: readonly Pick<SourceText, 'file' | 'text'>[],
  synthesizer: Synthesizer,
  onProgress: (progress: ImportProgress) => void = () => {},
  options: ImportOptions = {},
): Outcome<ImportedApp | undefined> {
  onProgress({ step: 'admit' });
  const revised = withoutRevisions(withoutCompiledOutput(imported));
  const translated = translateLegacyRollouts(revised.value);
  const written = admit(translated.value);
  const rejected = [...revised.diagnostics, ...translated.diagnostics, ...written.diagnostics];
  if (hasErrors(rejected)) return { value: undefined, diagnostics: rejected };
  const layered = options.parameters === true ? asParameters(translated.value) : undefined;
  const objects = layered?.objects ?? translated.value;
  const admitted = layered === undefined ? written : admit(objects);
  const diagnostics = [...rejected, ...(layered?.diagnostics ?? [])];
  const sources = new Sources(texts, imported, objects);
  const { objects: admittedObjects } = admitted.value;
  const ofFleet = new Set(
    admittedObjects.filter(({ object, origin, source }) => isOfFleet(sources.raw(origin) ?? object, source)),
  );
  const subjects = subjectsOf(
    admittedObjects.filter((each) => !ofFleet.has(each)),
    (origin) => sources.raw(origin),
    admitted.value,
  );
  // the state of an object of the app also belongs to the fleet
  const state = admittedObjects.filter((each) => ofFleet.has(each) || each.object['status'] !== undefined);
  const hasClusters = state.some(({ object }) => kindKey(object) === ocmKinds.managedCluster.key);
  const whyNoFleet =
    options.hasFleet === true
      ? 'it would replace the fleet of the workspace'
      : hasClusters
        ? undefined
        : 'the input has no clusters with state';
  const fleet = whyNoFleet === undefined ? state : [];
  const { charts, units, yamlObjects } = writeObjects(
    subjects,
    admitted.value,
    synthesizer,
    (done, total) => {
      onProgress({ step: 'create', done, total });
    },
  );
  onProgress({ step: 'print' });
  const reported = [
    ...reportedFleet([...ofFleet]),
    ...(whyNoFleet === undefined ? [] : omittedState(state, whyNoFleet)),
    ...omittedMetadata(
      admittedObjects.map(({ object, origin }) => ({ object: sources.raw(origin) ?? object, origin })),
    ),
    ...units.flatMap(({ subject, obstacle }) =>
      subject !== undefined && obstacle !== undefined ? [finding('FW9103', subject, obstacle)] : [],
    ),
    ...yamlObjects.map(({ subject, obstacle }) => finding('FW9101', subject, obstacle)),
  ];
  const parameters = layered?.parameters ?? [];
  const files = filesOf({ charts, units, yamlObjects, parameters, fleet }, sources, options.plusModule);
  return {
    value: {
      files,
      created: units.filter(({ subject }) => subject !== undefined).length,
      asYaml: yamlObjects.length,
      parameters: parameters.length,
      fleet: fleet.length,
      hasClusters: admitted.value.managedClusters.size > 0,
      missing: missingReferences(admitted.value),
    },
    diagnostics: [...diagnostics, ...reported],
  };
}

/** The parts of an app. */
interface AppParts extends ReturnType<typeof writeObjects> {
  readonly parameters: readonly KubernetesObject[];
  readonly fleet: readonly { readonly object: KubernetesObject; readonly origin: Origin }[];
}

function filesOf(
  { charts, units, yamlObjects, parameters, fleet }: AppParts,
  sources: Sources,
  plusModule: string | undefined,
): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  const parts = units.map(({ subject, section, statements }) => {
    const origin = subject?.origin;
    const comments = origin === undefined ? [] : sources.commentsOf(origin);
    return {
      section,
      statements: attachComments(statements, comments),
      addOn: subject && addOnOf(subject.controllerView),
    };
  });
  if (parts.length > 0)
    for (const [file, text] of writeModules(charts, parts, plusModule)) files.set(file, text);
  const text = (origin: Origin, object: KubernetesObject): string =>
    sources.text(origin, object, hubMetadataOf(sources.raw(origin) ?? object).length > 0);
  if (yamlObjects.length > 0)
    files.set(yamlFile, documents(yamlObjects.map(({ subject: { origin, raw } }) => text(origin, raw))));
  if (parameters.length > 0) files.set(parametersFile, documents(parameters.map(yamlDocument)));
  if (fleet.length > 0) {
    const texts = fleet.map(({ object, origin }) => text(origin, fleetObject(sources.raw(origin) ?? object)));
    files.set(fleetFile, documents(texts));
  }
  return files;
}

function finding(
  code: 'FW9101' | 'FW9103',
  { raw, origin }: Subject,
  { path, reason }: Obstacle,
): Diagnostic {
  const { kind, metadata } = raw;
  const becomes = code === 'FW9101' ? `stays YAML, in ${yamlFile}` : 'becomes an ApiObject';
  const field = path.length === 0 ? 'it' : formatFieldPath(path);
  return diagnostic(code, {
    message: `${kind} ${metadata.name} ${becomes}, because ${field} ${reason}`,
    object: referenceTo(raw),
    ...(path.length > 0 && { path: formatFieldPath(path) }),
    location: origin.locate(path),
  });
}

/** Returns the add-on that an object belongs to by its kind. */
function addOnOf(object: KubernetesObject): string | undefined {
  return /^addon\.open-cluster-management\.io\/(?:Cluster|ManagedCluster)/.test(kindKey(object))
    ? object.metadata.name
    : undefined;
}

function documents(texts: readonly string[]): string {
  return texts.join('---\n');
}
