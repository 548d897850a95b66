export { type DataKey, KEY_FORM, readDataKeys } from './data-key.ts';
export { createKeyKeeper, type KeyKeeper, KeyNotMade } from './key-keeper.ts';
export { createKeyHome, type KeyHome, KeyNotMoved } from './key-home.ts';
export { keptOwners } from './kept-owners.ts';
export type { KeyWrapper } from './key-wrapper.ts';
export type { SecretPlace } from './seal.ts';
export { createSecretStore, NoDataKey, type Opened, type SecretStore } from './secret-store.ts';
export { shownEnd } from './shown-end.ts';
export { secretMigrations } from './sql.ts';
