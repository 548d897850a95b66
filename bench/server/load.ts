// Sends one prepared HTTP request repeatedly on a number of keep-alive connections, each waiting for its response.
import net from 'node:net';
import path from 'node:path';
import { atOnce, percentile } from '../figures.ts';
import type { Bench } from '../serve.ts';
import { here, start, type Started } from '../start-process.ts';

export interface Load {
  port: number;
  /** The whole HTTP/1.1 message. */
  request: Buffer;
  connections: number;
  milliseconds: number;
}

export interface Measured {
  /** Answers. */
  count: number;
  perSecond: number;
  /** Latency in milliseconds. */
  p50: number;
  p99: number;
}

/** @throws Error at the first answer whose status is not 2xx */
export async function measureLoad(load: Load): Promise<Measured> {
  const latencies: number[] = [];
  const begun = performance.now();
  const until = begun + load.milliseconds;
  await atOnce(load.connections, () => drive(load, until, latencies));
  const seconds = (performance.now() - begun) / 1000;
  return {
    count: latencies.length,
    perSecond: latencies.length / seconds,
    p50: percentile(latencies, 0.5),
    p99: percentile(latencies, 0.99),
  };
}

const HEAD_END = Buffer.from('\r\n\r\n');
/** The first digit of the status in `HTTP/1.1 200 OK`. */
const STATUS_AT = 9;
const TWO = '2'.charCodeAt(0);

/** One connection. The load has to cost little beside what is measured, so bytes are looked at and not decoded. */
function drive({ port, request }: Load, until: number, latencies: number[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = net.connect(port, '127.0.0.1');
    socket.setNoDelay(true);
    let received: Buffer = Buffer.alloc(0);
    /** How long the last answer was: most are as long as the one before. */
    let usualLength = 0;
    let sentAt = 0;
    const next = (): void => {
      if (performance.now() >= until) {
        socket.destroy();
        resolve();
        return;
      }
      sentAt = performance.now();
      socket.write(request);
    };
    socket.on('connect', next);
    socket.on('error', reject);
    socket.on('data', (chunk: Buffer) => {
      received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
      if (received[STATUS_AT] !== TWO) {
        reject(new Error(received.toString('latin1').slice(0, 600)));
        socket.destroy();
        return;
      }
      if (received.length !== usualLength) {
        const head = received.indexOf(HEAD_END);
        if (head < 0) return;
        const [, bytes] = /content-length: (\d+)/i.exec(received.toString('latin1', 0, head)) ?? [];
        const length = head + HEAD_END.length + Number(bytes);
        if (received.length < length) return;
        usualLength = length;
      }
      latencies.push(performance.now() - sentAt);
      received = Buffer.alloc(0);
      next();
    });
  });
}

/** A POST of JSON as an HTTP/1.1 message. */
export function post(pathName: string, body: string): Buffer {
  return Buffer.from(
    `POST ${pathName} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}

/** The body that publishes an event of 1 KB. */
export const EVENT = JSON.stringify({
  event: { source: '/bench', type: 'bench.measured', data: { text: 'x'.repeat(900) } },
});

/** Starts the baseline: one durable commit per request. */
export async function startBaseline({ folder, defer }: Bench): Promise<Started> {
  const baseline = await start([here('./server/baseline-server.ts'), path.join(folder, 'baseline.db')]);
  defer(() => baseline.stop());
  return baseline;
}
