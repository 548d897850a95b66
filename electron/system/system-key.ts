// Encrypts the server's data key with the system's key store.
import type { AppHandlers } from '../../shared/desktop.ts';

/** The parts of Electron's `safeStorage` that are used. */
export interface SystemStorage {
  isAsyncEncryptionAvailable(): Promise<boolean>;
  encryptStringAsync(text: string): Promise<Buffer>;
  decryptStringAsync(encrypted: Buffer): Promise<{ result: string; shouldReEncrypt: boolean }>;
  /** Only on Linux. */
  getSelectedStorageBackend?(): string;
}

/** Errors are messages for the person, and contain no part of the key. */
export function createSystemKey(
  storage: SystemStorage,
  platform: NodeJS.Platform,
): Pick<AppHandlers, 'wrap' | 'unwrap'> {
  async function requireStore(): Promise<void> {
    // Without a key store, Electron on Linux would encrypt with a password that is in its source code.
    const hasNone = platform === 'linux' && storage.getSelectedStorageBackend?.() === 'basic_text';
    if (hasNone) throw new Error(`This session has no key store. ${STORES}, then restart Cuebook.`);
    if (!(await storage.isAsyncEncryptionAvailable())) {
      throw new Error("The system's key store is locked or missing. Unlock it, then try again.");
    }
  }

  return {
    async wrap(text) {
      await requireStore();
      try {
        return (await storage.encryptStringAsync(text)).toString('base64');
      } catch {
        throw new Error("The system's key store did not accept the key. Unlock it, then try again.");
      }
    },
    async unwrap(wrapped) {
      await requireStore();
      try {
        const { result, shouldReEncrypt } = await storage.decryptStringAsync(Buffer.from(wrapped, 'base64'));
        return { text: result, isStale: shouldReEncrypt };
      } catch {
        throw new Error(
          "The system's key store could not decrypt the key: it was encrypted by another user or on another machine, or access was denied.",
        );
      }
    },
  };
}

const STORES = 'Install GNOME Keyring or KWallet';
