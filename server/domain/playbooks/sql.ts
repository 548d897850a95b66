import type { Playbook } from '../../../shared/schemas/index.ts';
import {
  createMemory,
  type Migration,
  type PlaybookKey,
  type ReadTransaction,
  type Remembering,
  type Rows,
  type WriteTransaction,
} from '../../kernel/log/index.ts';

export const playbookMigrations: readonly Migration[] = [
  {
    id: 'playbooks/1',
    sql: `
      CREATE TABLE playbooks (
        org TEXT NOT NULL,
        id TEXT NOT NULL,
        name TEXT NOT NULL,
        description TEXT NOT NULL,
        status TEXT NOT NULL,
        created_at TEXT NOT NULL,
        created_by TEXT NOT NULL,
        updated_at TEXT NOT NULL,
        retired_at TEXT,
        PRIMARY KEY (org, id)
      );`,
  },
];

interface PlaybookRow {
  id: string;
  name: string;
  description: string;
  status: 'active' | 'retired';
  created_at: string;
  created_by: string;
  updated_at: string;
  retired_at: string | null;
}

const COLUMNS = 'id, name, description, status, created_at, created_by, updated_at, retired_at';

function toPlaybook({ retired_at, ...row }: PlaybookRow): Playbook {
  return retired_at === null ? row : { ...row, retired_at };
}

/** The playbooks of an org that are not retired, by id, in a database that is not open here. */
export function activeIds(rows: Rows, org: string): string[] {
  const found = rows<{ id: string }>(`SELECT id FROM playbooks WHERE org = $1 AND status = 'active' ORDER BY id`, [
    org,
  ]);
  return found.map(({ id }) => id);
}

const known = createMemory<Playbook>(1000);
const keyOf = ({ org, playbook }: PlaybookKey): string => `${org}\0${playbook}`;

/** Undefined if it is not remembered. */
export function rememberedPlaybook(tx: Remembering, playbookKey: PlaybookKey): Playbook | undefined {
  return known.get(tx, keyOf(playbookKey));
}

export async function selectPlaybook(tx: ReadTransaction, playbookKey: PlaybookKey): Promise<Playbook | undefined> {
  const remembered = rememberedPlaybook(tx, playbookKey);
  if (remembered !== undefined) return remembered;
  const row = await tx.get<PlaybookRow>(`SELECT ${COLUMNS} FROM playbooks WHERE org = $1 AND id = $2`, [
    playbookKey.org,
    playbookKey.playbook,
  ]);
  if (row === undefined) return undefined;
  const playbook = toPlaybook(row);
  known.set(tx, keyOf(playbookKey), playbook);
  return playbook;
}

export async function selectPlaybooks(tx: ReadTransaction, org: string): Promise<Playbook[]> {
  const rows = await tx.all<PlaybookRow>(`SELECT ${COLUMNS} FROM playbooks WHERE org = $1 ORDER BY id`, [org]);
  return rows.map(toPlaybook);
}

export async function insertPlaybook(tx: WriteTransaction, org: string, playbook: Playbook): Promise<void> {
  await tx.run(
    `INSERT INTO playbooks (org, id, name, description, status, created_at, created_by, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      org,
      playbook.id,
      playbook.name,
      playbook.description,
      playbook.status,
      playbook.created_at,
      playbook.created_by,
      playbook.updated_at,
    ],
  );
}

export async function updatePlaybookRow(
  tx: WriteTransaction,
  playbookKey: PlaybookKey,
  change: { name: string; description: string; at: string },
): Promise<void> {
  known.set(tx, keyOf(playbookKey), undefined);
  await tx.run(`UPDATE playbooks SET name = $3, description = $4, updated_at = $5 WHERE org = $1 AND id = $2`, [
    playbookKey.org,
    playbookKey.playbook,
    change.name,
    change.description,
    change.at,
  ]);
}

export async function retirePlaybookRow(tx: WriteTransaction, playbookKey: PlaybookKey, at: string): Promise<void> {
  known.set(tx, keyOf(playbookKey), undefined);
  await tx.run(`UPDATE playbooks SET status = 'retired', updated_at = $3, retired_at = $3 WHERE org = $1 AND id = $2`, [
    playbookKey.org,
    playbookKey.playbook,
    at,
  ]);
}
