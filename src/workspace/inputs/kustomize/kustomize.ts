import { execFile } from 'node:child_process';
import { accessSync, constants, mkdtempSync, realpathSync, rmSync, statSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { kustomizationFile } from '../../../compiler/emit/kustomization.ts';
import { noKustomizeSettings, type TrustedPrograms } from '../../settings/kustomize-settings.ts';

/** The program that builds kustomizations. */
export interface KustomizeProgram {
  /** An absolute path. */
  readonly file: string;
  /** Its parameters before the folder. */
  readonly parameters: readonly string[];
}

/** The result of a build: the objects as YAML, or the error of the program. */
export type KustomizeResult = { readonly text: string } | { readonly fault: string };

/** What one build may cost. */
export interface BuildBounds {
  /** In milliseconds. @default 60000 */
  readonly time?: number;
  /** The size of the output in bytes. @default 67108864 */
  readonly output?: number;
}

const defaultBounds = { time: 60_000, output: 64 * 1024 * 1024 };

/** Returns `kustomize` or `kubectl` of a search path; undefined if it has neither. */
export function findKustomize(searchPath: string): KustomizeProgram | undefined {
  const kustomize = findProgram('kustomize', searchPath);
  if (kustomize !== undefined) return { file: kustomize, parameters: ['build'] };
  const kubectl = findProgram('kubectl', searchPath);
  return kubectl === undefined ? undefined : { file: kubectl, parameters: ['kustomize'] };
}

function findProgram(name: string, searchPath: string): string | undefined {
  return (
    searchPath
      .split(path.delimiter)
      // A relative folder would be one of the repository.
      .filter((folder) => path.isAbsolute(folder))
      .map((folder) => path.join(folder, process.platform === 'win32' ? `${name}.exe` : name))
      .find(isExecutable)
  );
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/** The programs that builds may run besides kustomize, and the environment in which they are found. */
export interface BuildPrograms {
  readonly trusted: TrustedPrograms;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * Builds kustomizations in a temporary folder, which is the home of the program and, unless programs are trusted, its only search
 * path: it finds neither Git, which fetches remote bases, nor Helm, nor plugins. It reads no files outside of the folders
 * of the kustomizations, which is the default of kustomize, and runs no functions.
 */
export class KustomizeBuilds {
  readonly #program: KustomizeProgram;
  readonly #folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'fleetwright-kustomize-')));
  readonly #bounds: Required<BuildBounds>;
  readonly #options: readonly string[];
  /** The options of a build that the same programs may run in, before the folder. */
  readonly options: string;
  readonly #env: Readonly<Record<string, string>>;
  #overlays = 0;

  /** @param programs - @default - none are trusted */
  constructor(program: KustomizeProgram, bounds: BuildBounds = {}, programs: BuildPrograms = noPrograms) {
    this.#program = program;
    this.#bounds = { ...defaultBounds, ...bounds };
    const { plugins, helm } = programs.trusted;
    const { PATH = '', HOME = '', KUSTOMIZE_PLUGIN_HOME, XDG_CONFIG_HOME } = programs.env;
    const helmFile = helm ? findProgram('helm', PATH) : undefined;
    this.#options = [
      ...(plugins ? ['--enable-alpha-plugins', '--enable-exec'] : []),
      ...(helm ? ['--enable-helm', ...(helmFile === undefined ? [] : ['--helm-command', helmFile])] : []),
    ];
    this.options = `${plugins ? '--enable-alpha-plugins --enable-exec ' : ''}${helm ? '--enable-helm ' : ''}`;
    const pluginHome =
      KUSTOMIZE_PLUGIN_HOME ??
      path.join(XDG_CONFIG_HOME ?? path.join(HOME, '.config'), 'kustomize', 'plugin');
    this.#env = {
      HOME: this.#folder,
      TMPDIR: this.#folder,
      PATH: plugins ? PATH : this.#folder,
      ...(plugins && { KUSTOMIZE_PLUGIN_HOME: pluginHome }),
      ...noNetwork,
    };
  }

  /** @param folder - the absolute path of the folder of a kustomization */
  async build(folder: string): Promise<KustomizeResult> {
    return await new Promise((resolve) => {
      execFile(
        this.#program.file,
        [...this.#program.parameters, ...this.#options, folder],
        {
          cwd: this.#folder,
          env: this.#env,
          timeout: this.#bounds.time,
          killSignal: 'SIGKILL',
          maxBuffer: this.#bounds.output,
        },
        (error, stdout, stderr) => {
          if (error === null) resolve({ text: stdout });
          else resolve({ fault: reasonOf(error, stderr, this.#bounds) });
        },
      );
    });
  }

  /**
   * Builds a kustomization with annotations on each object: its origin, and the kustomizations that changed it. The paths in them
   * are relative to the returned folder.
   */
  async buildWithOrigins(folder: string): Promise<KustomizeResult & { readonly base: string }> {
    const overlay = path.join(this.#folder, `overlay-${(this.#overlays += 1)}`);
    await mkdir(overlay);
    // kustomize accepts no absolute path.
    const resource = path.relative(overlay, realpathSync(folder)).split(path.sep).join('/');
    const content = { resources: [resource], buildMetadata: ['originAnnotations', 'transformerAnnotations'] };
    await writeFile(path.join(overlay, kustomizationFile), JSON.stringify(content));
    return { ...(await this.build(overlay)), base: overlay };
  }

  /** Removes the temporary folder. */
  end(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

const noPrograms: BuildPrograms = { trusted: noKustomizeSettings.trusted, env: {} };

/** A proxy that no program listens on. */
const closedProxy = 'http://127.0.0.1:9';
const noNetwork = { HTTP_PROXY: closedProxy, HTTPS_PROXY: closedProxy, NO_PROXY: '' };

function reasonOf(
  error: Error & { code?: unknown; killed?: boolean },
  stderr: string,
  { time, output }: Required<BuildBounds>,
): string {
  if (error.code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER')
    return `the output exceeds ${output / 1024 / 1024} MB`;
  if (error.killed === true) return `it took longer than ${time / 1000} s`;
  const text = stderr.trim() === '' ? error.message : stderr.trim();
  return text.replace(/^error: /i, '');
}
