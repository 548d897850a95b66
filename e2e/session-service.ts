// An identity service that issues sessions to pages, with its browser SDK. People sign in under any name, in a dialog that
// the SDK shows on the page.
import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { serveSessionIssuer } from '../server/domain/access/session-issuer.testing.ts';
import type { Certificates } from '../server/test/index.ts';

export interface SessionService {
  issuer: string;
  /** Where it serves the session module of the documentation. */
  module: string;
  sign: (claims: object) => Promise<string>;
  /** Lets everybody's tokens be expired ones until they sign in again. */
  expire: () => void;
  close: () => Promise<void>;
}

/** What the documented module imports: `createClient`. */
const SDK = `
const ask = (path, init) => fetch(new URL(path, import.meta.url), { method: 'POST', credentials: 'include', ...init });

export async function createClient() {
  return {
    async getToken() {
      const answer = await ask('/token');
      return answer.ok ? answer.text() : null;
    },
    openSignIn() {
      const dialog = document.createElement('dialog');
      dialog.innerHTML = '<form><label>Name <input autofocus></label></form>';
      document.body.append(dialog);
      dialog.showModal();
      return new Promise((resolve) => {
        dialog.addEventListener('submit', async (event) => {
          event.preventDefault();
          await ask('/sign-in', { body: dialog.querySelector('input').value });
          dialog.remove();
          resolve();
        });
      });
    },
    signOut: () => ask('/sign-out'),
  };
}
`;

/** The session module as the documentation shows it. */
function documentedModule(): string {
  const page = readFileSync(new URL('../docs/teams.md', import.meta.url), 'utf8');
  const [, section = ''] = page.split('### Session module');
  const found = /```js\n(.*?)```/s.exec(section)?.[1];
  if (found === undefined) throw new Error('docs/teams.md shows no session module.');
  return found;
}

export async function serveSessions(certificates: Certificates): Promise<SessionService> {
  const scripts: Readonly<Record<string, string>> = { '/session.js': documentedModule(), '/sdk.js': SDK };
  let hasExpired = false;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { url = '', headers } = request;
    const { origin = '', cookie = '' } = headers;
    const [, person] = /person=(\w+)/.exec(cookie) ?? [];
    response.setHeader('access-control-allow-origin', origin).setHeader('access-control-allow-credentials', 'true');
    const script = scripts[url];
    if (script !== undefined) response.setHeader('content-type', 'text/javascript').end(script);
    else if (url === '/sign-in') {
      hasExpired = false;
      response.setHeader('set-cookie', `person=${await text(request)}; Secure; HttpOnly; SameSite=Lax`).end();
    } else if (url === '/sign-out') response.setHeader('set-cookie', 'person=; Max-Age=0').end();
    else if (url === '/token' && person !== undefined) {
      // Longer ago than the leeway of servers.
      const exp = Math.floor(Date.now() / 1000) + (hasExpired ? -120 : 300);
      response.end(await issuer.sign({ sub: person, azp: origin, o: { id: 'acme' }, exp }));
    } else response.writeHead(401).end();
  }

  const issuer = await serveSessionIssuer(certificates, (request, response) => void answer(request, response));
  return {
    ...issuer,
    module: `${issuer.issuer}/session.js`,
    expire: () => void (hasExpired = true),
  };
}
