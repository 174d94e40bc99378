import type { CommandModule } from 'yargs';
import { groupBy } from '../../base/collections/groups.ts';
import {
  checkInvariant,
  effectsOfEdits,
  proofFindings,
  prove,
  type Invariant,
  type LabelEffect,
  type ProofVerdict,
} from '../../compiler/prove/index.ts';
import { yamlDocument } from '../../compiler/emit/yaml.ts';
import { jsonText } from '../../compiler/report/json/json-text.ts';
import { labelEffectsText, proofSummary, proofText } from '../../compiler/report/text/proof-text.ts';
import { terminalLine } from '../../compiler/report/text/terminal-line.ts';
import { didYouMean } from '../../compiler/model/suggestion.ts';
import { UserError } from '../../workspace/user-error.ts';
import { openWorkspace, workspacePolicies } from '../../workspace/workspace.ts';
import { resolveFromRoot, appOptions, type AppArguments, type AppResolution } from '../app-resolutions.ts';
import { examples } from '../examples.ts';
import { exitCode, type ExitCode } from '../exit-code.ts';
import { findingsOfHubs } from '../hub-findings.ts';
import { hubOptions, type HubArguments } from '../options.ts';
import { findingOptions, FindingsReport, type FindingArguments } from '../terminal/findings-report.ts';
import { outputOption } from '../terminal/print-results.ts';
import { type Terminal } from '../terminal/terminal.ts';

interface Arguments extends AppArguments, HubArguments, FindingArguments {
  readonly name: readonly string[];
  readonly suggest: boolean;
  readonly example: boolean;
  readonly output: string;
}

/** Maximum number of edits that the text of `--suggest` lists. */
const mostEdits = 20;

/** `prove [NAME…]`: whether invariants hold for all clusters that may exist, and after all edits. */
export function proveCommand(
  terminal: Terminal,
  end: (code: ExitCode) => void,
): CommandModule<object, Arguments> {
  return {
    command: 'prove [name..]',
    describe: 'Prove what no edit of labels can do',
    builder: (command) =>
      findingOptions(appOptions(hubOptions(command)))
        .positional('name', {
          describe: 'names of invariants; with --suggest, Placements as namespace/name',
          type: 'string',
          array: true,
          default: [],
          defaultDescription: 'all',
        })
        .option('suggest', {
          describe: 'list the edits of one cluster that uninstall most, to know which labels to protect',
          type: 'boolean',
          default: false,
        })
        .option('example', {
          describe: 'print the clusters of counterexamples as YAML, for explain and resolve',
          type: 'boolean',
          default: false,
        })
        .option('output', outputOption)
        .epilogue(
          examples(terminal, {
            'fleetwright prove': 'all invariants of fleetwright.yaml',
            'fleetwright prove pci --example > example.yaml && fleetwright explain any-cluster --fleet fleet.yaml --fleet example.yaml':
              'why a cluster is a counterexample',
            'fleetwright prove pci -o json': 'one invariant, with its counterexample',
            'fleetwright prove --suggest fleet/prod': 'the labels that decide about a Placement',
          }),
        ),
    handler: async (options) => {
      if (options.suggest && options.example)
        throw new UserError('--suggest has no counterexamples', 'omit --suggest or --example');
      end(await (options.suggest ? suggest(options, terminal) : proveAll(options, terminal)));
    },
  };
}

interface HubProofs {
  readonly hub: string | undefined;
  readonly verdicts: readonly ProofVerdict[];
}

async function proveAll(options: Arguments, terminal: Terminal): Promise<ExitCode> {
  const { host } = await openWorkspace(terminal);
  const policies = await workspacePolicies(host);
  const invariants = namedInvariants(options.name, policies.invariants);
  const { resolved, failed } = await resolveFromRoot(options, terminal);
  const states = resolved.map(({ resolution }) => resolution);
  const faults = invariants.map((invariant) => checkInvariant(invariant, states));
  const sound = invariants.filter((_, index) => faults[index]?.length === 0);
  const hubs = Array.from(byHub(resolved), ([hub, apps]): HubProofs => {
    const [first] = apps;
    if (first === undefined) return { hub, verdicts: [] };
    return {
      hub,
      verdicts: prove(
        sound,
        apps.map(({ resolution }) => resolution),
        first.target.hub,
      ),
    };
  });
  if (options.example) terminal.out(examplesText(hubs));
  else if (options.output === 'json')
    terminal.out(
      jsonText({
        results: hubs.map(({ hub, verdicts }) => ({ ...(hub !== undefined && { hub }), verdicts })),
      }),
    );
  else
    for (const { hub, verdicts } of hubs) {
      if (hubs.length > 1) terminal.out(`hub ${hub ?? ''}\n`);
      terminal.out(
        `${[proofText(verdicts), proofSummary(verdicts)]
          .filter((text) => text !== '')
          .map(lines)
          .join('\n')}\n`,
      );
    }
  const found = hubs.map(({ hub, verdicts }) => ({ hub, diagnostics: verdicts.flatMap(proofFindings) }));
  const report = new FindingsReport(policies.findings, options, terminal);
  report.print([...faults.flat(), ...findingsOfHubs(found)], policies.texts);
  report.end();
  return report.hasFailed || failed.length > 0 ? exitCode.findings : exitCode.clean;
}

