// Checks that a playbook exists before an agent connects to it: an MCP client may not show the server's error.
import { LOCAL_ORG } from '../../../shared/product.ts';
import { nearestName } from '../../../shared/nearest-name.ts';
import { activeIds } from '../../domain/playbooks/index.ts';
import { readUnopenedDatabase } from '../../kernel/log/index.ts';
import { openSettings, readDataDir } from '../../settings/index.ts';
import { type ClientOptions, connectTo } from './attach.ts';
import { type Credential, environmentKey, presentedAs } from './credential.ts';
import { type Client, createClient, type NamedPlaybook, ServiceRefusal } from './client.ts';
import { CommandFailure, EXIT, misused } from './failure.ts';
import { foreignOrgWords } from './refused-credential.ts';
import { findRuntime } from './runtime-file.ts';

/**
 * Fails with a message if the endpoint would refuse the session: the MCP client library reports only a missing response.
 * @throws CommandFailure
 */
export async function checkEndpoint(
  client: Client,
  credential: Credential,
  { org, playbook }: { org?: string | undefined; playbook?: string | undefined },
): Promise<void> {
  try {
    const caller = await client.call('get_caller', {});
    const presented = presentedAs(await credential());
    const foreign = foreignOrgWords({ server: client.address, presented, org, caller });
    if (foreign !== undefined) throw misused(foreign);
    if (playbook !== undefined) await requirePlaybook(client, { org, playbook });
  } catch (error) {
    const isRefused = error instanceof ServiceRefusal && [401, 403].includes(Number(error.problem['status']));
    const isMisused = error instanceof CommandFailure && error.exitCode === EXIT.misused;
    if (isRefused || isMisused) throw error;
  }
}

/** @throws CommandFailure if the playbook does not exist or the caller may not see it */
async function requirePlaybook(client: Client, { org, playbook }: NamedPlaybook): Promise<void> {
  const { permissions } = await client.call('get_caller', {});
  // A key without `org:read` may not read the playbook, but may list those that it may use; a key that only writes may not.
  if (!permissions.includes('org:read') && !permissions.includes('playbook:read')) return;
  const { playbooks } = await client.call('list_playbooks', { org, include_retired: true });
  if (playbooks.some(({ id }) => id === playbook)) return;
  const known = playbooks.filter(({ status }) => status === 'active').map(({ id }) => id);
  throw noPlaybook(org ?? (await client.org()), playbook, known);
}

/**
 * Looks for the playbook without starting a runtime.
 * @returns why it is unknown whether the playbook exists; undefined if it exists
 * @throws CommandFailure if it does not exist
 */
export async function lookForPlaybook(options: ClientOptions, named: NamedPlaybook): Promise<string | undefined> {
  const { org = LOCAL_ORG, playbook } = named;
  if (options.server !== undefined) {
    return warnIfUnknown(requirePlaybook(connectTo(options.server, options), named), playbook);
  }
  const dataDir = readDataDir(process.env, options);
  const running = await findRuntime(dataDir);
  if (running !== undefined)
    return warnIfUnknown(requirePlaybook(createClient(running.address, environmentKey), named), playbook);
  const { database } = openSettings(process.env, { dataDir });
  if (database.kind === 'postgres')
    return `Could not check that the playbook ${playbook} exists, since no server is running on ${dataDir}.`;
  const known = idsIn(database.file, org);
  if (known === undefined)
    return `There are no playbooks in ${dataDir} yet; create ${playbook} before the agent starts.`;
  if (!known.includes(playbook)) throw noPlaybook(org, playbook, known);
  return undefined;
}

/** Turns a failure to reach the service into a warning; a missing playbook remains a failure. */
async function warnIfUnknown(asked: Promise<void>, playbook: string): Promise<string | undefined> {
  try {
    await asked;
    return undefined;
  } catch (error) {
    if (!(error instanceof CommandFailure) || error.exitCode === EXIT.misused) throw error;
    return `Could not check that the playbook ${playbook} exists. ${error.message}`;
  }
}

/** The active playbooks of the org; undefined if the database does not exist or cannot be read. */
function idsIn(file: string, org: string): string[] | undefined {
  try {
    return readUnopenedDatabase(file, (rows) => activeIds(rows, org));
  } catch {
    return undefined;
  }
}

function noPlaybook(org: string, playbook: string, known: readonly string[]): CommandFailure {
  const near = nearestName(playbook, known);
  const shown = known.length === 0 ? 'It has no playbooks yet.' : `Its playbooks: ${known.slice(0, 12).join(', ')}.`;
  const hint = near === undefined ? shown : `Did you mean ${near}?`;
  return misused(`The org ${org} has no playbook ${playbook}. ${hint}`);
}
