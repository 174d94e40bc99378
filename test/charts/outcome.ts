import { loadChart, type RenderInput } from '../../src/engines/charts/index.ts';
import { ChartError } from '../../src/engines/charts/chart-fault.ts';
import { asJson, readYaml } from '../../src/engines/charts/yaml/read.ts';
import type { CorpusChart } from './corpus.ts';
import type { ReleaseAnswer } from './go-releases.ts';

export const outcomes = [
  'equal',
  'both fail',
  'random or clock',
  'refused by ours only',
  'refused by Helm only',
  'differs',
] as const;

/** How two renderings compare. A random function, and one that reads the clock, is an error of ours only. */
export type Outcome = (typeof outcomes)[number];

/** One chart with one set of values. */
export interface ComparedCase {
  readonly chart: string;
  readonly values: string;
  readonly outcome: Outcome;
  /** The first difference, or the message of the side that fails. */
  readonly detail: string;
}

/** Renders a chart with our engine, and compares the text of each template with Helm's. */
export function comparedCase(
  chart: CorpusChart,
  values: CorpusChart['values'][number],
  helm: ReleaseAnswer,
  apiVersions: readonly string[],
): ComparedCase {
  const ours = rendered(chart, values.text, apiVersions);
  return { chart: chart.name, values: values.name, ...compared(ours, helm) };
}

/** The name and the text of each template. */
type Texts = readonly (readonly [name: string, text: string])[];

type Rendered = Texts | { readonly error: string };

function rendered(chart: CorpusChart, text: string, apiVersions: readonly string[]): Rendered {
  const { chart: loaded, faults } = loadChart(chart.files, { rules: 'helm' });
  if (loaded === undefined) return { error: faults[0]?.message ?? '' };
  try {
    const values = asJson(readYaml(text));
    const input: RenderInput = {
      values: values instanceof Map ? values : {},
      release: { name: 'release', namespace: 'namespace', revision: 1, isInstall: true },
      capabilities: {
        kubeVersion: { version: 'v1.34.2', major: '1', minor: '34' },
        apiVersions,
        helmVersion: { version: 'v3.19', goVersion: '' },
      },
    };
    const { texts } = loaded.program.renderTexts(input);
    return texts.map(({ file, text: output }) => [file, output] as const);
  } catch (error) {
    if (error instanceof ChartError) return { error: error.faults[0]?.message ?? '' };
    return { error: error instanceof Error ? `${error.name}: ${error.message}` : String(error) };
  }
}

function compared(ours: Rendered, helm: ReleaseAnswer): Pick<ComparedCase, 'outcome' | 'detail'> {
  if ('error' in ours) {
    if (helm.error !== undefined) return { outcome: 'both fail', detail: ours.error };
    const isRandom = /its result is random|depends on the time|different each time/.test(ours.error);
    return { outcome: isRandom ? 'random or clock' : 'refused by ours only', detail: ours.error };
  }
  if (helm.error !== undefined) return { outcome: 'refused by Helm only', detail: helm.error };
  const difference = firstDifference(sortedTexts(ours), sortedTexts(Object.entries(helm.files ?? {})));
  return difference === undefined
    ? { outcome: 'equal', detail: '' }
    : { outcome: 'differs', detail: difference };
}

/** The texts by the name of their file alone: of a chart with an alias, Helm's paths have the alias and ours the folder. */
function sortedTexts(files: Texts): string[] {
  return files
    .map(([name, text]) => `${name.replace(/^.*\//, '')}\n${text}`)
    .filter((text) => !/^\S+\n\s*$/.test(text))
    .toSorted();
}

function firstDifference(ours: readonly string[], helm: readonly string[]): string | undefined {
  const index = ours.findIndex((text, at) => text !== helm[at]);
  if (index < 0 && ours.length === helm.length) return undefined;
  const at = index < 0 ? ours.length : index;
  const [a = [], b = []] = [ours[at], helm[at]].map((text) => (text ?? '').split('\n'));
  const line = a.findIndex((text, number) => text !== b[number]);
  const number = line < 0 ? a.length : line;
  return `${a[0] ?? ''} and ${b[0] ?? ''}, line ${number}:\n- ${b[number] ?? ''}\n+ ${a[number] ?? ''}`;
}
