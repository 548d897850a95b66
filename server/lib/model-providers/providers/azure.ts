import { clientOptions, type ModelProviderDescription, withoutUndefined } from '../describe-provider.ts';
import { OPENAI_TOOLS } from '../tool-rules.ts';

const PLAIN = ['AZURE_RESOURCE_NAME', 'AZURE_TENANT_ID', 'AZURE_CLIENT_ID', 'AZURE_AUTHORITY_HOST'];

export const azure: ModelProviderDescription = {
  id: 'azure',
  name: 'Azure',
  variables: { configuring: ['AZURE_API_KEY', 'AZURE_CLIENT_SECRET'], others: PLAIN, plain: PLAIN },
  /** The client's secret is sent to the authority, which is another one in sovereign clouds. */
  refuses({ AZURE_AUTHORITY_HOST: authority }) {
    if (authority === undefined) return undefined;
    const url = URL.parse(authority);
    const isLoopback = url?.protocol === 'http:' && ['127.0.0.1', '[::1]', 'localhost'].includes(url.hostname);
    const isPlain = url?.username === '' && url.password === '' && url.search === '' && url.hash === '';
    if (isPlain && (url.protocol === 'https:' || isLoopback)) return undefined;
    return 'AZURE_AUTHORITY_HOST is not an https URL; write one such as https://login.microsoftonline.us.';
  },
  missing({ variables, baseUrl }) {
    const isUnset = (name: string): boolean => variables[name] === undefined;
    if (baseUrl === undefined && isUnset('AZURE_RESOURCE_NAME')) {
      return { variable: 'AZURE_RESOURCE_NAME', isCredential: false };
    }
    if (!isUnset('AZURE_API_KEY')) return undefined;
    const variable = ['AZURE_TENANT_ID', 'AZURE_CLIENT_ID'].find(isUnset);
    return variable === undefined ? undefined : { variable, isCredential: true };
  },
  async load(settings, model, { fetch, accessToken }) {
    const { createAzure } = await import('@ai-sdk/azure');
    const { AZURE_API_KEY: apiKey, AZURE_RESOURCE_NAME: resourceName } = settings.variables;
    return createAzure({
      ...clientOptions(settings, fetch),
      ...withoutUndefined({ resourceName }),
      // The SDK takes one of the two alone.
      ...(apiKey === undefined ? { tokenProvider: accessToken } : { apiKey }),
    })(model);
  },
  options: { strictJsonSchema: false },
  optionNames: ['azure', 'openai'],
  tools: OPENAI_TOOLS,
  errorCodes: {
    ResponsibleAIPolicyViolation: 'refused',
    DeploymentNotFound: 'model_unknown',
    OperationNotSupported: 'model_unsuited',
  },
};
