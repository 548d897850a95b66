import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { MIB } from '../../shared/product.ts';
import { decodeUtf8 } from '../lib/utf8.ts';
import { SettingsError } from './settings-error.ts';

/** What a settings file may hold. */
const MOST_BYTES = MIB;

/**
 * The text of a file, or undefined where there is none. `asked` is what the sentences call the file.
 * @param isPrivate whether a file that others may read is refused, where files have such modes
 * @throws SettingsError for what is no UTF-8 text file of at most 1 MiB, or cannot be read
 */
export function readText(asked: string, file: string, isPrivate: boolean): string | undefined {
  let descriptor: number | undefined;
  try {
    // Without blocking: a pipe without a writer would block the start forever.
    descriptor = openSync(file, constants.O_RDONLY | (process.platform === 'win32' ? 0 : constants.O_NONBLOCK));
    const stat = fstatSync(descriptor);
    if (!stat.isFile()) throw new SettingsError(`${asked} is not a file; put a text file there, or name another file.`);
    if (isPrivate) refuseReadable(asked, file, stat.mode);
    refuseTooLarge(asked, stat.size);
    return decode(asked, readFileSync(descriptor));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
    throw new SettingsError(`${asked} cannot be read (${String(error.code)}); give this user permission to read it.`);
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** @throws SettingsError for a file that would not be read */
export function refuseTooLarge(asked: string, bytes: number): void {
  if (bytes <= MOST_BYTES) return;
  throw new SettingsError(`${asked} has ${bytes} bytes; it may have at most ${MOST_BYTES}.`);
}

function refuseReadable(asked: string, file: string, mode: number): void {
  if (process.platform === 'win32' || (mode & 0o077) === 0) return;
  const shown = (mode & 0o777).toString(8).padStart(4, '0');
  throw new SettingsError(
    `${asked} has mode ${shown}, so other users can access it; it must be 0600: chmod 600 '${file}'.`,
  );
}

function decode(asked: string, bytes: Uint8Array): string {
  const decoded = decodeUtf8(bytes);
  if (decoded.ok) return decoded.text;
  throw new SettingsError(`${asked} ${decoded.fault}`);
}
