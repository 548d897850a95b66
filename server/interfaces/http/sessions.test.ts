// Sessions are accepted only from the page that they were issued to.
import { once } from 'node:events';
import { type IncomingMessage, request as sendRaw } from 'node:http';
import { text } from 'node:stream/consumers';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, assert, beforeAll, describe, expect, test } from 'vitest';
import { type SessionIssuer, serveSessionIssuer } from '../../domain/access/session-issuer.testing.ts';
import { makeCertificates, startServer, type TestServer } from '../../test/index.ts';

const certificates = makeCertificates();
/** The origin of the studio. */
const OWN = 'https://cuebook.example.com';
/** An origin in `ALLOWED_ORIGINS`. */
const PAGE = 'https://page.example.com';
const OTHER = 'https://other.example.com';
const ROUTE = '/v1/orgs/acme/playbooks';

type Headers = Record<string, string | string[]>;
const NOT_PRESENTED = [401, 'The token was refused: the session was not presented by the page it was issued to'];
const WRONG_PAGE = [401, 'The token was refused: `ERR_JWT_CLAIM_VALIDATION_FAILED` on its `azp` claim'];
const WRONG_ORIGIN = [403, 'Pages of this origin may not call the service.'];
const OTHER_SITE = [403, 'Pages of another site may not load this.'];
const ADMITTED = [200, undefined];

describe.skipIf(certificates === undefined)('a session', () => {
  let identity: SessionIssuer;
  let server: TestServer;
  const authorities = getCACertificates('default');
  beforeAll(async () => {
    assert(certificates !== undefined);
    setDefaultCACertificates([...authorities, certificates.authority]);
    identity = await serveSessionIssuer(certificates);
    server = await startServer({
      environment: {
        PUBLIC_URL: OWN,
        IDENTITY_ISSUER: identity.issuer,
        STUDIO_SESSION_MODULE: 'https://id.example.com/session.js',
        ALLOWED_ORIGINS: PAGE,
        RATE_LIMIT: '0',
      },
      studio: { page: '', assets: new Map(), connectScript: 'lead-abc.js' },
    });
  });
  afterAll(async () => {
    await server.close();
    await identity.close();
    setDefaultCACertificates(authorities);
  });

  /** Sends any headers, repeated ones too. @returns the status, and the detail up to the end of its first sentence */
  async function present(
    claims: object,
    headers: Headers,
    { path = ROUTE, method = 'GET', body = '' } = {},
  ): Promise<unknown[]> {
    const token = await identity.sign({ o: { id: 'acme' }, ...claims });
    const sent = sendRaw(`${server.address}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
    });
    sent.end(body);
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    const answer = await text(response);
    const isProblem = response.headers['content-type']?.includes('problem+json') === true;
    const { detail } = (isProblem ? JSON.parse(answer) : {}) as { detail?: string };
    return [response.statusCode, detail?.replace(/(?<=\.) .*/s, '')];
  }

  test.each<[string, { azp?: string }, Headers, unknown[]]>([
    ['of the studio, from the studio', { azp: OWN }, { origin: OWN }, ADMITTED],
    ['of an allowed page, from that page', { azp: PAGE }, { origin: PAGE }, ADMITTED],
    ['of the studio, from an allowed page', { azp: OWN }, { origin: PAGE }, NOT_PRESENTED],
    ['of an allowed page, from the studio', { azp: PAGE }, { origin: OWN }, NOT_PRESENTED],
    ['of an allowed page, from a program', { azp: PAGE }, {}, NOT_PRESENTED],
    ['of the studio, from a program', { azp: OWN }, {}, NOT_PRESENTED],
    ['of a page that is not allowed', { azp: OTHER }, { origin: PAGE }, WRONG_PAGE],
    ['of a page that is not allowed, from a program', { azp: OTHER }, {}, WRONG_PAGE],
    ['of no page', {}, { origin: OWN }, WRONG_PAGE],
    ['of the studio with a final slash', { azp: `${OWN}/` }, { origin: OWN }, WRONG_PAGE],
    ['from a page that is not allowed', { azp: OTHER }, { origin: OTHER }, WRONG_ORIGIN],
    ['from a page without an origin', { azp: OWN }, { origin: 'null' }, WRONG_ORIGIN],
    ['with two origins', { azp: OWN }, { origin: [OWN, OWN] }, WRONG_ORIGIN],
  ])('%s', async (_name, claims, headers, expected) => {
    expect(await present(claims, headers)).toEqual(expected);
  });

  test.each<[string, string, Headers, unknown[]]>([
    ['same-origin', OWN, { 'sec-fetch-site': 'same-origin' }, ADMITTED],
    ['same-origin, for an allowed page', PAGE, { 'sec-fetch-site': 'same-origin' }, NOT_PRESENTED],
    ['same-origin with another Origin', OWN, { 'sec-fetch-site': 'same-origin', origin: PAGE }, NOT_PRESENTED],
    ['same-origin in other letters', OWN, { 'sec-fetch-site': 'Same-Origin' }, NOT_PRESENTED],
    ['same-origin twice', OWN, { 'sec-fetch-site': ['same-origin', 'same-origin'] }, NOT_PRESENTED],
    ['none', OWN, { 'sec-fetch-site': 'none' }, NOT_PRESENTED],
    ['nothing', OWN, { 'sec-fetch-site': '' }, NOT_PRESENTED],
    ['same-site', OWN, { 'sec-fetch-site': 'same-site' }, OTHER_SITE],
    ['cross-site', OWN, { 'sec-fetch-site': 'cross-site' }, OTHER_SITE],
    ['same-site with the Origin', OWN, { 'sec-fetch-site': 'same-site', origin: OWN }, ADMITTED],
  ])('with the Sec-Fetch-Site %s', async (_name, azp, headers, expected) => {
    expect(await present({ azp }, headers)).toEqual(expected);
  });

  test('is accepted from its page alone on MCP endpoints too', async () => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
    const ping = { path: '/mcp', method: 'POST', body };
    const accept = 'application/json, text/event-stream';
    expect(await present({ azp: PAGE }, { accept, origin: PAGE }, ping)).toEqual(ADMITTED);
    expect(await present({ azp: PAGE }, { accept }, ping)).toEqual(NOT_PRESENTED);
    expect(await present({ azp: PAGE }, { accept, origin: OWN }, ping)).toEqual(NOT_PRESENTED);
  });

  test('has every permission in its own org, whatever else it contains, and none in another', async () => {
    const created = { path: ROUTE, method: 'POST', body: JSON.stringify({ playbook: 'desk', name: 'Desk' }) };
    const claims = { azp: OWN, org_id: 'globex', scope: '', o: { id: 'acme', rol: 'none', per: '' } };
    expect(await present(claims, { origin: OWN }, created)).toEqual([201, undefined]);
    const [status] = await present(claims, { origin: OWN }, { path: '/v1/orgs/globex/playbooks' });
    expect(status).toBe(403);
  });

  test('is what the connect page asks for: in the studio, or in words without JavaScript', async () => {
    const response = await fetch(`${server.address}/connect?org=acme&connection=a&token=canary`);
    const page = await response.text();
    expect(page).toContain('src="/assets/lead-abc.js"');
    expect(page).toContain('Only the person who added the connection can approve it');
    expect(page).not.toMatch(/canary|STUDIO_SESSION_MODULE|<form/);
    const posted = await fetch(`${server.address}/connect`, { method: 'POST', body: 'org=acme' });
    expect(posted.status).toBe(405);
  });
});
