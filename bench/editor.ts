// Measures how fast the language server's engine answers an edit at 100, 1,000 and 10,000 clusters with 20 add-ons, beside the first
// answer of the same process, and its memory after many edits. An edit changes the value of one configuration in a file that is open.
// Run with: node --expose-gc --import tsx bench/editor.ts [--edits N] [CLUSTERS…]
import path from 'node:path';
import { stringify } from 'yaml';
import { ResidentWorkspace } from '../src/cli/editor/resident-workspace.ts';
import { GitRepository } from '../test/e2e/repository.ts';
import { baseState } from './states.ts';

const addOns = 20;
const words = process.argv.slice(2);
const edits = words[0] === '--edits' ? Number(words[1]) : 20;
const named = words.slice(words[0] === '--edits' ? 2 : 0).map(Number);
const sizes = named.length > 0 ? named : [100, 1000, 10_000];

process.stdout.write(
  '| clusters | first answer (ms) | an edit, median (ms) | worst (ms) | heap (MB) | heap after all edits (MB) |\n',
);
process.stdout.write('| --- | --- | --- | --- | --- | --- |\n');
for (const clusters of sizes) {
  const repository = new GitRepository();
  try {
    process.stdout.write(await measured(clusters, repository));
  } finally {
    repository.remove();
  }
}

async function measured(clusters: number, repository: GitRepository): Promise<string> {
  const cwd = repository.root;
  const { objects, fleet } = baseState(clusters, addOns, 1);
  const isConfig = ({ kind }: (typeof objects)[number]): boolean => kind === 'AddOnDeploymentConfig';
  const textOf = (some: typeof objects): string => some.map((object) => stringify(object)).join('---\n');
  const file = path.join(cwd, 'apps/example/configs.yaml');
  const text = textOf(objects.filter(isConfig));
  repository.commit('fleet and apps', {
    'fleet.json': fleet,
    'apps/example/configs.yaml': text,
    'apps/example/objects.yaml': textOf(objects.filter((each) => !isConfig(each))),
  });
  const resident = new ResidentWorkspace({
    cwd,
    now: () => Date.now(),
    readInput: async () => await Promise.resolve(new Uint8Array()),
    out: () => undefined,
    err: () => undefined,
    color: false,
  });
  const begin = performance.now();
  const { failure, units } = await resident.answer();
  const first = performance.now() - begin;
  if (failure !== undefined || units.length === 0) throw new Error(failure ?? 'there is no app');
  const heap = usedHeap();
  const times: number[] = [];
  for (let edit = 0; edit < edits; edit += 1) {
    resident.show(file, text.replace(/(value: )\S+/, `$1edit-${edit}`));
    const start = performance.now();
    await resident.answer();
    times.push(performance.now() - start);
  }
  times.sort((a, b) => a - b);
  await resident.end();
  const cells = [first, times[Math.floor(times.length / 2)] ?? 0, times.at(-1) ?? 0].map((time) =>
    time.toFixed(0),
  );
  return `| ${[clusters, ...cells, heap.toFixed(0), usedHeap().toFixed(0)].join(' | ')} |\n`;
}

/** Returns the memory in use after a collection, in megabytes. */
function usedHeap(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed / 1e6;
}
