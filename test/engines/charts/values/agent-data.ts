import { goFunction, TemplateSet, type Value } from '../../../../src/engines/gotemplate/index.ts';
import { RE2JS } from 're2js';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { toJson } from '../../../../src/engines/charts/functions/json.ts';
import { agentValues, type AgentInputs } from '../../../../src/compiler/render/agent-values/agent-values.ts';
import type { AgentKind, ValuesProfile } from '../../../../src/ocm/values-profile.ts';
import { valuesAnnotation } from '../../../../src/compiler/render/agent-values/values-functions.ts';
import type { AddOnDeploymentConfigV1alpha1 } from '../../../../schemas/types.gen.ts';
import { parseDocument } from 'yaml';
import type { ValuesAnswer, ValuesRequest } from './random-request.ts';

const template = readFileSync(path.join(import.meta.dirname, 'dump/templates/dump.yaml'), 'utf8');
const annotation = (name: string): string => `addon.open-cluster-management.io/${name}`;

/** Returns the values of our functions in the form of the Go program's answer. Helm's are those without the chart's defaults. */
export function ourAnswer(request: ValuesRequest): {
  readonly helm?: unknown;
  readonly template?: unknown;
  readonly error?: string;
} {
  const helm = valuesOf('helm', request);
  const typed = valuesOf('template', request);
  if ('error' in helm) return { error: helm.error };
  if ('error' in typed) return { error: typed.error };
  const set = new TemplateSet('dump', new Map([['regexMatch', regexMatch]]));
  set.parse('dump', template);
  const text = set.execute('dump', typed.values).text;
  return {
    helm: {
      values: comparable(JSON.parse(toJson(helm.values))),
      namespace: helm.installNamespace,
    },
    template: (parseDocument(text).toJS() as { data: unknown }).data,
  };
}

const regexMatch = goFunction('string string -> bool', ([pattern, text]): Value =>
  RE2JS.compile(pattern as string)
    .matcher(text as string)
    .find(),
);

function valuesOf(kind: AgentKind, request: ValuesRequest) {
  return agentValues(kind, ...agentInputs(request));
}

/** Returns the profile of a request's add-on, and what its functions read. */
export function agentInputs({
  profile,
  registers,
  config,
  ...request
}: ValuesRequest): [ValuesProfile, AgentInputs] {
  const { annotations = {}, clusterAnnotations = {} } = request;
  return [
    { functions: profile, registers },
    {
      addOn: 'hello',
      cluster: 'cluster1',
      config: config as AddOnDeploymentConfigV1alpha1 | undefined,
      annotation: annotations[valuesAnnotation],
      imageRegistries: clusterAnnotations['open-cluster-management.io/image-registries'],
      installNamespace: annotations[annotation('v1alpha1-install-namespace')],
      hostingCluster: annotations[annotation('hosting-cluster-name')],
    },
  ];
}

/** Returns the answer of Go as data. */
export function goAnswer({ helm, template: data, error }: ValuesAnswer): object {
  if (error !== undefined || helm === undefined) return { error };
  return {
    helm: {
      values: comparable(JSON.parse(helm['values'] ?? '')),
      namespace: (JSON.parse(helm['release'] ?? '') as { Namespace: string }).Namespace,
    },
    template: data,
  };
}

/**
 * Leaves out the quantities of `ResourceRequirements[].resourcesRaw`. In addon-framework 1.3.0, Helm copies the Go struct of these
 * and loses all quantities. Later releases convert values to JSON first, and so do we.
 */
function comparable(values: unknown): unknown {
  const { ResourceRequirements: requirements, ...others } = values as { ResourceRequirements?: unknown };
  if (!Array.isArray(requirements)) return values;
  const items = requirements.map((item: object) => ({ ...item, resourcesRaw: undefined }));
  return { ...others, ResourceRequirements: items };
}
