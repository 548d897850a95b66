// Files that come with the product.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Guide } from '../interfaces/http/index.ts';

const GUIDES = new URL('../../resources/guides/', import.meta.url);

/** What the documentation service serves: the pages for people, and the guides. */
export const DOCUMENTATION_FOLDERS = [
  { folder: fileURLToPath(new URL('../../docs/', import.meta.url)), at: '/' },
  { folder: fileURLToPath(GUIDES), at: '/guides' },
];

/** Folder of the sample playbook. */
export const SAMPLE_FOLDER = fileURLToPath(new URL('../../resources/samples/wildlife-strikes/', import.meta.url));

/** The dataset of the sample's prediction function. */
export const SAMPLE_DATASET = path.join(SAMPLE_FOLDER, 'data/monthly-reports.csv');

/**
 * The guides by name; a guide's title is its first heading.
 * @param lastSentences by the name of a guide: what it ends with, which settings may change
 */
export function readGuides(lastSentences: Readonly<Record<string, () => string>> = {}): Guide[] {
  return readdirSync(GUIDES)
    .filter((file) => file.endsWith('.md'))
    .toSorted()
    .map((file) => {
      const text = readFileSync(new URL(file, GUIDES), 'utf8');
      const name = file.slice(0, -'.md'.length);
      const lastSentence = lastSentences[name];
      return {
        name,
        title: /^# (.+)$/m.exec(text)?.[1] ?? file,
        get text() {
          return lastSentence === undefined ? text : `${text.trimEnd()}\n\n${lastSentence()}\n`;
        },
      };
    });
}
