import { resolveTemplate, type ResolvedTemplate, type TemplateAddOn } from './template-add-on.ts';

/** A HelmChart with these files beside its Chart.yaml, and fields of its spec. */
export function chart(files: Readonly<Record<string, string>>, spec: object = {}): object {
  return {
    apiVersion: 'fleetwright.dev/v1alpha1',
    kind: 'HelmChart',
    metadata: { name: 'agent' },
    spec: {
      files: { 'Chart.yaml': 'apiVersion: v2\nname: agent\nversion: 1.0.0\n', ...files },
      ...spec,
    },
  };
}

/** Resolves the add-on `agent`, whose only manifest is a chart, in the namespace `agents` of the cluster `c1`. */
export function resolveChart(
  files: Readonly<Record<string, string>>,
  spec: object = {},
  delivery = 'compiled',
  addOn: TemplateAddOn = {},
): ResolvedTemplate {
  return resolveTemplate({
    annotations: { 'fleetwright.dev/delivery': delivery },
    manifests: [chart(files, spec)],
    config: { agentInstallNamespace: 'agents' },
    ...addOn,
  });
}

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
}

/** Returns what the cluster gets. */
export function manifestsOf(resolved: ResolvedTemplate): Manifest[] {
  return resolved
    .on('c1')
    .works.flatMap(({ spec }) => spec?.workload?.manifests ?? []) as unknown as Manifest[];
}

/** Returns its names, such as `ConfigMap agents/settings`. */
export function namesOf(resolved: ResolvedTemplate): string[] {
  return manifestsOf(resolved).map(
    ({ kind, metadata: { name, namespace } }) =>
      `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`,
  );
}

/** Returns the findings about charts, each with its hint. */
export function chartFindings({ diagnostics }: ResolvedTemplate): string[] {
  return diagnostics
    .filter(({ code }) => /^FW60[2-5]/.test(code))
    .map(({ code, message, hint }) => `${code} ${message}\n  ${hint ?? ''}`);
}

/** Returns the text of an object. */
export const object = (kind: string, name: string, more = '', apiVersion = 'v1'): string =>
  `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: { name: ${name}${more} }\n`;

/** Returns the annotations of a hook, for `object`. */
export const hook = (events: string, weight = '0'): string =>
  `, annotations: { helm.sh/hook: "${events}", helm.sh/hook-weight: "${weight}" }`;
