import { groupBy } from '../../../base/collections/groups.ts';
import { ocmKinds } from '../../../../schemas/kinds.ts';
import { groupOf } from '../../../base/names/resource-name.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { stages, stagesBefore, stagesFolder } from '../sync-order.ts';
import { coverageFindings, isAround, plainPath, type AppOutput } from './coverage.ts';
import { harmfulOptionsOfFlux } from './harmful-options.ts';
import { fieldAt, listAt, nameOf, setupFinding, type CheckedSetup, type SetupObject } from './setup.ts';

/** A Kustomization that applies a folder of the output. */
interface Part extends SetupObject {
  /** The path of the app's folder, or of the folder with the stages of all apps. */
  readonly app: string;
  /** `placements`, `wave-1`, …; empty if it applies the whole app or the whole output. */
  readonly folder: string;
}

/**
 * Checks the Kustomizations that apply the output.
 *
 * @param outputs - the output of each app
 */
export function checkFlux(objects: readonly SetupObject[], outputs: readonly AppOutput[] = []): CheckedSetup {
  const parts = objects.flatMap((each) => partOf(each) ?? []);
  const apps = groupBy(parts, ({ app }) => app);
  return {
    checked: parts.length,
    diagnostics: [
      ...[...apps.values()].flatMap((ofApp) => [
        ...structureFindings(ofApp),
        ...ofApp.flatMap((part) => [...waitFindings(part), ...healthFindings(part)]),
      ]),
      ...parts.flatMap(harmfulOptionsOfFlux),
      ...coverageFindings(outputs, 'Kustomization', parts[0], ({ folder }) =>
        parts.some((part) => applies(part, folder)),
      ),
    ],
  };
}

function partOf(each: SetupObject): Part | undefined {
  const { apiVersion, kind } = each.object;
  const path = fieldAt(each.object, 'spec', 'path');
  if (kind !== 'Kustomization' || groupOf(apiVersion) !== 'kustomize.toolkit.fluxcd.io') return undefined;
  if (typeof path !== 'string') return undefined;
  const segments = plainPath(path).split('/');
  if (!segments.includes('dist') && !segments.includes(stagesFolder)) return undefined;
  const last = segments.at(-1) ?? '';
  const isPart = (stages as readonly string[]).includes(last) || waveOf(last) !== undefined;
  return isPart
    ? { ...each, app: segments.slice(0, -1).join('/'), folder: last }
    : { ...each, app: segments.join('/'), folder: '' };
}

/** Whether a Kustomization applies the output of an app, by itself or with that of all apps. An artifact begins below `dist/`. */
function applies({ app, folder, object }: Part, output: string): boolean {
  const isArtifact = fieldAt(object, 'spec', 'sourceRef', 'kind') !== 'GitRepository';
  const around = app.endsWith(stagesFolder)
    ? app.slice(0, -stagesFolder.length).replace(/\/$/, '')
    : undefined;
  if (around !== undefined)
    return around === '' ? isArtifact : output.slice(0, output.lastIndexOf('/')) === around;
  return folder === '' ? isAround(app, output) : app === output || (isArtifact && output.endsWith(`/${app}`));
}

/** Each stage has a Kustomization, which depends on those of the stages before it. */
function structureFindings(parts: readonly Part[]): readonly Diagnostic[] {
  const [first] = parts;
  if (first === undefined) return [];
  const whole = parts.find(({ folder }) => folder === '');
  if (whole !== undefined)
    return [
      setupFinding(
        'FW9066',
        whole,
        ['spec', 'path'],
        `${nameOf(whole)} applies all stages of ${whole.app} at once: nothing waits for the decisions of placements`,
        'create one Kustomization per stage, as FluxKustomizations does',
      ),
    ];
  const byFolder = new Map(parts.map((part) => [part.folder, part]));
  const missing = stages.filter((stage) => !byFolder.has(stage));
  const findings = missing.map((stage) =>
    setupFinding(
      'FW9066',
      first,
      ['spec', 'path'],
      `no Kustomization applies ${first.app}/${stage}`,
      `create one for the path ./${first.app}/${stage}`,
    ),
  );
  for (const part of parts) {
    const dependencies = dependenciesOf(part, parts);
    for (const before of foldersBefore(part.folder)) {
      const name = byFolder.get(before)?.object.metadata.name;
      if (name === undefined || dependencies.has(name)) continue;
      findings.push(
        setupFinding(
          'FW9067',
          part,
          ['spec', 'dependsOn'],
          `${nameOf(part)} does not wait for ${before}: ${part.folder} can be applied first`,
          `add { name: ${name} } to dependsOn`,
        ),
      );
    }
  }
  return findings;
}

