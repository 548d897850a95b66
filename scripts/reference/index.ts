// The reference in docs/reference, generated from the operations, settings, problems, schemas and commands in the code.
// The same code gives the same bytes. Run as a program, it writes the pages and removes stale ones.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { PROBLEM_BASE } from '../../shared/product.ts';
import { PROBLEMS } from '../../shared/problems.ts';
import { operationsOfRuntime } from '../operations-of-runtime.ts';
import { commandLinePage } from './command-line.ts';
import { eventsPage } from './events.ts';
import { code, page, type ReferencePage } from './markdown.ts';
import { operationPages, usersOfSchemas } from './operations.ts';
import { schemaPages, shapesPage } from './schemas.ts';
import { configSchemaFile, settingsPage } from './settings.ts';

/** Every page of the reference. */
export async function referencePages(): Promise<ReferencePage[]> {
  const operations = await operationsOfRuntime();
  const pages = [
    ...operationPages(operations),
    ...schemaPages(usersOfSchemas(operations)),
    eventsPage(),
    shapesPage(),
    problemsPage(),
    settingsPage(),
    commandLinePage(),
  ];
  return [contents(pages), ...pages, configSchemaFile()];
}

function contents(pages: readonly ReferencePage[]): ReferencePage {
  const lines = pages.map(({ file, markdown }) => `- [${/^# (.+)$/m.exec(markdown)?.[1] ?? file}](${file})`);
  return page(
    'README.md',
    'Reference',
    'Generated from the code: the input and output of each operation, and every setting, problem, event and command.',
    lines.join('\n'),
  );
}

function problemsPage(): ReferencePage {
  return page(
    'problems.md',
    'Problems',
    `Every error is a [problem document](schemas/problem.md) (RFC 9457). Its \`type\` is ${code(PROBLEM_BASE)}, a slash and the name. The guide [errors](../../resources/guides/errors.md) says what to do about each of them.`,
    Object.entries(PROBLEMS).flatMap(([name, { status, title }]) => [`## \`${name}\``, `Status ${status}. ${title}.`]),
  );
}

if (import.meta.main) {
  const folder = fileURLToPath(new URL('../../docs/reference/', import.meta.url));
  const pages = await referencePages();
  rmSync(folder, { recursive: true, force: true });
  for (const { file, markdown } of pages) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), markdown);
  }
  console.log(`Wrote ${pages.length} pages to docs/reference.`);
}
