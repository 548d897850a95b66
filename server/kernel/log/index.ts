export type {
  DefinitionVersion,
  EventMetadata,
  ContentReference,
  NewEvent,
  NumberedEvent,
  PlaybookKey,
  StoredEvent,
} from './event.ts';
export { type Append, createEventLog, type EventLog, type Projection, StreamMoved } from './log.ts';
export { pagesOf, placeholders } from './many-rows.ts';
export { type Migration, STORED_BY_KEY } from './migration.ts';
export { checkFold, type CheckedFold, foldAgain } from './check-fold.ts';
export type { DatabaseStanding } from './database-standing.ts';
export { createMemory, createRowMemory, type Remembering } from './memory.ts';
export {
  logMigrations,
  type ReadingPage,
  selectEvent,
  selectEventByKey,
  selectReadEnd,
  selectReading,
  selectStream,
  selectStreamEnd,
  selectTyped,
  type StreamPage,
  type TypedPage,
} from './sql.ts';
export { type Holder, holderOf, type SharedStore, SKIP_LOCKED } from './shared-store.ts';
export { lookIntoPostgres, openPostgresStore } from './postgres/open.ts';
export type { LookedAtDatabase } from './postgres/look.ts';
export type { PostgresStoreOptions } from './postgres/store.ts';
export { continueNumbering } from './postgres/numbering.ts';
export { copyDatabase } from './sqlite/back-up.ts';
export { notePath, refuseLost } from './sqlite/acknowledged.ts';
export { readUnopenedDatabase, type Rows } from './sqlite/look-into.ts';
export { takeLock } from './sqlite/lock.ts';
export { openSqliteStore, type SqliteStoreOptions } from './sqlite/store.ts';
export { copyTable, digestTable, isEmpty, listTables, type StoredTable } from './table-contents.ts';
export { type TableSize, tableSizes } from './sqlite/table-sizes.ts';
export {
  type CommitMemory,
  NothingChanged,
  type ReadTransaction,
  requireInScope,
  type WriteScope,
  type SqlValue,
  type Store,
  type StoreCounters,
  UniqueViolation,
  UnusableStoreError,
  type WriteTransaction,
} from './store.ts';
