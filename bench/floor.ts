// Measures the floor below which no program can read and write Kubernetes objects in JavaScript: the processor time of JSON.parse
// of all inputs and JSON.stringify of all outputs, and beside it that of the yaml library for the same objects as YAML. The other
// benches of documents print their ratio to the floor of their inputs and outputs, measured in the same run.
// Run with: node --import tsx bench/floor.ts [CLUSTERS…]
import { parseAllDocuments, stringify } from 'yaml';
import { exampleFleet } from './example-app.ts';

const repetitions = 5;

/** Returns the processor time of some work in milliseconds, including that of the garbage collector. */
export function processorTime(work: () => unknown): number {
  const start = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

/**
 * Returns the processor time, in milliseconds, to parse texts of JSON and to write objects as JSON: the least of some runs, because
 * everything that disturbs a run adds to it.
 */
export function jsonFloor(inputs: readonly string[], outputs: readonly unknown[] = []): number {
  const once = (): void => {
    for (const text of inputs) JSON.parse(text);
    for (const object of outputs) JSON.stringify(object);
  };
  return Math.min(...Array.from({ length: repetitions }, () => processorTime(once)));
}

/** Returns the floor for objects that are read once and not written. */
export function readingFloor(objects: readonly unknown[]): number {
  return jsonFloor(objects.map((object) => JSON.stringify(object)));
}

/** Returns how many times the floor a processor time is, both in milliseconds. */
export function byFloor(time: number, floor: number): string {
  return `${(time / floor).toFixed(1)} ×`;
}

// By name: another bench may be bundled with this module.
if (process.argv[1]?.endsWith('floor.ts') === true) {
  const named = process.argv.slice(2).map(Number);
  process.stdout.write('| clusters | MB of JSON | JSON (ms) | MB of YAML | YAML (ms) | ratio |\n');
  process.stdout.write('| --- | --- | --- | --- | --- | --- |\n');
  for (const clusters of named.length > 0 ? named : [100, 1000, 10_000]) {
    const text = exampleFleet(clusters);
    const { items } = JSON.parse(text) as { readonly items: readonly object[] };
    const yaml = items.map((item) => stringify(item)).join('---\n');
    const json = jsonFloor([text], [items]);
    const library = processorTime(() => {
      for (const document of parseAllDocuments(yaml)) stringify(document.toJS());
    });
    const megabytes = [text, yaml].map((each) => (each.length / 1e6).toFixed(1));
    process.stdout.write(
      `| ${clusters} | ${megabytes[0]} | ${json.toFixed(1)} | ${megabytes[1]} | ${library.toFixed(0)} | ${byFloor(library, json)} |\n`,
    );
  }
}
