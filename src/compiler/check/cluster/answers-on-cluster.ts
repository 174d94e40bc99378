import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Rendering } from '../../render/render-result.ts';
import type { RuleInput } from '../rule.ts';
import { clusterRules } from './index.ts';

/** What a cluster makes of a manifest: a finding without the count of clusters. */
export type AnswerOnCluster = Pick<Diagnostic, 'code' | 'severity' | 'message' | 'hint' | 'location'>;

/** Returns what one cluster answers to the manifests of an add-on, beside everything else that is delivered to it. */
export function answersOnCluster(
  input: Omit<RuleInput, 'parameters'>,
  addOn: string,
  cluster: string,
): readonly AnswerOnCluster[] {
  const groups = input.rendering.groups.flatMap((group) =>
    group.clusters.includes(cluster) ? [{ ...group, clusters: [cluster] }] : [],
  );
  const template = groups.find((group) => group.addOn === addOn)?.template.object.metadata.name;
  if (template === undefined) return [];
  // the other members of the rendering stay
  const rendering = Object.create(input.rendering, { groups: { value: groups } }) as Rendering;
  const findings = clusterRules.flatMap(({ check }) => [
    ...check({ ...input, rendering, parameters: new Map() }),
  ]);
  return findings
    .filter(({ object }) => object?.kind === 'AddOnTemplate' && object.name === template)
    .map(({ code, severity, message, hint, location }) => ({
      code,
      severity,
      message: message.replace(/ \(1 cluster\)$/, ''),
      ...(hint !== undefined && { hint }),
      ...(location !== undefined && { location }),
    }));
}
