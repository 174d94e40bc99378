import { addOn, config, installed, placement, template } from '../compiler/plan/states.ts';

/** A rollout of two clusters at a time, with every limit. */
export const twoAtATime =
  '{ type: Progressive, progressive: { maxConcurrency: 2, minSuccessTime: 10m, progressDeadline: 30m, maxFailures: 1 } }';

/**
 * The add-on `hello` with compiled delivery on clusters without the label `out`. Each version has its own template. Clusters with the
 * label `tier: gold` have their own placement and configuration.
 */
export function appText(version: string, strategy = twoAtATime): string {
  const annotations =
    '{ fleetwright.dev/delivery: compiled, addon.open-cluster-management.io/lifecycle: self }';
  const placements = installed('all', undefined, strategy) + installed('gold', 'gold', strategy);
  return (
    addOn(placements, `hello-${version}`).replace(
      'metadata: { name: hello }',
      () => `metadata: { name: hello, annotations: ${annotations} }`,
    ) +
    placement('all', '{ matchExpressions: [{ key: out, operator: DoesNotExist }] }') +
    placement('gold', '{ matchLabels: { tier: gold } }') +
    config('base', 'info') +
    config('gold', 'warn') +
    template(`hello-${version}`, `{ version: "${version}", level: "{{LEVEL}}" }`)
  );
}

/** A promotion file of the app `hello`. */
export function promotionText(spec = '{}'): string {
  return `# Releases of hello\napiVersion: fleetwright.dev/v1alpha1\nkind: Promotion\nmetadata: { name: hello }\nspec: ${spec}\n`;
}
