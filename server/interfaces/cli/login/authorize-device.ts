// The device authorization grant (RFC 8628): the person signs in on any device, with a code that the command prints.
import { setTimeout as wait } from 'node:timers/promises';
import {
  type AuthorizationServer,
  calculatePKCECodeChallenge,
  type Client,
  deviceAuthorizationRequest,
  type DeviceAuthorizationResponse,
  deviceCodeGrantRequest,
  generateRandomCodeVerifier,
  None,
  processDeviceAuthorizationResponse,
  processDeviceCodeResponse,
  ResponseBodyError,
  type TokenEndpointResponse,
} from 'oauth4webapi';
import { type CommandFailure, failed } from '../failure.ts';
import { progress } from '../output.ts';
import { BOUNDED, isUnreachable, reasonOf, type SignIn } from './identity-service.ts';
import { registerClient } from './register-client.ts';

const GRANT = 'urn:ietf:params:oauth:grant-type:device_code';
/** Seconds between two polls, unless the identity service names them; and what `slow_down` adds (section 3.5). */
const INTERVAL = 5;

/**
 * @param clientId absent: the client registers itself
 * @param signal aborted when the person cancels
 * @throws CommandFailure, an AbortError, or an error of the library
 */
export async function authorizeDevice(
  { service, resource, scope }: SignIn,
  clientId: string | undefined,
  signal: AbortSignal,
): Promise<{ clientId: string; tokens: TokenEndpointResponse }> {
  const words = 'the device authorization grant';
  const client =
    clientId === undefined
      ? await registerClient(service, { grant: GRANT, redirects: [], words })
      : { client_id: clientId };
  // The grant itself has no PKCE (RFC 7636), but some identity services require it of a client in every grant.
  const verifier = generateRandomCodeVerifier();
  const challenge = { code_challenge: await calculatePKCECodeChallenge(verifier), code_challenge_method: 'S256' };
  const started = await startOn(service, client, { scope, resource, ...challenge });
  progress(wordsOf(service, started));
  const expiresAt = Date.now() + started.expires_in * 1000;
  for (let interval = started.interval ?? INTERVAL; ; ) {
    // oxlint-disable-next-line no-await-in-loop -- each poll waits for the one before
    await wait(interval * 1000, undefined, { signal });
    if (Date.now() > expiresAt) throw expired();
    try {
      const response = await deviceCodeGrantRequest(service, client, None(), started.device_code, {
        ...BOUNDED,
        additionalParameters: { resource, code_verifier: verifier },
      });
      return { clientId: client.client_id, tokens: await processDeviceCodeResponse(service, client, response) };
    } catch (error) {
      interval = intervalAfter(error, interval);
    }
  }
}

async function startOn(
  service: AuthorizationServer,
  client: Client,
  asked: Record<string, string>,
): Promise<DeviceAuthorizationResponse> {
  try {
    return await processDeviceAuthorizationResponse(
      service,
      client,
      await deviceAuthorizationRequest(service, client, None(), asked, BOUNDED),
    );
  } catch (error) {
    if (!(error instanceof ResponseBodyError)) throw error;
    throw failed(
      `The identity service ${service.issuer} issued no code: ${reasonOf(error)}. If the client ${client.client_id} may not use the device authorization grant there, permit it, or sign in in a browser on this machine with --browser.`,
    );
  }
}

/** @throws CommandFailure unless the person can open the page over https */
function wordsOf(
  { issuer }: AuthorizationServer,
  {
    verification_uri: page,
    verification_uri_complete: complete,
    user_code: code,
    expires_in: seconds,
  }: DeviceAuthorizationResponse,
): string {
  const isSafe = (address: string): boolean => URL.parse(address)?.protocol === 'https:';
  if (!isSafe(page)) {
    throw failed(`The identity service ${issuer} names no https verification_uri, so nobody can sign in there.`);
  }
  const minutes = Math.max(1, Math.round(seconds / 60));
  return [
    `To sign in, open ${page} on any device and enter the code ${code}.`,
    ...(complete !== undefined && isSafe(complete) ? [`Or open ${complete} and check that it shows that code.`] : []),
    `Waiting for the sign-in. The code expires in ${minutes === 1 ? '1 minute' : `${minutes} minutes`}. Press Ctrl-C to cancel.`,
  ].join('\n');
}

/**
 * Seconds until the next poll after one that failed.
 * @throws CommandFailure, or the error itself, if polling ends with it
 */
export function intervalAfter(error: unknown, interval: number): number {
  if (!(error instanceof ResponseBodyError)) {
    // Poll less often (section 3.5).
    if (isUnreachable(error)) return interval * 2;
    throw error;
  }
  switch (error.error) {
    case 'authorization_pending':
      return interval;
    case 'slow_down':
      return interval + INTERVAL;
    case 'access_denied':
      throw failed('The sign-in was refused at the identity service.');
    case 'expired_token':
      throw expired();
    default:
      throw error;
  }
}

function expired(): CommandFailure {
  return failed('The code expired before anyone signed in with it. Run the command again.');
}
