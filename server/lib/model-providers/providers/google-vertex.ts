import type { GoogleAuth } from 'google-auth-library';
import {
  clientOptions,
  type ModelProviderDescription,
  type ProviderSettings,
  withoutUndefined,
} from '../describe-provider.ts';
import { GEMINI_TOOLS } from '../tool-rules.ts';

export const googleVertex: ModelProviderDescription = {
  id: 'google-vertex',
  name: 'Google Vertex AI',
  variables: {
    configuring: ['GOOGLE_VERTEX_API_KEY', 'GOOGLE_VERTEX_PROJECT'],
    others: ['GOOGLE_VERTEX_LOCATION', 'GOOGLE_APPLICATION_CREDENTIALS'],
    plain: ['GOOGLE_VERTEX_PROJECT', 'GOOGLE_VERTEX_LOCATION', 'GOOGLE_APPLICATION_CREDENTIALS'],
  },
  missing({ variables: { GOOGLE_VERTEX_API_KEY: key, GOOGLE_VERTEX_LOCATION: location } }) {
    return key === undefined && location === undefined
      ? { variable: 'GOOGLE_VERTEX_LOCATION', isCredential: false }
      : undefined;
  },
  packages: ['@ai-sdk/google-vertex', 'google-auth-library'],
  async load(settings, model, { fetch }) {
    const { createGoogleVertex } = await import('@ai-sdk/google-vertex');
    const { GOOGLE_VERTEX_API_KEY: apiKey, ...variables } = settings.variables;
    return createGoogleVertex({
      ...clientOptions(settings, fetch),
      ...withoutUndefined({
        apiKey,
        project: variables['GOOGLE_VERTEX_PROJECT'],
        location: variables['GOOGLE_VERTEX_LOCATION'],
      }),
      ...(apiKey === undefined ? { googleAuthOptions: { authClient: await clientOf(settings) } } : {}),
    })(model);
  },
  optionNames: ['vertex', 'googleVertex', 'google'],
  tools: GEMINI_TOOLS,
};

type GoogleClient = Awaited<ReturnType<GoogleAuth['getClient']>>;

/** Each keeps a token until it expires. */
const clients = new WeakMap<ProviderSettings, GoogleClient>();

/** Google's application default credentials. */
async function clientOf(settings: ProviderSettings): Promise<GoogleClient> {
  const known = clients.get(settings);
  if (known !== undefined) return known;
  const { GoogleAuth } = await import('google-auth-library');
  const { variables } = settings;
  const auth = new GoogleAuth({
    scopes: ['https://www.googleapis.com/auth/cloud-platform'],
    ...withoutUndefined({
      projectId: variables['GOOGLE_VERTEX_PROJECT'],
      keyFilename: variables['GOOGLE_APPLICATION_CREDENTIALS'],
    }),
  });
  const client = await auth.getClient();
  clients.set(settings, client);
  return client;
}
