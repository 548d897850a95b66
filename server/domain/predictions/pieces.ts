// Files that are too large for one statement, kept in pieces as they arrive.
//
// 1. Each piece is a commit of its own, so that an upload holds up nobody and needs the memory of one piece.
// 2. An upload is unfinished from its first piece on, until the transaction that makes its file visible says that it is
//    finished. What is unfinished when the process starts was broken off, and is removed: the store's lock keeps any other
//    process from the database, so that nobody can be uploading.
import type { Ids } from '../../kernel/ids.ts';
import type { EventLog, PlaybookKey, ReadTransaction, WriteTransaction } from '../../kernel/log/index.ts';
import { MIB } from '../../../shared/product.ts';

/** Bytes of every piece but the last. */
const PIECE_BYTES = MIB;
/** How many pieces one commit removes at most. */
const REMOVED_AT_ONCE = 8;

/** The pieces of one file. */
export interface UploadKey extends PlaybookKey {
  upload: string;
}

export interface Pieces {
  /** Begins an upload: stores what is added in pieces of 1 MiB. */
  begin(playbookKey: PlaybookKey): PieceWriter;
  /** Reads the file of a finished upload, one piece after the other. */
  read(key: UploadKey): AsyncGenerator<Buffer>;
  /** Removes a file, or what an upload that broke off left behind. */
  remove(key: UploadKey): Promise<void>;
  /** Removes what the uploads of an earlier process start left behind. */
  removeUnfinished(): Promise<void>;
}

export interface PieceWriter extends UploadKey {
  add(bytes: Buffer): Promise<void>;
  /** Stores what is left over; to be called before `finish`. */
  flush(): Promise<void>;
  /** Keeps the file, in the transaction that makes it visible. */
  finish(tx: WriteTransaction): Promise<void>;
}

export function createPieces({ log, ids }: { log: EventLog; ids: Ids }): Pieces {
  function begin(playbookKey: PlaybookKey): PieceWriter {
    const key: UploadKey = { org: playbookKey.org, playbook: playbookKey.playbook, upload: ids() };
    let held: Buffer[] = [];
    let heldBytes = 0;
    let count = 0;

    async function store(content: Buffer): Promise<void> {
      const at = count;
      await log.write(key, async (tx) => {
        if (at === 0) await insertUnfinished(tx, key);
        await insertPiece(tx, key, at, content);
      });
      count += 1;
    }

    return {
      ...key,
      async add(bytes) {
        let rest = bytes;
        while (heldBytes + rest.length >= PIECE_BYTES) {
          const taken = PIECE_BYTES - heldBytes;
          // oxlint-disable-next-line no-await-in-loop -- one piece after the other
          await store(Buffer.concat([...held, rest.subarray(0, taken)]));
          rest = rest.subarray(taken);
          held = [];
          heldBytes = 0;
        }
        if (rest.length > 0) held.push(rest);
        heldBytes += rest.length;
      },
      async flush() {
        if (heldBytes > 0) await store(Buffer.concat(held));
        held = [];
        heldBytes = 0;
      },
      finish: (tx) => deleteUnfinished(tx, key),
    };
  }

  async function remove(key: UploadKey): Promise<void> {
    const removeSome = (): Promise<number> => log.write(key, (tx) => deletePieces(tx, key, REMOVED_AT_ONCE));
    // oxlint-disable-next-line no-await-in-loop -- each commit is to be short
    while ((await removeSome()) > 0);
    await log.write(key, (tx) => deleteUnfinished(tx, key));
  }

  return {
    begin,
    async *read(key) {
      for (let index = 0; ; index += 1) {
        const at = index;
        // oxlint-disable-next-line no-await-in-loop -- a piece is read when it is asked for
        const content = await log.read((tx) => selectPiece(tx, key, at));
        if (content === undefined) return;
        yield content;
      }
    },
    remove,
    async removeUnfinished() {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      for (const key of await log.read(selectUnfinished)) await remove(key);
    },
  };
}

const KEY = 'org = $1 AND playbook = $2 AND upload = $3';
const keyOf = ({ org, playbook, upload }: UploadKey): [string, string, string] => [org, playbook, upload];

async function insertUnfinished(tx: WriteTransaction, key: UploadKey): Promise<void> {
  await tx.run('INSERT INTO unfinished_uploads (org, playbook, upload) VALUES ($1, $2, $3)', keyOf(key));
}

async function deleteUnfinished(tx: WriteTransaction, key: UploadKey): Promise<void> {
  await tx.run(`DELETE FROM unfinished_uploads WHERE ${KEY}`, keyOf(key));
}

async function selectUnfinished(tx: ReadTransaction): Promise<UploadKey[]> {
  return tx.all('SELECT org, playbook, upload FROM unfinished_uploads');
}

async function insertPiece(tx: WriteTransaction, key: UploadKey, index: number, content: Buffer): Promise<void> {
  await tx.run('INSERT INTO upload_pieces (org, playbook, upload, place, content) VALUES ($1, $2, $3, $4, $5)', [
    ...keyOf(key),
    index,
    content,
  ]);
}

async function selectPiece(tx: ReadTransaction, key: UploadKey, index: number): Promise<Buffer | undefined> {
  const row = await tx.get<{ content: Buffer }>(`SELECT content FROM upload_pieces WHERE ${KEY} AND place = $4`, [
    ...keyOf(key),
    index,
  ]);
  return row?.content;
}

/** Removes the last pieces; answers how many those were. */
async function deletePieces(tx: WriteTransaction, key: UploadKey, most: number): Promise<number> {
  const deleted = await tx.all(
    `DELETE FROM upload_pieces WHERE ${KEY} AND place >=
       (SELECT COALESCE(MAX(place), 0) + 1 - $4 FROM upload_pieces WHERE ${KEY}) RETURNING place`,
    [...keyOf(key), most],
  );
  return deleted.length;
}
