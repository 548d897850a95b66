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
export async function requirePlaybook(tx: ReadTransaction, place: PlaybookKey): Promise<Playbook> {
  const playbook = await selectPlaybook(tx, place);
  if (playbook === undefined) {
    throw notFound(
      `The org ${place.org} has no playbook ${place.playbook.slice(0, 100)}. Use the id of one in its list of playbooks.`,
    );
  }
  return playbook;
}

/** The playbook, for a command inside it. @throws Refused `not_found`, or `conflict` kind `retired` */
export async function requireActivePlaybook(tx: ReadTransaction, place: PlaybookKey): Promise<Playbook> {
  const playbook = await requirePlaybook(tx, place);
  if (playbook.status === 'retired') {
    throw conflict(
      `The playbook ${place.playbook} is retired and accepts no commands; it can still be read.`,
      'retired',
    );
  }
  return playbook;
}

export interface Playbooks {
  create(place: PlaybookKey, playbook: PlaybookTexts, by: string): Promise<Playbook>;
  list(org: string): Promise<Playbook[]>;
  get(place: PlaybookKey): Promise<Playbook>;
  /** @throws Refused `not_found`, or `conflict` kind `retired` */
  refuseInactive(place: PlaybookKey): Promise<void>;
  /** @throws Refused `conflict` kind `retired`; an absent playbook passes */
  refuseRetired(place: PlaybookKey): Promise<void>;
  /** @throws Refused `not_found` */
  refuseUnknown(place: PlaybookKey): Promise<void>;
  exists(place: PlaybookKey): Promise<boolean>;
  update(place: PlaybookKey, change: PlaybookTexts, by: string): Promise<Playbook>;
  retire(place: PlaybookKey, by: string): Promise<Playbook>;
  /** Like `create` and `update`, in the caller's transaction. */
  createIn(tx: WriteTransaction, place: PlaybookKey, playbook: PlaybookTexts, by: string): Promise<Playbook>;
  updateIn(tx: WriteTransaction, place: PlaybookKey, change: PlaybookTexts, by: string): Promise<Playbook>;
}

/** What follows when a playbook is retired, in the same transaction. */
export type PlaybookRetired = (tx: WriteTransaction, place: PlaybookKey, by: string) => Promise<void>;

export function createPlaybooks(log: EventLog, retired: PlaybookRetired): Playbooks {
  async function record(
    tx: WriteTransaction,
    place: PlaybookKey,
    type: string,
    data: PlaybookTexts | null,
    by: string,
  ) {
    await log.append(tx, {
      ...place,
      stream: STREAM,
      listed: false,
      events: [{ type, data: data === null ? {} : { ...data }, metadata: { by } }],
    });
    return requirePlaybook(tx, place);
  }

  const createIn: Playbooks['createIn'] = (tx, place, playbook, by) =>
    record(tx, place, 'playbook_created', trimmed(playbook), by);

  const updateIn: Playbooks['updateIn'] = async (tx, place, change, by) => {
    const playbook = await requireActivePlaybook(tx, place);
    const next = trimmed(change);
    if (next.name === playbook.name && next.description === playbook.description) return playbook;
    return record(tx, place, 'playbook_updated', next, by);
  };

  return {
    createIn,
    updateIn,
    async create(place, playbook, by) {
      try {
        return await log.write(place, (tx) => createIn(tx, place, playbook, by));
      } catch (error) {
        if (!(error instanceof UniqueViolation)) throw error;
        throw conflict(`The org ${place.org} uses or has used the id ${place.playbook}; choose another id.`);
      }
    },
    list: (org) => log.read((tx) => selectPlaybooks(tx, org)),
    get: (place) => log.read((tx) => requirePlaybook(tx, place)),
    refuseInactive: async (place) => {
      await log.read((tx) => requireActivePlaybook(tx, place));
    },
    refuseRetired: async (place) => {
      await log.read(async (tx) => {
        if ((await selectPlaybook(tx, place)) !== undefined) await requireActivePlaybook(tx, place);
      });
    },
    exists: (place) => log.read(async (tx) => (await selectPlaybook(tx, place)) !== undefined),
    refuseUnknown: async (place) => {
      await log.read((tx) => requirePlaybook(tx, place));
    },
    update: (place, change, by) => log.write(place, (tx) => updateIn(tx, place, change, by)),
    retire: (place, by) =>
      log.write(place, async (tx) => {
        const playbook = await requirePlaybook(tx, place);
        if (playbook.status === 'retired') return playbook;
        const after = await record(tx, place, 'playbook_retired', null, by);
        await retired(tx, place, by);
        return after;
      }),
  };
}

function trimmed({ name, description }: PlaybookTexts): PlaybookTexts {
  return { name: name.trim(), description: description.trim() };
}
