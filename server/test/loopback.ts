import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, request as httpRequest, type RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, createServer as createPlainServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';

export interface LoopbackServer {
  /** Without a slash at its end. */
  address: string;
  /** Ends what goes on. */
  close(): Promise<void>;
}

/** A real HTTP server on the loopback for tests that share it; who makes it closes it. */
export async function serveLoopback(
  answer: RequestListener,
  certificate?: { key: string; cert: string },
): Promise<LoopbackServer> {
  const server = certificate === undefined ? createServer(answer) : createSecureServer(certificate, answer);
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    address: `${certificate === undefined ? 'http' : 'https'}://127.0.0.1:${port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A reverse proxy with TLS. It has an address before the server that it is in front of. */
export async function serveProxy(certificate: {
  key: string;
  cert: string;
}): Promise<LoopbackServer & { forwardTo: (target: string) => void }> {
  let target = '';
  const server = await serveLoopback((request, response) => {
    const { method = 'GET', headers, url = '/' } = request;
    const forwarded = httpRequest(`${target}${url}`, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    forwarded.on('error', () => response.destroy());
    response.on('close', () => forwarded.destroy());
    request.pipe(forwarded);
  }, certificate);
  return { ...server, forwardTo: (to) => void (target = to) };
}

/** A key and a certificate that it signed itself; undefined where there is no openssl. */
export function selfSigned(): { key: string; cert: string } | undefined {
  const folder = mkdtempSync(path.join(tmpdir(), 'tls-'));
  const [key, cert] = [path.join(folder, 'key.pem'), path.join(folder, 'cert.pem')];
  const made = 'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2'.split(' ');
  const named = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'];
  try {
    execFileSync('openssl', [...made, ...named, '-keyout', key, '-out', cert], { stdio: 'ignore' });
    return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
  } catch {
    return undefined;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** A port of 127.0.0.1 that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createPlainServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