/** Returns the names of the Kustomizations that one depends on, directly or through others. */
function dependenciesOf(part: Part, parts: readonly Part[]): ReadonlySet<unknown> {
  const names = new Set<unknown>();
  const add = ({ object }: Part): void => {
    for (const name of listAt(object, 'spec', 'dependsOn').map((each) => fieldAt(each, 'name'))) {
      if (names.has(name)) continue;
      names.add(name);
      const dependency = parts.find((each) => each.object.metadata.name === name);
      if (dependency !== undefined) add(dependency);
    }
  };
  add(part);
  return names;
}

function foldersBefore(folder: string): readonly string[] {
  const stage = stages.find((each) => each === folder);
  if (stage !== undefined) return stagesBefore[stage];
  const wave = waveOf(folder);
  if (wave === undefined) return [];
  return [wave === 1 ? 'add-ons' : `wave-${wave - 1}`];
}

function waveOf(folder: string): number | undefined {
  const match = /^wave-(\d+)$/.exec(folder);
  return match === null ? undefined : Number(match[1]);
}

/** A Kustomization waits for objects that are ready within seconds, and for waves. It waits for no other rollout. */
function waitFindings(part: Part): readonly Diagnostic[] {
  const { object, folder } = part;
  if (folder === '') return [];
  const findings: Diagnostic[] = [];
  const waits = fieldAt(object, 'spec', 'wait') === true;
  const isRollout = folder === 'add-ons' || folder === 'clusters';
  if (isRollout && waits)
    findings.push(
      setupFinding(
        'FW9068',
        part,
        ['spec', 'wait'],
        `${nameOf(part)} waits for the rollout, and later commits wait with it`,
        'set wait: false',
      ),
    );
  if (!isRollout && !waits)
    findings.push(
      setupFinding(
        'FW9068',
        part,
        ['spec', 'wait'],
        `${nameOf(part)} does not wait for its objects: the stages after it do not wait either`,
        'set wait: true',
      ),
    );
  if (waits && fieldAt(object, 'spec', 'timeout') === undefined)
    findings.push(
      setupFinding(
        'FW9068',
        part,
        ['spec', 'timeout'],
        `${nameOf(part)} has no timeout: while it waits, for up to its interval, it applies no later commit`,
        'set timeout: 1m',
      ),
    );
  if (fieldAt(object, 'spec', 'prune') !== true)
    findings.push(
      setupFinding(
        'FW9064',
        part,
        ['spec', 'prune'],
        `${nameOf(part)} does not delete objects that Git no longer has`,
        'set prune: true',
      ),
    );
  return findings;
}

/** The kinds for which the stages after a folder wait. */
function waitedKinds(folder: string): readonly string[] {
  if (folder === 'placements') return [ocmKinds.placement.key];
  if (waveOf(folder) === undefined) return [];
  return [ocmKinds.managedClusterAddOn.key, ocmKinds.manifestWork.key];
}

function healthFindings(part: Part): readonly Diagnostic[] {
  // A strategic merge patch replaces the list.
  const checks = part.patchedChecks ?? listAt(part.object, 'spec', 'healthCheckExprs');
  const kinds = checks.map((check) => {
    const [apiVersion, kind] = [fieldAt(check, 'apiVersion'), fieldAt(check, 'kind')];
    return `${groupOf(String(apiVersion))}/${String(kind)}`;
  });
  const at = ['spec', 'healthCheckExprs'];
  const missing = waitedKinds(part.folder).filter((kind) => !kinds.includes(kind));
  const twice = new Set(kinds.filter((kind, index) => kinds.indexOf(kind) !== index));
  return [
    ...missing.map((kind) =>
      setupFinding(
        'FW9069',
        part,
        at,
        `${nameOf(part)} has no health check for ${kind}: it is ready as soon as it exists`,
        'add packaging/gitops/flux-health.yaml of the package as a patch',
      ),
    ),
    ...[...twice].map((kind) =>
      setupFinding(
        'FW9069',
        part,
        at,
        `${nameOf(part)} has several health checks for ${kind}: Flux 2.8 and later apply nothing`,
        'keep one health check for each group and kind',
      ),
    ),
  ];
}