/** The clusters of counterexamples, each under a separate name. */
function examplesText(hubs: readonly HubProofs[]): string {
  const objects = hubs.flatMap(({ verdicts }) =>
    verdicts.flatMap((verdict) => {
      const found =
        verdict.answer === 'refuted'
          ? verdict.counterexample
          : 'example' in verdict
            ? verdict.example
            : undefined;
      return found === undefined ? [] : [{ invariant: verdict.invariant.name, ...found }];
    }),
  );
  const texts = objects.map(({ invariant, cluster, object }, index) => {
    const name =
      cluster === undefined ? `any-cluster${index === 0 ? '' : `-${index + 1}`}` : `${cluster}-after-edit`;
    const renamed = { ...object, metadata: { ...object.metadata, name } };
    return `# ${invariant.replaceAll(/\s+/g, ' ')}\n${yamlDocument(renamed)}`;
  });
  return texts.join('---\n');
}

async function suggest(options: Arguments, terminal: Terminal): Promise<ExitCode> {
  const { resolved, failed } = await resolveFromRoot(options, terminal);
  const placements = new Set(
    resolved.flatMap(({ resolution }) => [...resolution.inventory.placements.keys()]),
  );
  for (const name of options.name)
    if (!placements.has(name))
      throw new UserError(`there is no Placement ${name}`, didYouMean(name, [...placements], 'there are'));
  const asked: readonly (string | undefined)[] = options.name.length === 0 ? [undefined] : options.name;
  const results = Array.from(byHub(resolved)).flatMap(([hub, apps]) =>
    asked.flatMap((placement) => {
      const [first] = apps;
      if (first === undefined) return [];
      const states = apps.map(({ resolution }) => resolution);
      const effects = effectsOfEdits(states, first.target.hub, placement);
      return [{ ...(hub !== undefined && { hub }), ...(placement !== undefined && { placement }), effects }];
    }),
  );
  if (options.output === 'json') terminal.out(jsonText({ results }));
  else for (const result of results) terminal.out(`${suggestionText(result, results.length > 1)}\n`);
  return failed.length > 0 ? exitCode.findings : exitCode.clean;
}

function suggestionText(
  { hub, placement, effects }: { hub?: string; placement?: string; effects: readonly LabelEffect[] },
  isSeveral: boolean,
): string {
  const names = [
    ...(hub === undefined ? [] : [`hub ${hub}`]),
    ...(placement === undefined ? [] : [`Placement ${placement}`]),
  ];
  const text = lines(labelEffectsText(effects, mostEdits));
  return isSeveral && names.length > 0 ? `${terminalLine(names.join(', '))}\n${text}` : text;
}

function byHub(
  resolved: readonly AppResolution[],
): ReadonlyMap<string | undefined, readonly AppResolution[]> {
  return groupBy(resolved, ({ hub }) => hub);
}

/** Names come from files of the repository: nothing in them acts on the terminal. */
function lines(text: string): string {
  return text.split('\n').map(terminalLine).join('\n');
}

function namedInvariants(names: readonly string[], all: readonly Invariant[]): readonly Invariant[] {
  if (all.length === 0)
    throw new UserError(
      'fleetwright.yaml has no invariants',
      'write what must hold below invariants: docs/prove.md begins with three; or look for what needs one with --suggest',
    );
  for (const name of names)
    if (!all.some((invariant) => invariant.name === name))
      throw new UserError(
        `there is no invariant "${name}"`,
        didYouMean(
          name,
          all.map((invariant) => invariant.name),
          'there are',
        ),
      );
  return names.length === 0 ? all : all.filter(({ name }) => names.includes(name));
}
