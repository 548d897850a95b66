// Sends requests of JSON on kept connections.
import http from 'node:http';

export type Send = (method: string, path: string, body?: unknown) => Promise<Record<string, unknown>>;

export interface Sender {
  /** @throws Error at an answer whose status is not 2xx */
  send: Send;
  close: () => void;
}

export function createSender(port: number): Sender {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 200 });
  const send: Send = (method, path, body) =>
    new Promise((resolve, reject) => {
      const text = body === undefined ? undefined : JSON.stringify(body);
      const length = text === undefined ? {} : { 'content-length': Buffer.byteLength(text) };
      const headers = text === undefined ? {} : { 'content-type': 'application/json', ...length };
      const request = http.request({ agent, host: '127.0.0.1', port, method, path, headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          const answer = Buffer.concat(chunks).toString();
          if ((response.statusCode ?? 500) >= 300) reject(new Error(answer));
          else resolve(JSON.parse(answer) as Record<string, unknown>);
        });
      });
      request.on('error', reject);
      request.end(text);
    });
  return { send, close: () => agent.destroy() };
}
