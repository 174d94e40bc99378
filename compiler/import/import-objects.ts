import type { KubernetesObject } from '../../schemas/object-meta.ts';
import { admit } from '../admit/admit.ts';
import { codes } from '../codes.ts';
import { hasErrors, type Diagnostic, type Outcome } from '../diagnostic.ts';
import { withoutServerFields } from '../emit/emit.ts';
import { yamlDocument } from '../emit/yaml.ts';
import { referenceTo, type Admitted, type Inventory, type LoadedObject } from '../inventory.ts';
import type { SourceText } from '../load/load.ts';
import type { Origin } from '../origin.ts';
import { writtenObjects, type WrittenObject } from './comments.ts';
import { withoutCompiledOutput } from './compiled-output.ts';
import { isFleetKind, kindKey } from './kinds.ts';
import { writeModules } from './modules.ts';
import { translateOlderRollouts } from './older-rollout.ts';
import { placeComments } from './place-comments.ts';
import type { Synthesizer } from './synthesizer.ts';
import { writeObjects, type Subject } from './write-objects.ts';

/** An app that gives the objects that were imported. */
export interface ImportedApp {
  /** By name, in the folder of the app. */
  readonly files: ReadonlyMap<string, string>;
  /** How many objects constructs create. */
  readonly created: number;
  /** How many stay YAML. */
  readonly kept: number;
  /** How many tell what the fleet is. */
  readonly fleet: number;
}

/** What import does now. Of the step that takes longest, also how much is done. */
export type ImportProgress =
  | { readonly step: 'admit' | 'print' }
  | { readonly step: 'create'; readonly done: number; readonly total: number };

/** The file of the objects that no construct can say. Apps read it with their other YAML. */
export const keptFile = 'kept.yaml';
export const fleetFile = 'fleet.yaml';

/**
 * Writes objects as an app: TypeScript that creates them with the constructs, a snapshot of the fleet, and YAML for what no
 * construct can say. Whether a construct gives the same object is not reasoned but tried, with the synthesizer. Nothing is
 * written where the API server would refuse an object.
 */
export function importObjects(
  imported: readonly LoadedObject[],
  texts: readonly Pick<SourceText, 'file' | 'text'>[],
  synthesizer: Synthesizer,
  onProgress: (progress: ImportProgress) => void = () => {},
): Outcome<ImportedApp | undefined> {
  onProgress({ step: 'admit' });
  const translated = translateOlderRollouts(withoutCompiledOutput(imported));
  const objects = translated.value;
  const admitted = admit(objects);
  const diagnostics = [...translated.diagnostics, ...admitted.diagnostics];
  if (hasErrors(diagnostics)) return { value: undefined, diagnostics };
  const sources = new Sources(texts, imported, objects);
  const read = readForms(admitted.value);
  const fleet: Admitted[] = [];
  const subjects: Subject[] = [];
  for (const written of admitted.value.written) {
    const { object, origin, source } = written;
    const isOfFleet = source === 'fleet' || isFleetKind(object);
    // the state of an object of the app is the fleet's as well
    if (isOfFleet || object['status'] !== undefined) fleet.push(written);
    if (isOfFleet) continue;
    const raw = withoutServerFields(sources.raw(origin) ?? object);
    subjects.push({ raw, stored: object, read: read.get(origin) ?? object, origin });
  }
  const { charts, units, kept } = writeObjects(subjects, admitted.value, synthesizer, (done, total) => {
    onProgress({ step: 'create', done, total });
  });
  onProgress({ step: 'print' });
  const reported = [
    ...units.flatMap(({ subject, isPlain }) =>
      subject !== undefined && isPlain ? [finding('FW9103', subject)] : [],
    ),
    ...kept.map((subject) => finding('FW9101', subject)),
  ].map(({ subject, ...diagnostic }): Diagnostic => {
    return { ...diagnostic, location: subject.origin.location };
  });
  const files = new Map<string, string>();
  const parts = units.map(({ subject, section, statements }) => {
    const origin = subject?.origin;
    const comments = origin === undefined ? [] : sources.commentsOf(origin);
    return {
      section,
      statements: placeComments(statements, comments),
      addOn: subject && addOnOf(subject.read),
    };
  });
  if (parts.length > 0) for (const [file, text] of writeModules(charts, parts)) files.set(file, text);
  if (kept.length > 0)
    files.set(keptFile, documents(kept.map((subject) => sources.text(subject.origin, subject.raw))));
  if (fleet.length > 0) {
    const texts = fleet.map(({ object, origin }) =>
      sources.text(origin, withStatus(sources.raw(origin) ?? object)),
    );
    files.set(fleetFile, documents(texts));
  }
  return {
    value: {
      files,
      created: units.filter(({ subject }) => subject !== undefined).length,
      kept: kept.length,
      fleet: fleet.length,
    },
    diagnostics: [...diagnostics, ...reported],
  };
}

