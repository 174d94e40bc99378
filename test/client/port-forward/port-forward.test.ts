import { createHash } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/client/clock.ts';
import { HttpTransport } from '../../../src/client/http-transport.ts';
import { forwardPort } from '../../../src/client/port-forward/port-forward.ts';

const running: http.Server[] = [];
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const server of running.splice(0)) {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  }
});

interface Behavior {
  readonly protocol?: string;
  readonly accept?: (key: string) => string;
  readonly refuses?: number;
  /** What the server sends after the upgrade. */
  readonly sends?: readonly Buffer[];
}

/** The frame of a server, which is not masked. */
function frame(content: Buffer, opcode = 2, isLast = true): Buffer {
  const size = content.length;
  const head = size < 126 ? Buffer.from([0, size]) : Buffer.from([0, 126, size >> 8, size & 0xff]);
  head[0] = (isLast ? 0x80 : 0) | opcode;
  return Buffer.concat([head, content]);
}

const ports = [frame(Buffer.from([0, 0xe3, 0x24])), frame(Buffer.from([1, 0xe3, 0x24]))];
const acceptOf = (key: string): string =>
  createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');

interface Forwarded {
  readonly transport: HttpTransport;
  /** The contents of the frames that the client has sent, unmasked. */
  readonly received: Buffer[];
  readonly targets: string[];
}

/** An API server that upgrades a connection, and echoes nothing. */
async function forwarding({
  protocol = 'v4.channel.k8s.io',
  accept = acceptOf,
  refuses,
  sends = ports,
}: Behavior): Promise<Forwarded> {
  const received: Buffer[] = [];
  const targets: string[] = [];
  const server = http.createServer((_, response) => {
    response.writeHead(refuses ?? 404, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify({ reason: 'Forbidden', message: 'pods "a" is forbidden', code: refuses }));
  });
  if (refuses === undefined)
    server.on('upgrade', (request, socket: Socket) => {
      sockets.push(socket);
      targets.push(request.url ?? '');
      const key = String(request.headers['sec-websocket-key']);
      socket.write(
        `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: ${accept(key)}\r\nSec-WebSocket-Protocol: ${protocol}\r\n\r\n`,
      );
      for (const each of sends) socket.write(each);
      socket.on('data', (chunk) => received.push(unmasked(chunk)));
      socket.on('error', () => undefined);
    });
  running.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const credentials = async () => await Promise.resolve({ headers: {} });
  const transport = new HttpTransport({ server: url, credentials, clock: systemClock, userAgent: 'test' });
  return { transport, received, targets };
}

/** The content of the first frame of a client. */
function unmasked(chunk: Buffer): Buffer {
  const size = (chunk[1] ?? 0) & 0x7f;
  const mask = chunk.subarray(2, 6);
  return Buffer.from(chunk.subarray(6, 6 + size).map((byte, index) => byte ^ (mask[index % 4] ?? 0)));
}

const pod = { namespace: 'hub', pod: 'placement', port: 9443 };
const patience = 5000;

describe('a port-forward', () => {
  test('names the port of the pod, and carries bytes in both directions', async () => {
    const data = [...ports, frame(Buffer.concat([Buffer.from([0]), Buffer.from('hello')]))];
    const { transport, received, targets } = await forwarding({ sends: data });
    const stream = await forwardPort(transport, pod, patience);
    const [chunk] = (await once(stream, 'data')) as [Buffer];
    expect(chunk.toString()).toBe('hello');
    stream.write('question');
    await expect.poll(() => received.map(String)).toEqual(['\0question']);
    expect(targets).toEqual(['/api/v1/namespaces/hub/pods/placement/portforward?ports=9443']);
    stream.destroy();
  });

  test('joins the parts of a message, and answers pings', async () => {
    const sends = [
      ...ports,
      frame(Buffer.from([0, 0x61]), 2, false),
      frame(Buffer.from('ping'), 9),
      frame(Buffer.from('b'), 0, true),
    ];
    const { transport, received } = await forwarding({ sends });
    const stream = await forwardPort(transport, pod, patience);
    let text = '';
    stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
    await expect.poll(() => text).toBe('ab');
    expect(received.map(String)).toEqual(['ping']);
    stream.destroy();
  });

  test('ends with the error of the kubelet', async () => {
    const message = 'error forwarding port 9443 to pod placement';
    const sends = [...ports, frame(Buffer.concat([Buffer.from([1]), Buffer.from(message)]))];
    const { transport } = await forwarding({ sends });
    const stream = await forwardPort(transport, pod, patience);
    stream.resume();
    const [error] = (await once(stream, 'error').catch((thrown: unknown) => [thrown])) as [Error];
    expect(error.message).toBe(message);
  });

  test.each([
    ['a refusal', { refuses: 403 }, 'pods "a" is forbidden'],
    ['another protocol', { protocol: 'other' }, 'the server does not speak v4.channel.k8s.io'],
    ['an answer to another key', { accept: () => 'x' }, 'the server answers the WebSocket incorrectly'],
  ])('fails with %s', async (_, behavior, message) => {
    const { transport } = await forwarding(behavior);
    await expect(forwardPort(transport, pod, patience)).rejects.toThrow(message);
  });

  test.each([
    ['a masked frame', Buffer.from([0x82, 0x81, 1, 2, 3, 4, 5]), 'masks its frames'],
    ['a frame of gigabytes', Buffer.from([0x82, 127, 0, 0, 0, 2, 0, 0, 0, 0]), 'a frame of more than 16 MiB'],
  ])('ends with %s', async (_, sent, message) => {
    const { transport } = await forwarding({ sends: [sent] });
    const stream = await forwardPort(transport, pod, patience);
    stream.resume();
    const [error] = (await once(stream, 'error').catch((thrown: unknown) => [thrown])) as [Error];
    expect(error.message).toContain(message);
  });
});
