// Renders a folder of charts with our engine by the rules of Helm, and with Helm's client, and prints the charts that differ:
// npx tsx test/engines/charts/compare-corpus.ts FOLDER. Nothing of these charts is in this repository.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { InstallCase } from './case.ts';
import { askHelm, buildGoEngine } from './go-engine.ts';
import { releaseOf, releaseOfHelm, type Release } from './helm-client.ts';

const [corpus = '.', ...only] = process.argv.slice(2);
buildGoEngine();
const counts = { equal: 0, bothFail: 0, unsupported: 0, different: 0 };
for (const name of readdirSync(corpus)) {
  const folder = path.join(corpus, name);
  if (!existsSync(path.join(folder, 'Chart.yaml')) || (only.length > 0 && !only.includes(name))) continue;
  const request: InstallCase = {
    install: {
      files: filesOf(folder),
      values: {},
      release: 'agent',
      namespace: 'agents',
      kubeVersion: 'v1.34.0',
      apiVersions: [
        'v1',
        'apps/v1',
        'batch/v1',
        'policy/v1',
        'networking.k8s.io/v1',
        'rbac.authorization.k8s.io/v1',
      ],
    },
  };
  const [answer = {}] = askHelm([request]);
  const [ours, helm] = [releaseOf(request), releaseOfHelm(answer)];
  if (ours.error !== undefined && helm.error !== undefined) counts.bothFail += 1;
  else if (isDeepStrictEqual(ours, helm)) counts.equal += 1;
  else if (ours.error?.includes('not supported') === true) counts.unsupported += 1;
  else {
    counts.different += 1;
    process.stdout.write(`${name} ${JSON.stringify(firstDifference(ours, helm))}\n`);
  }
}
process.stdout.write(`${JSON.stringify(counts)}\n`);

function filesOf(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return Object.fromEntries(
    files.map(({ parentPath, name }) => {
      const file = path.join(parentPath, name);
      return [path.relative(folder, file), readFileSync(file).toString('base64')];
    }),
  );
}

function firstDifference(ours: Release, helm: Release): unknown {
  if (ours.error !== helm.error) return { ours: ours.error, helm: helm.error };
  for (const field of ['objects', 'hooks'] as const) {
    const [a, b] = [ours[field] ?? [], helm[field] ?? []];
    const own = a.find((each) => !b.includes(each)) ?? '';
    const other = b.find((each) => !a.includes(each)) ?? '';
    if (own === other) continue;
    const at = Array.from(own).findIndex((character, index) => character !== other.charAt(index));
    const start = Math.max(0, at - 80);
    return { field, ours: own.slice(start, at + 80), helm: other.slice(start, at + 80) };
  }
  return undefined;
}
