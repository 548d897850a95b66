import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createHttpClient, type HttpAnswer } from './index.ts';
import { serveHttp, serveHttps } from './testing.ts';

/** A key and a certificate that it signed itself; undefined where there is no openssl. */
function selfSigned(name: string): { key: string; cert: string } | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'tls-'));
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const made = 'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2'.split(' ');
  const named = ['-subj', `/CN=${name}`, '-addext', `subjectAltName=${name}`];
  try {
    execFileSync('openssl', [...made, ...named, '-keyout', key, '-out', cert], { stdio: 'ignore' });
    return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
  } catch {
    return undefined;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function send(url: URL): Promise<HttpAnswer> {
  const http = createHttpClient();
  onTestFinished(() => http.close());
  return http.send({ method: 'POST', url, headers: { authorization: 'Bearer abc' }, body: 'x' });
}

const right = selfSigned('IP:127.0.0.1');
const other = selfSigned('DNS:elsewhere.example');

describe.skipIf(right === undefined || other === undefined)('over TLS (skipped where openssl is missing)', () => {
  test('given a certificate that nobody trusts, then nothing is sent and the failure says why', async () => {
    let requests = 0;
    const url = await serveHttps(right!, (_request, response) => {
      requests += 1;
      response.end();
    });
    expect(await send(url)).toEqual({
      kind: 'failed',
      because: 'unreachable',
      detail: "The server's certificate is not trusted: it is self-signed.",
      isUntrusted: true,
    });
    expect(requests).toBe(0);
  });

  test('given trusted certificates, then one that fits is answered and one of another name is not', async () => {
    const before = getCACertificates('default');
    onTestFinished(() => setDefaultCACertificates(before));
    setDefaultCACertificates([...before, right!.cert, other!.cert]);
    expect(await send(await serveHttps(right!, (_request, response) => response.end()))).toMatchObject({ status: 200 });
    expect(await send(await serveHttps(other!, (_request, response) => response.end()))).toMatchObject({
      because: 'unreachable',
      detail: "The server's certificate is not trusted: it was issued for another host name.",
    });
  });
});

test('given a server that speaks plain HTTP, then no secure connection comes about', async () => {
  const url = await serveHttp((_request, response) => response.end());
  expect(await send(new URL(url.href.replace('http:', 'https:')))).toMatchObject({
    because: 'unreachable',
    detail: 'No secure connection to the server could be established (TLS failed).',
  });
});
