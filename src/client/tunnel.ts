import http from 'node:http';
import https, { type RequestOptions } from 'node:https';
import { isIP, isIPv6, Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** The timeout of a proxy, in milliseconds. */
const proxyPatience = 30_000;

/**
 * Makes the connections of an agent go through an HTTP proxy, with one CONNECT tunnel per connection. They are kept
 * alive as without a proxy. The agents of the kubeconfig library keep no connections and do not support IPv6
 * addresses.
 */
export function throughTunnels(agent: http.Agent, proxy: URL): http.Agent {
  return overStreams(agent, async (options) => await openTunnel(proxy, authorityOf(options)));
}

/** Makes the connections of an agent go over other streams, with TLS inside if the agent uses it. */
export function overStreams(
  agent: http.Agent,
  open: (options: http.ClientRequestArgs) => Promise<Duplex>,
): http.Agent {
  const connect = agent.createConnection.bind(agent);
  const connected = async (options: http.ClientRequestArgs): Promise<Duplex> => {
    const socket = await open(options);
    const over: RequestOptions & { readonly socket: Duplex } = { ...options, socket };
    return (agent instanceof https.Agent && connect(over)) || socket;
  };
  agent.createConnection = (options, callback) => {
    void supply(connected(options), callback ?? (() => undefined));
    return undefined;
  };
  return agent;
}

async function supply(
  connecting: Promise<Duplex>,
  callback: (error: Error | null, connection: Duplex) => void,
): Promise<void> {
  let connection: Duplex;
  try {
    connection = await connecting;
  } catch (error) {
    // With an error, the connection is not used.
    callback(error instanceof Error ? error : new Error(String(error)), new Socket());
    return;
  }
  callback(null, connection);
}

function authorityOf({ host, port }: http.ClientRequestArgs): string {
  return `${host && isIPv6(host) ? `[${host}]` : host}:${port}`;
}

async function openTunnel(proxy: URL, authority: string): Promise<Socket> {
  const host = proxy.hostname.replace(/^\[|\]$/g, '');
  const options: RequestOptions = {
    method: 'CONNECT',
    host,
    port: proxy.port,
    path: authority,
    headers: { Host: authority, ...authorizationOf(proxy) },
    // Otherwise the name of the server would be expected in the certificate of the proxy.
    servername: isIP(host) ? '' : host,
    agent: false,
    timeout: proxyPatience,
  };
  return await new Promise((resolve, reject) => {
    const request = (proxy.protocol === 'https:' ? https : http).request(options);
    // A process that stops does not wait for a proxy.
    request.on('socket', (socket) => socket.unref());
    request.on('timeout', () => request.destroy(new Error(`no answer for ${proxyPatience / 1000} s`)));
    request.on('error', reject);
    request.on('connect', ({ statusCode = 0, statusMessage = '' }, socket: Socket) => {
      if (statusCode === 200) return resolve(asConnection(socket));
      socket.destroy();
      reject(new Error(`${statusCode} ${statusMessage}`.trim()));
    });
    request.end();
  });
}

function asConnection(socket: Socket): Socket {
  socket.ref();
  socket.setTimeout(0);
  // as for connections without a proxy: probes detect when the other end disappeared silently
  socket.setKeepAlive(true, 30_000);
  // The reader of the socket reports its end.
  return socket.on('error', () => socket.destroy());
}

function authorizationOf({ username, password }: URL): { readonly 'Proxy-Authorization'?: string } {
  if (username === '' && password === '') return {};
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { 'Proxy-Authorization': `Basic ${Buffer.from(credentials).toString('base64')}` };
}
