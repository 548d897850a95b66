// Whether the playbook that an agent is to be connected to is there, before its client meets a refusal that it may not show.
import { listProvidersWithKeys } from '../../domain/models/index.ts';
import { LOCAL_ORG } from '../../../shared/product.ts';
import { nearestName } from '../../../shared/nearest-name.ts';
import { activeIds } from '../../domain/playbooks/index.ts';
import { readUnopenedDatabase } from '../../kernel/log/index.ts';
import { readDataDir, readSettings } from '../../settings/index.ts';
import { type AttachOptions, originOf } from './attach.ts';
import { type Client, createClient, ServiceRefusal } from './client.ts';
import { CommandFailure, EXIT } from './failure.ts';
import { findLiving } from './runtime-file.ts';

export interface NamedPlaybook {
  org?: string | undefined;
  playbook: string;
}

/**
 * Refuses what the endpoint would refuse for certain, in words: the protocol's own client says only that it got no answer.
 * @throws CommandFailure
 */
export async function refuseEarly(
  client: Client,
  { org = LOCAL_ORG, playbook }: { org?: string | undefined; playbook?: string | undefined },
): Promise<void> {
  try {
    if (playbook === undefined) await client.call('list_playbooks', { org });
    else await requirePlaybook(client, { org, playbook });
  } catch (error) {
    const isUnknownCaller = error instanceof ServiceRefusal && error.problem['status'] === 401;
    const isNotThere = error instanceof CommandFailure && error.exitCode === EXIT.misused;
    if (isUnknownCaller || isNotThere) throw error;
  }
}

/** @throws CommandFailure where the service does not know the playbook, or does not show it */
async function requirePlaybook(client: Client, { org = LOCAL_ORG, playbook }: NamedPlaybook): Promise<void> {
  try {
    await client.call('get_playbook', { org, playbook });
  } catch (error) {
    if (!(error instanceof ServiceRefusal) || error.problem['status'] !== 404) throw error;
    const known = await client.call('list_playbooks', { org }).catch(() => undefined);
    const ids = (known?.playbooks ?? []).map(({ id }) => id);
    throw noPlaybook(org, playbook, ids);
  }
}

/**
 * Looks for the playbook wherever it can be looked for without starting a runtime.
 * @returns why nobody can say whether it is there; undefined where it is
 * @throws CommandFailure where it is not
 */
export async function lookForPlaybook(options: AttachOptions, named: NamedPlaybook): Promise<string | undefined> {
  const { org = LOCAL_ORG, playbook } = named;
  if (options.server !== undefined) {
    return doubt(requirePlaybook(createClient(originOf(options.server), process.env['CUEBOOK_KEY']), named), playbook);
  }
  const dataDir = readDataDir(process.env, options);
  const living = await findLiving(dataDir);
  if (living !== undefined) return doubt(requirePlaybook(createClient(living.address, undefined), named), playbook);
  const known = idsIn(readSettings(process.env, { dataDir }, listProvidersWithKeys).databaseFile, org);
  if (known === undefined) return `There is no playbook in ${dataDir} yet; make ${playbook} before the agent starts.`;
  if (!known.includes(playbook)) throw noPlaybook(org, playbook, known);
  return undefined;
}

/** What cannot be asked is a doubt; what is not there is a failure. */
async function doubt(asked: Promise<void>, playbook: string): Promise<string | undefined> {
  try {
    await asked;
    return undefined;
  } catch (error) {
    if (!(error instanceof CommandFailure) || error.exitCode === EXIT.misused) throw error;
    return `Whether the playbook ${playbook} is there could not be asked. ${error.message}`;
  }
}

/** The playbooks of the org that are not retired; undefined where the database is not there or is none. */
function idsIn(file: string, org: string): string[] | undefined {
  try {
    return readUnopenedDatabase(file, (rows) => activeIds(rows, org));
  } catch {
    return undefined;
  }
}

function noPlaybook(org: string, playbook: string, known: readonly string[]): CommandFailure {
  const near = nearestName(playbook, known);
  const shown = known.length === 0 ? 'none yet' : known.slice(0, 12).join(', ');
  const hint = near === undefined ? `It has ${shown}.` : `Did you mean ${near}?`;
  return new CommandFailure(`The org ${org} has no playbook ${playbook}. ${hint}`, EXIT.misused);
}
