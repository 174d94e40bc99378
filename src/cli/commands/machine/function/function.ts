import { isMap, type Document } from 'yaml';
import type { CommandModule } from 'yargs';
import { examples } from '../../../examples.ts';
import { type Diagnostic, type FindingSettings, hasErrors, load } from '../../../../compiler/index.ts';
import { yamlDocument } from '../../../../compiler/emit/yaml.ts';
import { previewRelease } from '../../../../workspace/settings/preview-release.ts';
import type { KubernetesObject } from '../../../../base/objects/object-meta.ts';
import { aliasesAreCounted, parseYaml } from '../../../../workspace/inputs/bounded-yaml.ts';
import { compileApp } from '../../../../workspace/output/compile-app.ts';
import { readFunctionConfig, type FunctionConfig } from './function-config.ts';
import { functionResults } from './function-results.ts';
import { FindingSelection } from '../../../../workspace/finding-selection.ts';
import { standardInput } from '../../../../workspace/inputs/inputs.ts';
import { refusePromoted } from '../../../../promotion/git/refuse-promoted.ts';
import { readPolicies } from '../../../../workspace/settings/policies.ts';
import { printDiagnostics } from '../../../terminal/print-diagnostics.ts';
import { Stopwatch } from '../../../../workspace/stopwatch.ts';
import { type Terminal } from '../../../terminal/terminal.ts';
import { judge } from '../../validate/judgement.ts';
import { workspacePolicy } from '../../../../workspace/workspace.ts';
import { UserError } from '../../../../workspace/user-error.ts';
import { exitCode, type ExitCode } from '../../../exit-code.ts';
import { isManifest } from '../../../../compiler/emit/manifest-file.ts';

/** `machine function`: a KRM function, for kustomize and kpt. */
export function functionCommand(
  terminal: Terminal,
  end: (code: ExitCode) => void,
): CommandModule<object, object> {
  return {
    command: 'function',
    describe: 'Run as a KRM function: read a ResourceList and write it with the results',
    builder: (command) =>
      command
        .epilogue(
          examples(terminal, {
            'fleetwright machine function < list.yaml': 'validate the items of a ResourceList',
          }),
        )
        .epilogue('\nThe functionConfig contains its settings: see docs/gitops.md.'),
    handler: async () => {
      end(await runFunction(terminal));
    },
  };
}

/** The result of processing the items. */
interface Processed {
  readonly diagnostics: readonly Diagnostic[];
  readonly texts: ReadonlyMap<string, string>;
  /** What the workspace decides about findings. */
  readonly findings: FindingSettings;
  /** Absent if the items stay as they are. */
  readonly items?: readonly KubernetesObject[];
}

async function runFunction(terminal: Terminal): Promise<ExitCode> {
  const bytes = await terminal.readInput();
  const text = new TextDecoder().decode(bytes);
  const list = readList(text);
  const config = readFunctionConfig(list.get('functionConfig', true));
  // Its items are read like those of any list.
  const input = list.has('items') ? text : 'kind: List\nitems: []\n';
  const items = { ...terminal, readInput: () => Promise.resolve(new TextEncoder().encode(input)) };
  const { findings, texts, items: producedItems, ...processed } = await process(config, items);
  const selection = new FindingSelection(findings, { now: terminal.now(), quiet: false });
  const diagnostics = selection.select(processed.diagnostics);
  const failed = printDiagnostics(diagnostics, texts, terminal);
  const results = functionResults(
    diagnostics,
    load([{ file: standardInput, text: input, source: 'app' }]).value.map(({ object }) => object),
  );
  terminal.out(outputText({ list, text }, producedItems, results));
  return failed ? exitCode.findings : exitCode.clean;
}

async function process(config: FunctionConfig, terminal: Terminal): Promise<Processed> {
  const { mode, app, fleet, target: compileTarget, engine } = config;
  const policies = await readPolicies(
    { policy: await workspacePolicy(config.policy, terminal.cwd) },
    terminal,
  );
  const path = [standardInput, ...(app === undefined ? [] : [app])];
  if (mode === 'validate') {
    const { results, unplaced, texts } = await judge(
      { path, fleet, policy: config.policy },
      compileTarget,
      terminal,
    );
    const diagnostics = [...unplaced, ...results.flatMap((result) => result.diagnostics)];
    return { diagnostics, texts, findings: policies.findings };
  }
  if (app !== undefined) await refusePromoted([app], terminal);
  const target = { ...compileTarget, engine, policies };
  const compiled = await compileApp({ path, fleet }, target, terminal, new Stopwatch(terminal));
  const diagnostics = [
    ...policies.diagnostics,
    ...compiled.diagnostics,
    ...previewRelease(compileTarget.hub),
  ];
  // A function that fails returns its input.
  const { texts } = compiled;
  const { findings } = policies;
  if (compiled.emitted === undefined || hasErrors(policies.diagnostics))
    return { diagnostics, texts, findings };
  const manifests = [...compiled.emitted.tree].filter(([name]) => isManifest(name));
  const { value } = load(manifests.map(([file, text]) => ({ file, text, source: 'app' })));
  return { diagnostics, texts, findings, items: value.map(({ object }) => object) };
}

/** @throws UserError if standard input contains no list. */
function readList(text: string): Document {
  const list = parseYaml(standardInput, text, {
    syntaxError: 'standard input is not YAML',
    intAsBigInt: true,
  });
  if (!isMap(list.contents) || !(list.get('kind') === 'ResourceList' || list.get('kind') === 'List'))
    throw new UserError('standard input is not a ResourceList', 'kustomize and kpt send one to functions');
  return list;
}

/** Returns the list with its results: unchanged to the byte, unless the function produced other items. */
function outputText(
  { list, text }: { readonly list: Document; readonly text: string },
  items: readonly KubernetesObject[] | undefined,
  results: readonly object[],
): string {
  const added = { ...(items && { items }), ...(results.length > 0 && { results }) };
  const isFlow = isMap(list.contents) && list.contents.flow === true;
  if (!isFlow && items === undefined && !list.has('results')) {
    const ended = text.endsWith('\n') ? text : `${text}\n`;
    return results.length === 0 ? text : `${ended}${yamlDocument(added)}`;
  }
  const rest = list.clone();
  rest.delete('results');
  return yamlDocument({ ...(rest.toJS(aliasesAreCounted) as object), ...added });
}
