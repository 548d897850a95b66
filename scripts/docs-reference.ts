// Writes docs/reference anew; what it no longer holds is removed.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { referencePages } from './reference/index.ts';

const FOLDER = fileURLToPath(new URL('../docs/reference/', import.meta.url));

const pages = await referencePages();
rmSync(FOLDER, { recursive: true, force: true });
for (const { file, markdown } of pages) {
  mkdirSync(path.dirname(path.join(FOLDER, file)), { recursive: true });
  writeFileSync(path.join(FOLDER, file), markdown);
}
console.log(`Wrote ${pages.length} pages to docs/reference.`);
