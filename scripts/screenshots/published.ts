// Servers on which people sign in: with API keys, and with OpenID Connect.
import path from 'node:path';
import { createKey } from '../../server/domain/access/index.ts';
import { makeCertificates, startServerProcess } from '../../server/test/index.ts';
import { type PublishedServer, startPublishedServer } from '../../server/test/published-server.ts';
import { ALL_PERMISSIONS } from '../../shared/permissions.ts';
import { DESK, DESK_SOURCES, send } from './make-desk.ts';

export interface KeyServer {
  address: string;
  /** Keys, by who has them. */
  keys: { admin: string; reader: string };
  close: () => Promise<unknown>;
}

const QUOTE = { name: 'quote', source: DESK_SOURCES['computation/quote'] };
const MANIFEST = { playbook: DESK, name: 'Repair desk', description: 'Repairs what comes in.' };

export async function startKeyServer(folder: string): Promise<KeyServer> {
  const [admin, reader] = [createKey(), createKey()];
  const entries = [
    { name: 'admin', sha256: admin.sha256, org: 'acme', permissions: ALL_PERMISSIONS },
    { name: 'reader', sha256: reader.sha256, org: 'acme', permissions: ['playbook:read'] },
  ];
  const server = await startServerProcess(folder, {
    environment: { API_KEYS: JSON.stringify(entries), LOG_LEVEL: 'fatal' },
  });
  const playbooks = `${server.address}/v1/orgs/acme/playbooks`;
  const headers = { authorization: `Bearer ${admin.key}` };
  await send(playbooks, MANIFEST, 'POST', headers);
  await send(`${playbooks}/${DESK}/definitions/computation`, QUOTE, 'POST', headers);
  await send(`${playbooks}/${DESK}/definitions/computation/quote/run`, { input: { hours: 2 } }, 'POST', headers);
  return {
    address: server.address,
    keys: { admin: admin.key, reader: reader.key },
    close: () => server.end('SIGTERM'),
  };
}

/** @returns undefined where there is no openssl */
export async function startOpenidServer(folder: string): Promise<PublishedServer | undefined> {
  const certificates = makeCertificates();
  if (certificates === undefined) return undefined;
  const published = await startPublishedServer(path.join(folder, 'openid'), certificates, { studioClient: 'studio' });
  const playbooks = '/v1/orgs/acme/playbooks';
  await published.client.post(playbooks, MANIFEST);
  await published.client.post(`${playbooks}/${DESK}/definitions/computation`, QUOTE);
  return published;
}
