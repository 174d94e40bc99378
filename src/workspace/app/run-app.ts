import { realpathSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Code, ConstructObject, Diagnostic, FileLocation } from '../../compiler/index.ts';
import { diagnostic } from '../../compiler/model/diagnostic.ts';
import type { KubernetesObject } from '../../base/objects/object-meta.ts';
import { chartLockErrorCode } from '../../../constructs/chart-lock.ts';
import { hubFactErrorCode } from '../../../constructs/hub.ts';
import { propertyErrorCodes } from '../../../constructs/property-error.ts';
import { UnreadableApp } from './app-code.ts';
import type { AppHubData } from './app-hub.ts';
import { AppStopped } from './app-process.ts';
import type { AppRun, AppRunner } from './app-runner.ts';
import { RefusedApp } from './refused-app.ts';
import type { AppAnswer, Denied, Frame, SentError } from './message.ts';
import { readAnswer } from './read-answer.ts';

/** The result of running an app's file: its objects, or the reason why there are none. */
export interface AppResult {
  readonly objects: readonly ConstructObject[];
  readonly diagnostics: readonly Diagnostic[];
  /** The output of the app. */
  readonly printed: string;
  /** Why the operating system does not confine the app. @default - it does, or the app is not confined at all */
  readonly notice?: string;
}

/**
 * Runs an app's file (TypeScript or JavaScript) in a separate process and returns the objects of the construct tree
 * that it exports by default, or that its exported function returns for the hub. An error that the app throws becomes a
 * diagnostic at the app's own line.
 */
export async function runApp(
  file: string,
  cwd: string,
  runner: AppRunner,
  env: Readonly<Record<string, string | undefined>>,
  hub?: AppHubData,
): Promise<AppResult> {
  let run: AppRun;
  try {
    run = await runFor(hub, path.resolve(cwd, file), runner);
  } catch (error) {
    if (error instanceof RefusedApp)
      return {
        objects: [],
        diagnostics: [{ ...error.diagnostic, location: start(file) }],
        printed: '',
      };
    if (!(error instanceof UnreadableApp)) throw error;
    const { message, location, hint } = error;
    const text = `the app cannot be read: ${withoutFolder(message, realpathSync(cwd))}`;
    return {
      objects: [],
      diagnostics: [
        diagnostic('FW9001', { message: text, location: location ?? start(file), ...withHint(hint) }),
      ],
      printed: '',
    };
  }
  const { answer, printed, notice } = run;
  const files = new AppFiles(file, realpathSync(cwd), run);
  return {
    ...(answer instanceof AppStopped ? stopped(answer, files, run.repetition) : resultOf(answer, files, env)),
    printed: files.inText(printed),
    ...(notice !== undefined && { notice }),
  };
}

/** Runs an app with the hub if it exports a function. Other apps run once for all hubs. */
async function runFor(hub: AppHubData | undefined, file: string, runner: AppRunner): Promise<AppRun> {
  if (hub === undefined) return await runner.run(file);
  if (!runner.takesHub(file)) {
    const run = await runner.run(file);
    if (run.answer instanceof AppStopped) return run;
    if (!needsHub(run.answer)) {
      if (!hub.isOnly) runner.keep(file, run);
      return run;
    }
    runner.noteTakesHub(file);
  }
  return await runner.run(file, hub.sent);
}

/** Most answers are long, and need not be parsed for this. */
function needsHub(answer: string): boolean {
  if (answer.length > 100_000) return false;
  try {
    return readAnswer(answer).failure === 'hub required';
  } catch {
    // The answer is reported as invalid when it is used.
    return false;
  }
}

/** Returns the result of an app that returned no answer. @param repetition - as in `AppRun` */
function stopped(
  { message, limit }: AppStopped,
  files: AppFiles,
  repetition: string | undefined,
): Omit<AppResult, 'printed' | 'notice'> {
  const code = limit === undefined ? 'FW9001' : 'FW9032';
  const text = `the app was stopped: ${message}`;
  return {
    objects: [],
    diagnostics: [diagnostic(code, { message: text, location: files.start, ...withHint(repetition) })],
  };
}

