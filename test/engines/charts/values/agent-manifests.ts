import { isDeepStrictEqual } from 'node:util';
import { loadChart, renderChart } from '../../../../src/engines/charts/index.ts';
import { agentValues } from '../../../../src/compiler/render/agent-values/agent-values.ts';
import { GoTemplates } from '../../../../src/compiler/render/sources/go-templates.ts';
import { goJson } from '../../../../src/base/json/go-json.ts';
import { chartFiles } from '../chart-files.ts';
import { agentInputs } from './agent-data.ts';
import { askGoProgram } from './go-values.ts';
import type { AgentRequest } from './random-chart.ts';

/** What an agent renders: the objects as JSON of Go's structs, or an error. */
export interface ManifestsAnswer {
  readonly objects?: readonly GoObject[];
  readonly error?: string;
  /** All errors of several attempts. */
  readonly errors?: readonly string[];
}

interface GoObject {
  readonly kind: string;
}

/** Renders charts as we do, and has Go convert the objects to the structs of their kinds, as addon-framework does. */
export function ourManifests(requests: readonly AgentRequest[]): ManifestsAnswer[] {
  const rendered = requests.map(renderOne);
  const converted = askGoProgram<ManifestsAnswer>(
    rendered.map((each) =>
      typeof each === 'string'
        ? '{"decode":[]}'
        : `{"decode":[${each.map((object) => goJson(object)).join(',')}]}`,
    ),
  );
  return rendered.map((each, index) =>
    typeof each === 'string' ? { error: each } : (converted[index] ?? {}),
  );
}

/** Returns the objects, or the message of the error. */
function renderOne(request: AgentRequest): unknown[] | string {
  return request.templates === undefined ? renderAgentChart(request) : renderTemplates(request);
}

function renderTemplates(request: AgentRequest): unknown[] | string {
  const values = agentValues('template', ...agentInputs(request));
  if ('error' in values) return values.error;
  const named = Object.entries(request.templates ?? {}).map(([name, text]) => [`files/${name}`, text]);
  const templates = GoTemplates.parse(chartFiles(Object.fromEntries(named) as Record<string, string>));
  if ('error' in templates) return `panic: ${templates.error}`;
  const objects = templates.render(values.values);
  return 'error' in objects ? `panic: ${objects.error}` : objects.map(({ object }) => object);
}

function renderAgentChart(request: AgentRequest): unknown[] | string {
  const values = agentValues('helm', ...agentInputs(request));
  if ('error' in values) return values.error;
  const { chart, faults } = loadChart(chartFiles(request.chart ?? {}));
  if (chart === undefined) return faults[0]?.message ?? '';
  const result = renderChart(chart, {
    values: values.values,
    release: { name: 'hello', namespace: values.installNamespace },
    capabilities: { kubeVersion: { version: request.kubeVersion || 'v1.31.2' } },
    strict: request.strict ?? false,
  });
  const errors = result.faults.filter(({ code }) => code !== 'FW6034');
  if (errors.length === 0) return result.manifests.map(({ object }) => object);
  if (errors[0]?.code === 'FW6025') return errors.map(({ message }) => message).join('\n');
  return (errors[0]?.message ?? '').replace(/ \(line \d+ of the output\)$/, '');
}

/** Whether our answer is one that Go gives: objects of one kind come in any order, and so do documents that fail. */
export function agrees(ours: ManifestsAnswer, go: ManifestsAnswer): boolean {
  const alternatives = go.errors?.map((error) => ({ error })) ?? [go];
  return alternatives.some((each) => isDeepStrictEqual(comparable(ours), comparable(each)));
}

function comparable({ objects, error }: ManifestsAnswer): unknown {
  if (error === undefined)
    return {
      kinds: objects?.map(({ kind }) => kind),
      objects: objects?.map((each) => JSON.stringify(each)).toSorted(),
    };
  const places = [...error.matchAll(/at '(.*?)': (.*)/g)].map(([text]) => text);
  if (places.length > 0) return { places: places.toSorted() };
  // The name of a scheme has a line of the source in Go.
  return { error: error.replace(/ in scheme ".*"$/, '') };
}
