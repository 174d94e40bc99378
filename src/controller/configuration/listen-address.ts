/** The listen address of a server; without a host, all addresses. */
export interface ListenAddress {
  readonly host: string | undefined;
  readonly port: number;
}

/** Whether a text is `host:port`, `:port`, or `[::1]:port`. */
export function isListenAddress(address: string): boolean {
  const port = /:(\d{1,5})$/.exec(address)?.[1];
  return port !== undefined && Number(port) <= 65_535;
}

export function parseListenAddress(address: string): ListenAddress {
  const colon = address.lastIndexOf(':');
  const host = address.slice(0, colon).replace(/^\[|\]$/g, '');
  return { host: host === '' ? undefined : host, port: Number(address.slice(colon + 1)) };
}
