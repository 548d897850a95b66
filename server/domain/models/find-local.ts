// Finds servers of local models: each address is asked for its list of models, and nothing is sent to it.
import type { JsonObject } from '../../../shared/json.ts';
import { isJsonObject, memberOf } from '../../../shared/json.ts';
import type { LocalModelServer } from '../../../shared/schemas/index.ts';
import type { HttpClient } from '../../lib/http-client/index.ts';
import type { ModelSettings } from '../../settings/index.ts';

const DEADLINE_MS = 1500;
const MOST_BYTES = 256 * 1024;
const MOST_MODELS = 100;
const MOST_ID = 256;

/** The servers that answer, in the order of the settings. */
export async function findLocalModels(client: HttpClient, settings: ModelSettings): Promise<LocalModelServer[]> {
  const found = await Promise.all(settings.localServers.map((address) => lookAt(client, address, settings)));
  return found.filter((one) => one !== undefined);
}

async function lookAt(
  client: HttpClient,
  address: string,
  { providers }: ModelSettings,
): Promise<LocalModelServer | undefined> {
  const listed = await read(client, `${address}/models`);
  const entries = memberOf(listed, 'data');
  if (!Array.isArray(entries)) return undefined;
  const product = await productAt(client, new URL(address).origin);
  const models = entries
    .map((entry) => memberOf(entry, 'id'))
    .filter((id): id is string => typeof id === 'string' && id !== '' && id.length <= MOST_ID)
    .slice(0, MOST_MODELS);
  const known = providers.find((one) => one.kind === 'gateway' && one.baseUrl === address);
  return {
    base_url: address,
    product,
    models,
    ...(known === undefined ? {} : { gateway: known.prefix }),
  };
}

/** Which product it is, as its own interface shows. */
async function productAt(client: HttpClient, origin: string): Promise<LocalModelServer['product']> {
  const [ollama, studio] = await Promise.all([
    read(client, `${origin}/api/version`),
    read(client, `${origin}/api/v0/models`),
  ]);
  if (typeof memberOf(ollama, 'version') === 'string') return 'Ollama';
  return Array.isArray(memberOf(studio, 'data')) ? 'LM Studio' : 'other';
}

async function read(client: HttpClient, address: string): Promise<JsonObject | undefined> {
  const answer = await client.send(
    { method: 'GET', url: new URL(address), headers: { accept: 'application/json' } },
    { deadline: DEADLINE_MS, maxBytes: MOST_BYTES },
  );
  if (answer.kind !== 'response' || answer.status !== 200) return undefined;
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(answer.body));
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
