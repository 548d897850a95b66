// Playbooks: their creation, update and retirement are facts of the stream `playbook`, which no list of events shows.
import type { Playbook } from '../../../shared/schemas/index.ts';
import { conflict, notFound } from '../../lib/rejection.ts';
import {
  type EventLog,
  type PlaybookKey,
  type Projection,
  type ReadTransaction,
  type StoredEvent,
  UniqueViolation,
  type WriteTransaction,
} from '../../kernel/log/index.ts';
import { insertPlaybook, retirePlaybookRow, selectPlaybook, selectPlaybooks, updatePlaybookRow } from './sql.ts';

const STREAM = 'playbook';

interface PlaybookTexts {
  name: string;
  description: string;
}

export const playbookProjection: Projection = {
  tables: ['playbooks'],
  apply(tx, event) {
    const { at, by } = event.metadata;
    switch (event.type) {
      case 'playbook_created':
        return insertPlaybook(tx, event.org, {
          id: event.playbook,
          ...named(event),
          status: 'active',
          created_at: at,
          created_by: by,
          updated_at: at,
        });
      case 'playbook_updated':
        return updatePlaybookRow(tx, event, { ...named(event), at });
      case 'playbook_retired':
        return retirePlaybookRow(tx, event, at);
      default:
        return undefined;
    }
  },
};

function named({ data }: StoredEvent): PlaybookTexts {
  return { name: String(data['name']), description: String(data['description']) };
}

/** The playbook, retired or not. @throws Refused `not_found` */
export async function requirePlaybook(tx: ReadTransaction, playbookKey: PlaybookKey): Promise<Playbook> {
  const playbook = await selectPlaybook(tx, playbookKey);
  if (playbook === undefined) {
    throw notFound(
      `The org ${playbookKey.org} has no playbook ${playbookKey.playbook.slice(0, 100)}. Use the id of one in its list of playbooks.`,
    );
  }
  return playbook;
}

/** The playbook, for a command inside it. @throws Refused `not_found`, or `conflict` kind `retired` */
export async function requireActivePlaybook(tx: ReadTransaction, playbookKey: PlaybookKey): Promise<Playbook> {
  const playbook = await requirePlaybook(tx, playbookKey);
  if (playbook.status === 'retired') {
    throw conflict(
      `The playbook ${playbookKey.playbook} is retired and accepts no commands; it can still be read.`,
      'retired',
    );
  }
  return playbook;
}

export interface Playbooks {
  create(playbookKey: PlaybookKey, playbook: PlaybookTexts, by: string): Promise<Playbook>;
  list(org: string): Promise<Playbook[]>;
  get(playbookKey: PlaybookKey): Promise<Playbook>;
  /** @throws Refused `not_found`, or `conflict` kind `retired` */
  refuseInactive(playbookKey: PlaybookKey): Promise<void>;
  /** @throws Refused `conflict` kind `retired`; an absent playbook passes */
  refuseRetired(playbookKey: PlaybookKey): Promise<void>;
  /** @throws Refused `not_found` */
  refuseUnknown(playbookKey: PlaybookKey): Promise<void>;
  exists(playbookKey: PlaybookKey): Promise<boolean>;
  update(playbookKey: PlaybookKey, change: PlaybookTexts, by: string): Promise<Playbook>;
  retire(playbookKey: PlaybookKey, by: string): Promise<Playbook>;
  /** Like `create` and `update`, in the caller's transaction. */
  createIn(tx: WriteTransaction, playbookKey: PlaybookKey, playbook: PlaybookTexts, by: string): Promise<Playbook>;
  updateIn(tx: WriteTransaction, playbookKey: PlaybookKey, change: PlaybookTexts, by: string): Promise<Playbook>;
}

/** What follows when a playbook is retired, in the same transaction. */
export type PlaybookRetired = (tx: WriteTransaction, playbookKey: PlaybookKey, by: string) => Promise<void>;

export function createPlaybooks(log: EventLog, retired: PlaybookRetired): Playbooks {
  async function record(
    tx: WriteTransaction,
    playbookKey: PlaybookKey,
    type: string,
    data: PlaybookTexts | null,
    by: string,
  ) {
    await log.append(tx, {
      ...playbookKey,
      stream: STREAM,
      listed: false,
      events: [{ type, data: data === null ? {} : { ...data }, metadata: { by } }],
    });
    return requirePlaybook(tx, playbookKey);
  }

  const createIn: Playbooks['createIn'] = (tx, playbookKey, playbook, by) =>
    record(tx, playbookKey, 'playbook_created', trimmed(playbook), by);

  const updateIn: Playbooks['updateIn'] = async (tx, playbookKey, change, by) => {
    const playbook = await requireActivePlaybook(tx, playbookKey);
    const next = trimmed(change);
    if (next.name === playbook.name && next.description === playbook.description) return playbook;
    return record(tx, playbookKey, 'playbook_updated', next, by);
  };

  return {
    createIn,
    updateIn,
    async create(playbookKey, playbook, by) {
      try {
        return await log.write(playbookKey, (tx) => createIn(tx, playbookKey, playbook, by));
      } catch (error) {
        if (!(error instanceof UniqueViolation)) throw error;
        throw conflict(
          `The org ${playbookKey.org} uses or has used the id ${playbookKey.playbook}; choose another id.`,
        );
      }
    },
    list: (org) => log.read((tx) => selectPlaybooks(tx, org)),
    get: (playbookKey) => log.read((tx) => requirePlaybook(tx, playbookKey)),
    refuseInactive: async (playbookKey) => {
      await log.read((tx) => requireActivePlaybook(tx, playbookKey));
    },
    refuseRetired: async (playbookKey) => {
      await log.read(async (tx) => {
        if ((await selectPlaybook(tx, playbookKey)) !== undefined) await requireActivePlaybook(tx, playbookKey);
      });
    },
    exists: (playbookKey) => log.read(async (tx) => (await selectPlaybook(tx, playbookKey)) !== undefined),
    refuseUnknown: async (playbookKey) => {
      await log.read((tx) => requirePlaybook(tx, playbookKey));
    },
    update: (playbookKey, change, by) => log.write(playbookKey, (tx) => updateIn(tx, playbookKey, change, by)),
    retire: (playbookKey, by) =>
      log.write(playbookKey, async (tx) => {
        const playbook = await requirePlaybook(tx, playbookKey);
        if (playbook.status === 'retired') return playbook;
        const after = await record(tx, playbookKey, 'playbook_retired', null, by);
        await retired(tx, playbookKey, by);
        return after;
      }),
  };
}

function trimmed({ name, description }: PlaybookTexts): PlaybookTexts {
  return { name: name.trim(), description: description.trim() };
}
