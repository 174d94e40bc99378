import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fieldsOf, text, texts, type Fields } from '../fields.ts';

/** The answer of a plugin: a token, a client's certificate with its key, or both. */
export interface PluginCredential {
  readonly token: string | undefined;
  /** PEM. */
  readonly cert: string | undefined;
  /** PEM. */
  readonly key: string | undefined;
}

export interface PluginOptions {
  /** The timeout of a plugin, in milliseconds. @default 45 seconds */
  readonly timeout?: number;
}

/** Maximum number of bytes that a plugin may write to standard output, and to standard error. */
const mostOutput = 1024 * 1024;

/**
 * The plugin of a kubeconfig. It runs again when its credential has expired. The library that logs in runs plugins
 * too, but waits indefinitely, and reads output of any size.
 */
export class Plugin {
  readonly #exec: Fields;
  readonly #timeout: number;
  #credential: { readonly credential: PluginCredential; readonly expires: number } | undefined;

  /** @param exec - from the kubeconfig, with the environment of `withExecInfo` */
  constructor(exec: Fields, { timeout = 45_000 }: PluginOptions = {}) {
    this.#exec = exec;
    this.#timeout = timeout;
  }

  /** @throws Error with a sentence that contains no part of a credential. */
  async credential(): Promise<PluginCredential> {
    if (this.#credential === undefined || !(this.#credential.expires > Date.now()))
      this.#credential = parsed(await this.#run());
    return this.#credential.credential;
  }

  async #run(): Promise<string> {
    const command = text(this.#exec['command']);
    if (command === undefined) throw new Error('the plugin of the kubeconfig has no command');
    const env = { ...process.env };
    for (const each of Array.isArray(this.#exec['env']) ? (this.#exec['env'] as readonly unknown[]) : []) {
      const { name, value } = fieldsOf(each) ?? {};
      if (typeof name === 'string' && typeof value === 'string') env[name] = value;
    }
    const options = { env, timeout: this.#timeout, maxBuffer: mostOutput, killSignal: 'SIGKILL' } as const;
    return await new Promise((resolve, reject) => {
      const child = execFile(command, texts(this.#exec['args']), options, (error, stdout, stderr) => {
        if (error === null) resolve(stdout);
        else reject(new Error(failureOf(error, stderr, this.#timeout), { cause: error }));
      });
      // A plugin that prompts gets no answer.
      child.stdin?.on('error', () => undefined).end();
    });
  }
}

function failureOf(
  { code, killed, message }: Error & { readonly code?: unknown; readonly killed?: boolean },
  stderr: string,
  timeout: number,
): string {
  if (code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER')
    return `the plugin of the kubeconfig wrote more than ${mostOutput} bytes`;
  if (killed === true) return `the plugin of the kubeconfig did not answer for ${timeout / 1000} s`;
  if (typeof code === 'string') return `the plugin of the kubeconfig cannot be run: ${message}`;
  return stderr.trim() === '' ? 'the plugin of the kubeconfig failed without a message' : stderr;
}

/** Parses the output without quoting it: a parser's message would show parts of a credential. */
function parsed(output: string): { readonly credential: PluginCredential; readonly expires: number } {
  let status: Fields | undefined;
  try {
    status = fieldsOf(fieldsOf(JSON.parse(output))?.['status']);
  } catch {
    // reported below
  }
  if (status === undefined) throw new Error('the plugin of the kubeconfig did not return an ExecCredential');
  const credential = {
    token: text(status['token']),
    cert: text(status['clientCertificateData']),
    key: text(status['clientKeyData']),
  };
  const { token = '', cert = '', key = '' } = credential;
  // As client-go's refreshCredsLocked: without a credential, the API server would see an anonymous user.
  if (token === '' && cert === '' && key === '')
    throw new Error('the plugin of the kubeconfig returned neither a token nor a certificate');
  if ((cert === '') !== (key === ''))
    throw new Error('the plugin of the kubeconfig returned a certificate without its key, or a key alone');
  return { credential, expires: Date.parse(text(status['expirationTimestamp']) ?? '') };
}

/**
 * Returns the plugin's configuration with its ExecCredential input, which the library leaves out: some plugins do not
 * work without it.
 */
export function withExecInfo(exec: Fields, cluster: Fields): Fields {
  const spec = {
    interactive: false,
    ...(exec['provideClusterInfo'] === true && { cluster: clusterInfo(cluster) }),
  };
  const info = { apiVersion: exec['apiVersion'], kind: 'ExecCredential', spec };
  const env = Array.isArray(exec['env']) ? (exec['env'] as readonly unknown[]) : [];
  return { ...exec, env: [...env, { name: 'KUBERNETES_EXEC_INFO', value: JSON.stringify(info) }] };
}

/** as client-go's ExecClusterConfig; the configuration for the plugin alone is in an extension */
function clusterInfo(cluster: Fields): Fields {
  const clusterFields = new Set([
    'server',
    'tls-server-name',
    'insecure-skip-tls-verify',
    'certificate-authority-data',
    'proxy-url',
  ]);
  const file = text(cluster['certificate-authority']);
  const extensions = Array.isArray(cluster['extensions'])
    ? (cluster['extensions'] as readonly unknown[])
    : [];
  const settings = extensions
    .map(fieldsOf)
    .find((each) => each?.['name'] === 'client.authentication.k8s.io/exec');
  return {
    ...(file !== undefined && { 'certificate-authority-data': readFileSync(file).toString('base64') }),
    ...Object.fromEntries(Object.entries(cluster).filter(([name]) => clusterFields.has(name))),
    ...(settings !== undefined && { config: settings['extension'] }),
  };
}
