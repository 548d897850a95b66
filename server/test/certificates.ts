import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

export interface Certificates {
  authority: string;
  pair: { key: string; cert: string };
}

/** An authority and a certificate that it issued for 127.0.0.1; undefined where there is no openssl. */
export function makeCertificates(): Certificates | undefined {
  const folder = mkdtempSync(path.join(tmpdir(), 'authority-'));
  const file = (name: string): string => path.join(folder, name);
  const openssl = (...args: string[]): void => void execFileSync('openssl', args, { stdio: 'ignore', cwd: folder });
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  try {
    openssl('req', '-x509', ...key, '-days', '2', '-subj', '/CN=Test authority', '-keyout', 'ca.key', '-out', 'ca.pem');
    openssl('req', ...key, '-subj', '/CN=127.0.0.1', '-keyout', 'own.key', '-out', 'own.csr');
    writeFileSync(file('names'), 'subjectAltName=IP:127.0.0.1\nbasicConstraints=CA:FALSE\n');
    openssl(
      ...'x509 -req -in own.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -extfile names -out own.pem'.split(
        ' ',
      ),
    );
    const read = (name: string): string => readFileSync(file(name), 'utf8');
    return { authority: read('ca.pem'), pair: { key: read('own.key'), cert: read('own.pem') } };
  } catch {
    return undefined;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
