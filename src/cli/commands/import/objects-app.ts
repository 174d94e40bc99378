import { counted } from '../../../compiler/model/words.ts';
import type { Diagnostic, LoadedObject } from '../../../compiler/index.ts';
import { importObjects, type ImportedApp, type ImportProgress } from '../../../importer/import-objects.ts';
import { terminalLine } from '../../../compiler/report/text/terminal-line.ts';
import { plusModuleOf } from '../../../workspace/inputs/plus-module.ts';
import { writeApp } from '../../../workspace/output/imported-app.ts';
import { UserError } from '../../../workspace/user-error.ts';
import { workspaceRoot } from '../../../workspace/workspace.ts';
import { exitCode, type ExitCode } from '../../exit-code.ts';
import { type Terminal } from '../../terminal/terminal.ts';
import { destinationOf, nextSteps } from './destination.ts';

/** Objects that become an app. */
interface ImportedInput {
  readonly objects: readonly LoadedObject[];
  /** The texts that the objects were read from, by file. */
  readonly texts: ReadonlyMap<string, string>;
  /** The folder of the app, as the user named it. */
  readonly out: string;
  readonly overwrite: boolean;
  /** Whether AddOnDeploymentConfigs become parameters. */
  readonly parameters: boolean;
  readonly print: (diagnostics: readonly Diagnostic[]) => void;
  /** What to do besides the usual next steps. @default - nothing */
  readonly furtherSteps?: readonly string[];
}

/** Writes objects as an app, and prints what was written. */
export async function writeObjectsApp(
  { objects, texts, out, overwrite, parameters, print, furtherSteps = [] }: ImportedInput,
  terminal: Terminal,
): Promise<ExitCode> {
  const plusModule = await plusModuleOf(workspaceRoot(terminal.cwd));
  const [{ ConstructSynthesizer }, plus] = await Promise.all([
    // cdk8s takes a while to load
    import('../../../workspace/construct-synthesizer.ts'),
    plusModule.load(),
  ]);
  const destination = await destinationOf(out, terminal);
  const { value: app, diagnostics } = importObjects(
    objects,
    [...texts].map(([file, text]) => ({ file, text })),
    new ConstructSynthesizer(plus),
    progressShownBy(terminal),
    { parameters, hasFleet: destination.hasFleet, plusModule: plusModule.name },
  );
  terminal.progress?.('');
  print(diagnostics);
  if (app === undefined) return exitCode.findings;
  if (app.files.size === 0) throw new UserError('the input has nothing that an app emits');
  const removed = await writeApp(terminal.cwd, out, app.files, overwrite);
  const next = nextSteps(destination, { hasFleet: app.hasClusters, isTypeScript: app.files.has('app.ts') });
  terminal.out(summary(app, out, removed, [...next, ...furtherSteps]));
  return exitCode.clean;
}

/** Shows each step, and the progress of the longest one in whole percents. */
function progressShownBy({ progress }: Terminal): ((step: ImportProgress) => void) | undefined {
  if (progress === undefined) return undefined;
  let shown = '';
  return (now) => {
    const share = now.step === 'create' ? ` ${Math.floor((100 * now.done) / now.total)}%` : '';
    const text = `${now.step}${share} …`;
    if (text !== shown) progress(text);
    shown = text;
  };
}

function summary(app: ImportedApp, out: string, removed: readonly string[], next: readonly string[]): string {
  const { files, created, asYaml, parameters, fleet, missing } = app;
  const parts = [
    `${counted(created, 'object')} in TypeScript`,
    ...(asYaml === 0 ? [] : [`${counted(asYaml, 'object')} as YAML`]),
    ...(parameters === 0 ? [] : [`the configurations of ${counted(parameters, 'add-on')} as parameters`]),
    ...(fleet === 0 ? [] : [`${counted(fleet, 'object')} of the fleet, which synth reads and does not emit`]),
  ];
  const names = (lines: readonly string[]): string =>
    lines.map((line) => `  ${terminalLine(line)}\n`).join('');
  const references = missing.length === 0 ? '' : `\nReferenced, but not in the input:\n${names(missing)}`;
  const changedFiles = [...files.keys(), ...removed.map((name) => `${name}, removed: of an earlier import`)];
  return `${terminalLine(out)}: ${parts.join(', ')}\n${names(changedFiles)}${references}\nNext steps:\n${names(next)}`;
}
