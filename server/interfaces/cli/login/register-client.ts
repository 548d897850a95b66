// Registers the command line as a client of an identity service (RFC 7591).
import {
  type AuthorizationServer,
  type Client,
  dynamicClientRegistrationRequest,
  processDynamicClientRegistrationResponse,
} from 'oauth4webapi';
import { misused } from '../failure.ts';
import { BOUNDED } from './identity-service.ts';

/** The client that the command line registers, or that a person registers if the service does not permit it. */
export interface ClientNeeds {
  grant: 'authorization_code' | 'urn:ietf:params:oauth:grant-type:device_code';
  redirects: readonly string[];
  /** Continues "Register a public client there with". */
  words: string;
}

/** @throws CommandFailure if clients cannot register themselves */
export async function registerClient(
  service: AuthorizationServer,
  { grant, redirects, words }: ClientNeeds,
): Promise<Client> {
  if (service.registration_endpoint === undefined) {
    throw misused(
      `The identity service ${service.issuer} does not let clients register themselves. Register a public client there with ${words}, and name it with --client-id.`,
    );
  }
  const metadata = {
    client_name: 'Cuebook command line',
    application_type: 'native',
    redirect_uris: [...redirects],
    grant_types: [grant, 'refresh_token'],
    response_types: grant === 'authorization_code' ? ['code'] : [],
    token_endpoint_auth_method: 'none',
  };
  return processDynamicClientRegistrationResponse(await dynamicClientRegistrationRequest(service, metadata, BOUNDED));
}
