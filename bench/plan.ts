// How long a plan takes at 1,000 and 10,000 clusters with 20 add-ons, with everything that comes before it: both states are
// loaded and resolved. Every hundredth cluster changes its environment, one template and one configuration are edited.
// Run with: node --import tsx bench/plan.ts
import { hubVersion } from '../compiler/hub-version.ts';
import { loadConstructs } from '../compiler/load/constructs.ts';
import { load } from '../compiler/load/load.ts';
import { plan } from '../compiler/plan/plan.ts';
import { planText } from '../compiler/report/plan-text.ts';
import { resolve, type Resolution } from '../compiler/resolve.ts';
import { collect, type CollectedObject } from '../constructs/collect.ts';
import { exampleApp, exampleFleet } from './example-app.ts';

const addOns = 20;
const sizes = [1000, 10_000];
const now = Date.parse('2026-06-01T00:00:00Z');
const hub = hubVersion('1.3');

/** What the second state edits: the first add-on's template, the second one's default configuration. */
function edited(objects: readonly CollectedObject[]): CollectedObject[] {
  return objects.map((collected) => {
    const text = JSON.stringify(collected.object);
    const name = collected.object.metadata.name ?? '';
    const isTemplate = collected.object.kind === 'AddOnTemplate' && name.includes('add-on-0-');
    const isConfig = collected.object.kind === 'AddOnDeploymentConfig' && name.includes('add-on-1-default');
    if (!isTemplate && !isConfig) return collected;
    const changed = isTemplate
      ? text.replace('{{LOG_LEVEL}}', '{{LOG_LEVEL}} edited')
      : text.replace('"1"', '"one"');
    return { ...collected, object: JSON.parse(changed) as CollectedObject['object'] };
  });
}

function relabelled(fleet: string): string {
  let seen = 0;
  return fleet.replaceAll('"env":"dev"', (label) => (seen++ % 33 === 0 ? '"env":"prod"' : label));
}

function resolved(objects: readonly CollectedObject[], fleet: string): Resolution {
  const app = loadConstructs(objects);
  const snapshot = load([{ file: 'fleet.json', text: fleet, source: 'fleet' }]);
  const { value, diagnostics } = resolve([...app.value, ...snapshot.value], { now, hub });
  if (value === undefined) throw new Error(`the example is wrong: ${JSON.stringify(diagnostics[0])}`);
  return value;
}

process.stdout.write('clusters  app (s)  load and resolve, both (s)  plan (s)  text (s)  peak memory (MB)\n');
for (const clusters of sizes) {
  const times: number[] = [performance.now()];
  const lap = (): number => times.push(performance.now());
  const objects = collect(exampleApp(clusters, addOns)).objects;
  const fleet = exampleFleet(clusters);
  lap();
  const base = resolved(objects, fleet);
  const head = resolved(edited(objects), relabelled(fleet));
  lap();
  const { value } = plan([{ app: 'example', base, head }], { hub, by: ['env', 'region'] });
  lap();
  const text = planText(value, { paint: (_tone, part) => part, names: 10 });
  lap();
  const seconds = times.slice(1).map((time, index) => ((time - (times[index] ?? 0)) / 1000).toFixed(2));
  const memory = (process.resourceUsage().maxRSS / 1024).toFixed(0);
  process.stdout.write(`${[clusters, ...seconds, memory].join('  ')}\n`);
  if (process.argv.includes('--text')) process.stdout.write(text);
}
