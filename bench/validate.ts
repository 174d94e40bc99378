// Measures `validate` of 10,000 documents as a whole process, one file per document, compared with kubeconform, which
// checks them with the same schemas and nothing else. Both use one core for checking.
// Run with: npm run build && node --import tsx bench/validate.ts [--runs=5] [CLUSTERS…]
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { yamlDocument } from '../src/compiler/emit/yaml.ts';
import { collect } from '../constructs/collect.ts';
import { exampleApp } from './example-app.ts';
import { processCost, type ProcessCost } from './process-cost.ts';

const root = path.resolve(import.meta.dirname, '..');
const addOns = 20;
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { runs: { type: 'string', default: '5' } },
});
const runs = Number(values.runs);
// Every tenth cluster has a separate configuration for all add-ons.
const sizes = positionals.length > 0 ? positionals.map(Number) : [240, 2_470];

/** @throws Error if Go is not installed. */
async function buildKubeconform(folder: string): Promise<string> {
  const program = path.join(folder, 'kubeconform');
  await promisify(execFile)('go', ['build', '-o', program, 'github.com/yannh/kubeconform/cmd/kubeconform'], {
    cwd: path.join(root, 'bench/kubeconform'),
    env: { ...process.env, CGO_ENABLED: '0' },
  });
  return program;
}

/** Writes one file per object; returns the number of objects. */
async function writeDocuments(folder: string, clusters: number): Promise<number> {
  await mkdir(folder, { recursive: true });
  const { objects } = collect(exampleApp(clusters, addOns, { overrides: addOns }));
  for (const [index, { object }] of objects.entries())
    await writeFile(path.join(folder, `${index}.yaml`), yamlDocument(object));
  return objects.length;
}

function least(costs: readonly ProcessCost[], figure: (cost: ProcessCost) => number): number {
  return Math.min(...costs.map(figure));
}

const folder = await mkdtemp(path.join(tmpdir(), 'fleetwright-bench-'));
try {
  const kubeconform = await buildKubeconform(folder);
  const schemas = path.join(root, 'schemas/{{.Group}}/{{.ResourceKind}}_{{.ResourceAPIVersion}}.json');
  process.stdout.write('| documents | command | time (s) | CPU (s) | memory (MB) | CPU by kubeconform |\n');
  process.stdout.write('| --- | --- | --- | --- | --- | --- |\n');
  for (const clusters of sizes) {
    const documents = path.join(folder, String(clusters));
    const count = await writeDocuments(documents, clusters);
    const commands = {
      kubeconform: [
        kubeconform,
        '-n',
        '1',
        '-ignore-missing-schemas',
        '-schema-location',
        schemas,
        documents,
      ],
      validate: [process.execPath, path.join(root, 'build/cli/main.js'), 'validate', documents],
    };
    const costs: Record<keyof typeof commands, ProcessCost[]> = { kubeconform: [], validate: [] };
    for (let run = 0; run < runs; run++) {
      for (const name of ['kubeconform', 'validate'] as const) {
        const [program = '', ...parameters] = commands[name];
        costs[name].push(await processCost(program, parameters));
      }
    }
    const reference = least(costs.kubeconform, (cost) => cost.cpuSeconds);
    for (const name of ['kubeconform', 'validate'] as const) {
      const cpu = least(costs[name], (cost) => cost.cpuSeconds);
      const cells = [
        count,
        name,
        least(costs[name], (cost) => cost.seconds).toFixed(2),
        cpu.toFixed(2),
        (least(costs[name], (cost) => cost.peakMemory) / 1e6).toFixed(0),
        `${(cpu / reference).toFixed(1)} ×`,
      ];
      process.stdout.write(`| ${cells.join(' | ')} |\n`);
    }
  }
} finally {
  await rm(folder, { recursive: true });
}
