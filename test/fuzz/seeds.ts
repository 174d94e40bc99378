import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { parseAllDocuments } from 'yaml';
import { addOn, appWithDeployment, clusters, installed } from '../compiler/plan/states.ts';
import { fleetOf } from '../resolve-text.ts';

/** A workspace that every command can read: what mutations begin with. */
export interface Seed {
  readonly name: string;
  /** The manifests of its app. */
  readonly app: string;
  readonly fleet: string;
}

const root = path.resolve(import.meta.dirname, '../..');

/** In characters. Larger ones take long, and what they consist of is in smaller ones too. */
const largestSeed = 16_000;

/** The app of the plan's tests, recorded inputs of a real hub, and what synth writes for the example apps. */
export function readSeeds(): readonly Seed[] {
  return [
    { name: 'plan', app: appWithDeployment, fleet: fleetOf(clusters) },
    {
      name: 'progressive',
      app: appWithDeployment.replace(
        addOn(installed('stage') + installed('prod', 'prod')),
        addOn(installed('stage', undefined, progressive)),
      ),
      fleet: fleetOf(clusters),
    },
    ...recordedSeeds(),
    ...committedSeeds(),
  ].filter(({ app, fleet }) => app.length + fleet.length <= largestSeed);
}

const progressive = `{ type: Progressive, progressive: { maxConcurrency: 25%, minSuccessTime: 5m, mandatoryDecisionGroups: [{ groupIndex: 0 }] } }`;

const fleetKinds = new Set([
  'AddOnPlacementScore',
  'ManagedCluster',
  'ManagedClusterSet',
  'ManagedClusterSetBinding',
  'Namespace',
]);

function recordedSeeds(): Seed[] {
  return ['placement', 'precedence', 'rollout', 'template'].flatMap((family) =>
    readdirSync(path.join(root, 'test/conformance', family))
      .sort()
      .map((name) => {
        const file = path.join(root, 'test/conformance', family, name, 'input.yaml');
        const documents = readFileSync(file, 'utf8').split(/^---$/m);
        const isFleet = (text: string): boolean => fleetKinds.has(/^kind: (\w+)$/m.exec(text)?.[1] ?? '');
        return {
          name,
          app: documents.filter((text) => !isFleet(text)).join('---'),
          fleet: documents.filter(isFleet).join('---'),
        };
      }),
  );
}

function committedSeeds(): Seed[] {
  const fleetFile = (app: string): string => path.join(root, 'apps', app, 'fleet.yaml');
  return readdirSync(path.join(root, 'dist'))
    .filter((app) => existsSync(fleetFile(app)))
    .sort()
    .map((app) => ({
      name: app,
      app: readdirSync(path.join(root, 'dist', app), { recursive: true, encoding: 'utf8' })
        // Files of objects have their kind in front; others are of kustomize and for reviewers.
        .filter((file) => /_[^/]*\.yaml$/.test(file))
        .sort()
        .map((file) => readFileSync(path.join(root, 'dist', app, file), 'utf8'))
        .join('---\n'),
      fleet: readFileSync(fleetFile(app), 'utf8'),
    }));
}

/** Single objects of every kind of OCM: those with which the verdicts of an API server were recorded. */
export function readObjects(): readonly object[] {
  return ['admission', 'validation'].flatMap((name) =>
    readFileSync(path.join(root, `test/conformance/${name}.jsonl`), 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => (JSON.parse(line) as { readonly object: object }).object),
  );
}

/** The values of a text's documents. @throws Error if the text is not valid YAML */
export function documentsOf(text: string): unknown[] {
  return parseAllDocuments(text).map((document) => document.toJS() as unknown);
}
