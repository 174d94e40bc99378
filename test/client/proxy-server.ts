import { createServer, type IncomingMessage } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import {
  connect,
  createServer as createTcpServer,
  type AddressInfo,
  type Server,
  type Socket,
} from 'node:net';

export interface ProxyServerOptions {
  /** The ports here of what others know by name: `hub.example:443`. Nobody else knows the names. */
  readonly hosts: Readonly<Record<string, number>>;
  /** Reached with TLS, when it has a certificate. */
  readonly tls?: { readonly certificate: string; readonly key: string };
  /** What it wants in `Proxy-Authorization`. */
  readonly authorization?: string;
}

/** A proxy on this machine that looks up names itself. */
export class ProxyServer {
  readonly url: URL;
  /** What it was asked to connect to. */
  readonly asked: readonly string[];
  readonly #server: Server;
  readonly #sockets: ReadonlySet<Socket>;

  private constructor(server: Server, scheme: string, asked: readonly string[], sockets: Set<Socket>) {
    this.#server = server;
    this.#sockets = sockets;
    this.asked = asked;
    this.url = new URL(`${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`);
  }

  /** One that understands CONNECT. */
  static async http({ hosts, tls, authorization }: ProxyServerOptions): Promise<ProxyServer> {
    const asked: string[] = [];
    const server = tls ? createTlsServer({ cert: tls.certificate, key: tls.key }) : createServer();
    server.on('connect', ({ url = '', headers }: IncomingMessage, socket: Socket) => {
      asked.push(url);
      const port = hosts[url];
      if (authorization !== undefined && headers['proxy-authorization'] !== authorization)
        socket.end('HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n');
      else if (port === undefined) socket.end('HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n');
      else join(socket, port, 'HTTP/1.1 200 Connection established\r\n\r\n');
    });
    return await ProxyServer.#listening(server, tls ? 'https' : 'http', asked);
  }

  /** One that speaks SOCKS 5, and takes names only. */
  static async socks({ hosts }: ProxyServerOptions): Promise<ProxyServer> {
    const asked: string[] = [];
    const server = createTcpServer((socket) => {
      socket.on('error', () => socket.destroy());
      socket.once('data', () => {
        socket.write(Buffer.from([5, 0]));
        socket.once('data', (request: Buffer) => {
          const nameEnd = 5 + (request[4] ?? 0);
          const isName = request[3] === 3;
          const name = `${request.subarray(5, nameEnd).toString()}:${isName ? request.readUInt16BE(nameEnd) : 0}`;
          asked.push(name);
          const port = hosts[name];
          const answer = (code: number): Buffer => Buffer.from([5, code, 0, 1, 0, 0, 0, 0, 0, 0]);
          if (!isName || port === undefined) socket.end(answer(4));
          else join(socket, port, answer(0));
        });
      });
    });
    return await ProxyServer.#listening(server, 'socks5', asked);
  }

  static async #listening(server: Server, scheme: string, asked: readonly string[]): Promise<ProxyServer> {
    const sockets = new Set<Socket>();
    server.on('connection', (socket: Socket) => {
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new ProxyServer(server, scheme, asked, sockets);
  }

  /** How many connections lead through it. */
  get connections(): number {
    return this.#sockets.size;
  }

  /** Ends all that leads through it without a word. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  stop(): void {
    this.#server.close();
    this.cut();
  }
}

function join(socket: Socket, port: number, answer: string | Buffer): void {
  const to = connect(port, '127.0.0.1', () => {
    socket.write(answer);
    to.pipe(socket).pipe(to);
  });
  to.on('error', () => socket.destroy()).on('close', () => socket.destroy());
  socket.on('error', () => to.destroy()).on('close', () => to.destroy());
}
