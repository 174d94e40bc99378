import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { parse, YAMLParseError } from 'yaml';
import { sentenceOf } from '../api-error.ts';
import { fieldsOf, text, type Fields } from '../fields.ts';
import { KubeconfigError } from './error.ts';

/** Selects the API server and the credentials. */
export interface KubeconfigAddress {
  /** @default - `KUBECONFIG`, else `~/.kube/config`, else the pod's own account */
  readonly kubeconfig?: string;
  /** A context of the kubeconfig. @default - its current one */
  readonly context?: string;
  /** The folder that its path is relative to. @default - the working folder of the process */
  readonly folder?: string;
}

/** The entries of one or several kubeconfigs, by name. Files that they reference have absolute paths. */
export interface KubeconfigEntries {
  readonly clusters: Map<string, Fields>;
  readonly users: Map<string, Fields>;
  readonly contexts: Map<string, Fields>;
  currentContext: string | undefined;
}

/**
 * Returns the files of a kubeconfig, or an empty list. @throws KubeconfigError if files that were named do not
 * exist
 */
export function filesOf({ kubeconfig, folder = '.' }: KubeconfigAddress): readonly string[] {
  if (kubeconfig !== undefined) return [path.resolve(folder, kubeconfig)];
  const listed = (process.env['KUBECONFIG'] ?? '').split(path.delimiter).filter((file) => file !== '');
  if (listed.length > 0) {
    // as kubectl: some of them may not exist yet
    const there = listed.filter((file) => existsSync(file));
    if (there.length === 0) throw new KubeconfigError(`no file in KUBECONFIG exists: ${listed.join(', ')}`);
    return there;
  }
  const home = homeFolder();
  const defaultFile = home === undefined ? undefined : path.join(home, '.kube', 'config');
  return defaultFile !== undefined && existsSync(defaultFile) ? [defaultFile] : [];
}

/** Returns the user's folder. Undefined for a user without one, as in a container with an arbitrary user ID. */
function homeFolder(): string | undefined {
  try {
    return homedir();
  } catch {
    return undefined;
  }
}

/**
 * Merges as kubectl does: for each name, the first file counts, and so does its current context.
 *
 * @param name - of the kubeconfig in errors
 * @throws KubeconfigError if a file cannot be read
 */
export function merged(files: readonly string[], name: string): KubeconfigEntries {
  const entries: KubeconfigEntries = {
    clusters: new Map(),
    users: new Map(),
    contexts: new Map(),
    currentContext: undefined,
  };
  for (const file of files) {
    const config = fieldsOf(parsed(file, name));
    if (config === undefined)
      throw new KubeconfigError(`${name} cannot be read: it is empty, or not a kubeconfig`);
    for (const kind of ['cluster', 'user', 'context'] as const)
      for (const [entry, fields] of named(config[`${kind}s`], kind)) {
        const into = entries[`${kind}s`];
        if (!into.has(entry)) into.set(entry, withAbsolutePaths(fields, path.dirname(path.resolve(file))));
      }
    entries.currentContext ??= text(config['current-context']);
  }
  return entries;
}

function parsed(file: string, name: string): unknown {
  let content: string;
  try {
    content = readFileSync(file, 'utf8');
  } catch (error) {
    throw new KubeconfigError(`${name} cannot be read: ${sentenceOf(error)}`);
  }
  try {
    return parse(content);
  } catch (error) {
    // Every message of the parser quotes the text, which may be a secret.
    const [at] = error instanceof YAMLParseError ? (error.linePos ?? []) : [];
    const place = at === undefined ? '' : `, line ${at.line}, column ${at.col}`;
    throw new KubeconfigError(`${name} cannot be read: it is not YAML${place}`);
  }
}

function* named(list: unknown, kind: string): Generator<readonly [string, Fields]> {
  for (const each of Array.isArray(list) ? (list as readonly unknown[]) : []) {
    const entry = fieldsOf(each);
    const name = text(entry?.['name']);
    if (name !== undefined) yield [name, fieldsOf(entry?.[kind]) ?? {}];
  }
}

const paths = new Set(['certificate-authority', 'client-certificate', 'client-key', 'tokenFile']);

function withAbsolutePaths(fields: Fields, folder: string): Fields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      paths.has(name) && typeof value === 'string' && value !== ''
        ? path.resolve(folder, value)
        : name === 'exec'
          ? withAbsoluteCommand(value, folder)
          : value,
    ]),
  );
}

/** as client-go: a command with a slash is relative to the kubeconfig, one without is searched for as the shell does */
function withAbsoluteCommand(exec: unknown, folder: string): unknown {
  const plugin = fieldsOf(exec);
  const command = text(plugin?.['command']);
  return command === undefined || !command.includes('/')
    ? exec
    : { ...plugin, command: path.resolve(folder, command) };
}