function resultOf(
  rawAnswer: string,
  files: AppFiles,
  env: Readonly<Record<string, string | undefined>>,
): Omit<AppResult, 'printed' | 'notice'> {
  let answer: AppAnswer;
  try {
    answer = readAnswer(rawAnswer);
  } catch (error) {
    const message = `the app failed: ${error instanceof Error ? error.message : String(error)}`;
    return { objects: [], diagnostics: [diagnostic('FW9001', { message, location: files.start })] };
  }
  const diagnostics = [
    ...failures(answer, files),
    ...answer.errors.map(({ construct, message, source }): Diagnostic => {
      const place = source && files.locate(source);
      return diagnostic('FW9003', {
        message,
        location: { construct, ...(place && { source: place }) },
      });
    }),
    ...denials(answer, files),
    ...missingVariables(answer, files, env),
  ];
  const failed = diagnostics.some(({ severity }) => severity === 'error');
  return { objects: failed ? [] : answer.objects.map((sent) => placed(sent, files)), diagnostics };
}

/** Locations cost time to compute, so they are computed only for diagnostics. */
function placed(
  { object, construct, source, nonJson }: AppAnswer['objects'][number],
  files: AppFiles,
): ConstructObject {
  return {
    // The loader checks whether it is an object.
    object: object as KubernetesObject,
    construct,
    get source() {
      return source && files.locate(source);
    },
    ...(nonJson && { nonJson }),
  };
}

function failures({ failure }: AppAnswer, files: AppFiles): Diagnostic[] {
  if (failure === undefined) return [];
  if (failure === 'no construct tree') {
    return [
      diagnostic('FW9002', {
        message: 'the app exports no construct tree by default',
        location: files.start,
        hint: 'end the file with `export default app;`, where app is a cdk8s App',
      }),
    ];
  }
  if (failure === 'hub required') {
    return [
      diagnostic('FW9070', {
        message: 'the app exports a function of a hub, but the workspace names no hubs',
        location: files.start,
        hint: 'list the hubs under hubs in fleetwright.yaml, or export the construct tree itself',
      }),
    ];
  }
  const { message, stack, denied } = failure;
  if (failure.code === hubFactErrorCode)
    return [
      diagnostic('FW9072', { message: files.inText(message), location: files.start, ...withHint(factHint) }),
    ];
  const ownCode = codeOfError(failure);
  if (ownCode !== undefined) {
    const source = files.topmost(stack) ?? files.start;
    const { construct, hint } = failure;
    const location = construct === undefined ? source : { construct, source };
    return [diagnostic(ownCode, { message: files.inText(message), location, ...withHint(hint) })];
  }
  const [line = ''] = (denied === undefined ? message : attempt(denied)).split('\n', 1);
  return [
    diagnostic('FW9001', {
      message: `the app failed: ${files.inText(line)}`,
      location: files.topmost(stack) ?? files.start,
      ...withHint(hintFor(failure)),
    }),
  ];
}

/** Returns the code of an error that our own constructs throw. */
function codeOfError({ code }: SentError): Code | undefined {
  if (code === chartLockErrorCode) return 'FW9192';
  if (code === propertyErrorCodes.unknown) return 'FW9190';
  return code === propertyErrorCodes.value ? 'FW9191' : undefined;
}

const factHint =
  'set the fact under hubs.NAME.facts in fleetwright.yaml, or correct the declaration in the app';

/** Returns the remedy for an error that many apps throw. */
function hintFor({ message, code, denied, isTypeError }: SentError): string | undefined {
  if (denied !== undefined) return confinedHint;
  if (code === 'ERR_MODULE_NOT_FOUND') return 'correct the name, or install the package with npm';
  const [, name] = /^There is already a Construct with name '(.+?)' in /.exec(message) ?? [];
  if (name !== undefined)
    return `ids are unique in a scope: give one of the constructs another id, and name: '${name}' if the object must keep its name`;
  return isTypeError === true ? 'a prop may have the wrong type: tsc --noEmit checks the app' : undefined;
}

const confinedHint = 'leave it out, or name the app under apps.unconfined in fleetwright.yaml';

/** Returns diagnostics for denied accesses that did not end the app. */
function denials({ denied, failure }: AppAnswer, files: AppFiles): Diagnostic[] {
  const fatal = typeof failure === 'object' ? failure.denied : undefined;
  return denied
    .filter(
      ({ permission, resource }) =>
        permission !== fatal?.permission || (fatal.resource !== '' && resource !== fatal.resource),
    )
    .map((each) =>
      diagnostic('FW9030', {
        message: `the app tried something that apps may not do: ${files.inText(attempt(each))}`,
        location: place(each, files),
        hint: confinedHint,
      }),
    );
}