function finding(code: 'FW9101' | 'FW9103', subject: Subject) {
  const { read, raw } = subject;
  const { kind, metadata } = read;
  const messages = {
    FW9101: `no construct gives the same ${kind}, so ${metadata.name} stays YAML, in ${keptFile}`,
    FW9103: `the construct of ${kind} does not give the same object, so ${metadata.name} becomes an ApiObject`,
  };
  return {
    code,
    severity: codes[code].severity,
    message: messages[code],
    object: referenceTo(raw),
    subject,
  } as const;
}

/** The add-on that an object belongs to by its kind. */
function addOnOf(object: KubernetesObject): string | undefined {
  return /^addon\.open-cluster-management\.io\/(?:Cluster|ManagedCluster)/.test(kindKey(object))
    ? object.metadata.name
    : undefined;
}

/** Each object in the version that OCM's controllers read. */
function readForms(inventory: Inventory): Map<Origin, KubernetesObject> {
  const maps = [
    inventory.clusterManagementAddOns,
    inventory.managedClusterAddOns,
    inventory.addOnTemplates,
    inventory.addOnDeploymentConfigs,
    inventory.managedClusterSetBindings,
    inventory.placements,
  ];
  return new Map(
    maps.flatMap((map) => [...map.values()].map(({ origin, object }) => [origin, { ...object }] as const)),
  );
}

/** The object with its state; who wrote which field of it tells nothing. */
function withStatus(object: KubernetesObject): KubernetesObject {
  const { status } = object;
  return { ...withoutServerFields(object), ...(status !== undefined && { status }) };
}

function documents(texts: readonly string[]): string {
  return texts.join('---\n');
}

/** The objects as they stand in their files. */
class Sources {
  readonly #raw: ReadonlyMap<Origin, KubernetesObject>;
  readonly #translated: ReadonlySet<Origin>;
  readonly #files = new Map<string, Map<string, WrittenObject>>();
  readonly #texts: ReadonlyMap<string, string>;

  constructor(
    texts: readonly Pick<SourceText, 'file' | 'text'>[],
    loaded: readonly LoadedObject[],
    objects: readonly LoadedObject[],
  ) {
    this.#texts = new Map(texts.map(({ file, text }) => [file, text]));
    this.#raw = new Map(objects.map(({ origin, object }) => [origin, object]));
    const written = new Map(loaded.map(({ origin, object }) => [origin, object]));
    this.#translated = new Set(
      objects.filter(({ origin, object }) => object !== written.get(origin)).map(({ origin }) => origin),
    );
  }

  raw(origin: Origin): KubernetesObject | undefined {
    return this.#raw.get(origin);
  }

  commentsOf(origin: Origin): WrittenObject['comments'] {
    // to find them the whole file is read once more
    const comments = this.#textOf(origin)?.includes('#') === true ? this.#written(origin)?.comments : [];
    // the two versions of the add-on API have two names for one list
    return (comments ?? []).map(({ path, lines }) => ({
      path: path.map((step) => (step === 'supportedConfigs' ? 'defaultConfigs' : step)),
      lines,
    }));
  }

  /** The document of an object as it was written, with its comments, where it stands by itself; else the object as YAML. */
  text(origin: Origin, object: KubernetesObject): string {
    const text = this.#translated.has(origin) ? undefined : this.#written(origin)?.text;
    return text ?? yamlDocument(object);
  }

  #written(origin: Origin): WrittenObject | undefined {
    const { location } = origin;
    if (!('file' in location)) return undefined;
    const { file, line, column } = location;
    const text = this.#textOf(origin);
    if (text === undefined) return undefined;
    const written = this.#files.get(file) ?? writtenObjects({ file, text, source: 'app' });
    this.#files.set(file, written);
    return written.get(`${line}:${column}`);
  }

  /** The file of YAML that the object is in. */
  #textOf({ location }: Origin): string | undefined {
    return 'file' in location && !location.file.endsWith('.json')
      ? this.#texts.get(location.file)
      : undefined;
  }
}
