/** The target of a probe. */
export type ProbeTarget =
  | { readonly type: 'http'; readonly url: URL }
  | { readonly type: 'tcp'; readonly host: string; readonly port: number }
  | { readonly type: 'deployment'; readonly name: string }
  | { readonly type: 'exec'; readonly command: string; readonly arguments: readonly string[] };

/** Parses a target; undefined if the text is not a valid target. */
export function parseProbeTarget(text: string): ProbeTarget | undefined {
  if (text.startsWith('exec:')) {
    // Without quotes and shells: a command that needs a shell names it.
    const [command = '', ...rest] = text.slice('exec:'.length).split(/\s+/).filter(Boolean);
    return command === '' ? undefined : { type: 'exec', command, arguments: rest };
  }
  if (text.startsWith('deployment:')) {
    const name = text.slice('deployment:'.length);
    return /^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$/.test(name) ? { type: 'deployment', name } : undefined;
  }
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  if (url.protocol === 'http:' || url.protocol === 'https:') return { type: 'http', url };
  if (url.protocol !== 'tcp:' || url.hostname === '' || url.port === '') return undefined;
  return { type: 'tcp', host: url.hostname.replace(/^\[|\]$/g, ''), port: Number(url.port) };
}

/** Returns the requirement that an invalid target violates. */
export function probeFault(text: string): string | undefined {
  return parseProbeTarget(text) === undefined
    ? 'http://HOST:PORT/PATH, tcp://HOST:PORT, deployment:NAME or exec:COMMAND'
    : undefined;
}