const attempts: Readonly<Record<string, string>> = {
  FileSystemRead: 'it reads',
  FileSystemWrite: 'it writes',
  ChildProcess: 'it starts the process',
  WorkerThreads: 'it starts a worker thread',
  Inspector: 'it opens the inspector',
  WASI: 'it uses WASI',
  Addon: 'it loads the native module',
  Net: 'it uses the network:',
  Signal: 'it sends a signal to process',
  Binding: 'it uses internals of Node:',
  V8: 'it changes V8:',
  TraceEvents: 'it records trace events',
  Sqlite: 'it opens the database',
};

function attempt({ permission, resource }: Denied): string {
  if (permission === '') return `it uses something else: ${resource}`;
  return `${attempts[permission] ?? `it uses ${permission}`} ${resource}`.trimEnd();
}

/** Reports only the variables that this process has: on other machines, the variable would not be set either. */
function missingVariables(
  { variables }: AppAnswer,
  files: AppFiles,
  env: Readonly<Record<string, string | undefined>>,
): Diagnostic[] {
  return variables
    .filter(({ name }) => env[name] !== undefined)
    .map((variable) =>
      diagnostic('FW9031', {
        message: `the app reads the environment variable ${variable.name}, which apps cannot read`,
        location: place(variable, files),
        hint: 'write the value into the app or into a file of the repository',
      }),
    );
}

function place({ source }: { readonly source?: Frame }, files: AppFiles): FileLocation {
  return (source && files.locate(source)) ?? files.start;
}

/** The locations of an app's code as the user knows them. */
class AppFiles {
  readonly start: FileLocation;
  readonly #cwd: string;
  readonly #file: string;
  readonly #run: Pick<AppRun, 'code' | 'mayRead'>;

  /** `cwd` is a real path. */
  constructor(file: string, cwd: string, run: Pick<AppRun, 'code' | 'mayRead'>) {
    this.start = start(file);
    this.#file = file;
    this.#cwd = cwd;
    this.#run = run;
  }

  /** Returns the location; undefined for files that the app may not read: their lines would be shown. */
  locate(frame: Frame): FileLocation | undefined {
    const { file, line, column } = this.#run.code.locate(frame);
    if (!path.isAbsolute(file) || !this.#run.mayRead(path.resolve(file))) return undefined;
    return { file: path.relative(this.#cwd, file), line, column };
  }

  /** Returns the topmost location of a stack that is in the user's own files. */
  topmost(stack = ''): FileLocation | undefined {
    for (const line of stack.split('\n')) {
      const match = /\(?(file:\/\/[^\s)]+?|\/[^\s):]+|[A-Za-z]:\\[^\s):]+):(\d+)(?::(\d+))?\)?:?$/.exec(
        line.trim(),
      );
      if (match?.[1] === undefined || line.includes('node_modules') || line.includes('node:')) continue;
      const file = match[1].startsWith('file:') ? fileURLToPath(match[1].replace(/\?.*$/, '')) : match[1];
      const location = this.locate({ file, line: Number(match[2]), column: Number(match[3] ?? 1) });
      if (location !== undefined && !location.file.startsWith('..') && !path.isAbsolute(location.file))
        return location;
    }
    return undefined;
  }

  /** Returns a text of the app, such as a message of Node, with the files as the user knows them. */
  inText(text: string): string {
    const { module } = this.#run.code;
    const names = [pathToFileURL(module).href, module].map((name) =>
      name.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'),
    );
    const places = new RegExp(`(?:${names.join('|')})(?::(\\d+):(\\d+))?`, 'g');
    const named = text.replaceAll(places, (_all, line?: string, column?: string) => {
      if (line === undefined || column === undefined) return this.#file;
      const located = this.locate({ file: module, line: Number(line), column: Number(column) });
      return located === undefined ? this.#file : `${located.file}:${located.line}:${located.column}`;
    });
    return withoutFolder(named, this.#cwd);
  }
}

function start(file: string): FileLocation {
  return { file, line: 1, column: 1 };
}

/** Removes the folder from a text: it may be a temporary one. */
function withoutFolder(text: string, folder: string): string {
  return text.replaceAll(`${folder}${path.sep}`, '');
}

function withHint(hint: string | undefined): Pick<Diagnostic, 'hint'> {
  return hint === undefined ? {} : { hint };
}
