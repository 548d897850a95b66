// What wraps the server's data key: the store in which the system keeps the keys of its user's programs.
import type { AppHandlers } from '../../shared/desktop.ts';

/** What is used of `safeStorage`. */
export interface SystemStorage {
  isAsyncEncryptionAvailable(): Promise<boolean>;
  encryptStringAsync(text: string): Promise<Buffer>;
  decryptStringAsync(encrypted: Buffer): Promise<{ result: string; shouldReEncrypt: boolean }>;
  /** On Linux alone. */
  getSelectedStorageBackend?(): string;
}

/** Each refusal is a sentence that the person reads, and holds nothing of the key. */
export function createSystemKey(
  storage: SystemStorage,
  platform: NodeJS.Platform,
): Pick<AppHandlers, 'wrap' | 'unwrap'> {
  async function requireStore(): Promise<void> {
    // Without a store of the system, Linux would wrap under a password that stands in the program's source.
    const hasNone = platform === 'linux' && storage.getSelectedStorageBackend?.() === 'basic_text';
    if (hasNone) throw new Error(`This session has no key store: ${STORES}, then start Cuebook again.`);
    if (!(await storage.isAsyncEncryptionAvailable())) {
      throw new Error('The key store of the system is locked or absent: unlock it, then try again.');
    }
  }

  return {
    async wrap(text) {
      await requireStore();
      try {
        return (await storage.encryptStringAsync(text)).toString('base64');
      } catch {
        throw new Error('The key store of the system did not take the key: unlock it, then try again.');
      }
    },
    async unwrap(wrapped) {
      await requireStore();
      try {
        const { result, shouldReEncrypt } = await storage.decryptStringAsync(Buffer.from(wrapped, 'base64'));
        return { text: result, isStale: shouldReEncrypt };
      } catch {
        throw new Error(
          'The key store of the system did not open the key: it was wrapped by another user, on another machine, or access was denied.',
        );
      }
    },
  };
}

const STORES = 'install GNOME Keyring or KWallet';
