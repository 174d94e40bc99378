// Compares what Fleetwright reads with what `kustomize build` prints, for every kustomization below a folder:
//   node --import tsx test/gitops/kustomize-corpus.ts FOLDER
// kustomize must be in PATH. Bring the trees yourself: each folder in FOLDER is a repository.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseObjects } from './emitted-objects.ts';
import { differences } from './same-objects.ts';
import { kustomizationNames } from '../../src/workspace/inputs/kustomize/kustomization.ts';
import { quietHost } from '../../src/workspace/host.ts';
import { readInputs } from '../../src/workspace/inputs/inputs.ts';

const [, , given = '.'] = process.argv;
const top = path.resolve(given);
const counts = { same: 0, refused: 0, both: 0, different: 0 };
const home = mkdtempSync(path.join(tmpdir(), 'fleetwright-corpus-'));

for (const folder of kustomizationsBelow(top)) {
  const name = path.relative(top, folder);
  const [repository = ''] = name.split(path.sep);
  const built = kustomizeBuild(folder);
  const { objects, diagnostics } = await readInputs(
    [folder],
    [],
    quietHost(path.join(top, repository)),
  ).catch((error: unknown) => ({
    objects: [],
    diagnostics: [{ severity: 'error', code: '', message: String(error) }],
  }));
  const error = diagnostics.find(({ severity }) => severity === 'error');
  if (error !== undefined) {
    counts[built === undefined ? 'both' : 'refused'] += 1;
    if (built !== undefined) report('refused', name, `${error.code} ${error.message}`);
    continue;
  }
  const found =
    built === undefined
      ? ['kustomize does not build it']
      : differences(
          built,
          objects.map(({ object }) => object),
        );
  counts[found.length === 0 ? 'same' : 'different'] += 1;
  if (found.length > 0) report('DIFFERENT', name, found.slice(0, 3).join('; '));
}
process.stdout.write(`${JSON.stringify(counts)}\n`);
if (counts.different > 0) process.exitCode = 1;

function report(what: string, name: string, reason: string): void {
  process.stdout.write(`${what} ${name}: ${reason.slice(0, 200)}\n`);
}

function kustomizationsBelow(folder: string): string[] {
  const entries = readdirSync(folder, { withFileTypes: true });
  const below = entries
    .filter((entry) => entry.isDirectory() && entry.name !== '.git')
    .flatMap((entry) => kustomizationsBelow(path.join(folder, entry.name)));
  return entries.some(({ name }) => kustomizationNames.includes(name)) ? [folder, ...below] : below;
}

/** Returns the objects that kustomize builds without network, Git and plugins; undefined if it does not build them. */
function kustomizeBuild(folder: string): ReturnType<typeof parseObjects> | undefined {
  const proxy = 'http://127.0.0.1:9';
  try {
    const program = execFileSync('which', ['kustomize'], { encoding: 'utf8' }).trim();
    const text = execFileSync(program, ['build', folder], {
      encoding: 'utf8',
      env: { PATH: home, HOME: home, HTTP_PROXY: proxy, HTTPS_PROXY: proxy },
      stdio: ['ignore', 'pipe', 'ignore'],
      maxBuffer: 1 << 28,
      timeout: 60_000,
    });
    return parseObjects(text);
  } catch {
    return undefined;
  }
}
