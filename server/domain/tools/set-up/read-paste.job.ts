// Reads a paste in a worker: its cost depends on what was pasted.
import { countValues } from '../../../lib/json-bounds.ts';
import { type AddressKind, type Paste, readPaste } from './read-paste.ts';

export interface PasteJob {
  text: string;
  kind: AddressKind | undefined;
}

/** The main thread plans the entries and writes them as YAML. */
const MOST_VALUES = 1000;

export function readBoundedPaste({ text, kind }: PasteJob): Paste {
  const paste = readPaste(text, kind);
  if (!paste.ok) return paste;
  const values = paste.servers.reduce((sum, { entry }) => sum + countValues(entry, MOST_VALUES), 0);
  if (values <= MOST_VALUES) return paste;
  return {
    ok: false,
    detail: `The servers in it have more than ${MOST_VALUES} values and names; paste fewer servers.`,
  };
}
