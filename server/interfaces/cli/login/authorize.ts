// Authorization code with PKCE (RFC 7636), with the browser of this machine and a loopback port (RFC 8252).
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  authorizationCodeGrantRequest,
  type AuthorizationServer,
  calculatePKCECodeChallenge,
  type Client,
  generateRandomCodeVerifier,
  generateRandomState,
  None,
  processAuthorizationCodeResponse,
  type TokenEndpointResponse,
  validateAuthResponse,
} from 'oauth4webapi';
import { failed } from '../failure.ts';
import { progress } from '../output.ts';
import { BOUNDED, type SignIn } from './identity-service.ts';
import { type ClientNeeds, registerClient } from './register-client.ts';

const CALLBACK = '/callback';
/** Milliseconds in which the person must sign in. */
const PATIENCE = 10 * 60_000;

/**
 * @param clientId absent: the client registers itself
 * @param signal aborted when the person cancels
 * @throws CommandFailure, the reason of the signal, or an error of the library
 */
export async function authorize(
  { service, resource, scope }: SignIn,
  clientId: string | undefined,
  signal: AbortSignal,
): Promise<{ clientId: string; tokens: TokenEndpointResponse }> {
  const page = signInPage(service);
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const redirect = `http://127.0.0.1:${(server.address() as AddressInfo).port}${CALLBACK}`;
    const client: Client =
      clientId === undefined ? await registerClient(service, needs(redirect)) : { client_id: clientId };
    const [verifier, state] = [generateRandomCodeVerifier(), generateRandomState()];
    const parameters = {
      client_id: client.client_id,
      redirect_uri: redirect,
      response_type: 'code',
      scope,
      resource,
      state,
      code_challenge: await calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    };
    for (const [name, value] of Object.entries(parameters)) page.searchParams.set(name, value);
    const returning = nextCallback(server, state, signal);
    progress(`Sign in in your browser. If it does not open, visit ${page.href}`);
    openBrowser(page.href);
    const returned = validateAuthResponse(service, client, await returning, state);
    const response = await authorizationCodeGrantRequest(service, client, None(), returned, redirect, verifier, {
      ...BOUNDED,
      additionalParameters: { resource },
    });
    return { clientId: client.client_id, tokens: await processAuthorizationCodeResponse(service, client, response) };
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

/**
 * Where the person signs in. Only https: the operating system opens the address, and starts a program for a file.
 * @throws CommandFailure
 */
function signInPage({ issuer, authorization_endpoint: written = '' }: AuthorizationServer): URL {
  const page = URL.parse(written);
  if (page?.protocol === 'https:') return page;
  const words = `The metadata of the identity service ${issuer} names no https authorization_endpoint, so nobody can sign in there.`;
  throw failed(words);
}

function needs(redirect: string): ClientNeeds {
  const words = `the redirect address http://127.0.0.1${CALLBACK}`;
  return { grant: 'authorization_code', redirects: [redirect], words };
}

/** The parameters that the browser brings back. Requests with another state are ignored. */
async function nextCallback(
  server: ReturnType<typeof createServer>,
  state: string,
  signal: AbortSignal,
): Promise<URLSearchParams> {
  const { promise, resolve, reject } = Promise.withResolvers<URLSearchParams>();
  const late = setTimeout(
    () => reject(failed('Nobody signed in within ten minutes. Run the command again.')),
    PATIENCE,
  );
  signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  server.on('request', ({ url = '/' }: IncomingMessage, response: ServerResponse) => {
    const { pathname, searchParams } = new URL(url, 'http://127.0.0.1');
    const isOurs = pathname === CALLBACK && searchParams.get('state') === state;
    response.writeHead(isOurs ? 200 : 404, { 'content-type': 'text/plain; charset=utf-8', connection: 'close' });
    response.end(isOurs ? 'You can close this page and return to the terminal.\n' : 'Not found.\n', () => {
      if (isOurs) resolve(searchParams);
    });
  });
  return promise.finally(() => clearTimeout(late));
}

function openBrowser(address: string): void {
  const [command, ...args] =
    process.platform === 'darwin'
      ? ['open']
      : process.platform === 'win32'
        ? ['rundll32', 'url.dll,FileProtocolHandler']
        : ['xdg-open'];
  const child = spawn(command, [...args, address], { stdio: 'ignore', detached: true });
  // Without a browser, the person opens the address that was printed.
  child.on('error', () => {});
  child.unref();
}
