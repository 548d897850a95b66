// The reference in docs/reference, made of what the code itself says of its operations, settings, problems, schemas and
// commands. The same code gives the same bytes.
import { operationsOfRuntime } from '../operations-of-runtime.ts';
import { commandLinePage } from './command-line.ts';
import { eventsPage } from './events.ts';
import { page, type ReferencePage } from './markdown.ts';
import { operationPages, usersOfSchemas } from './operations.ts';
import { problemsPage } from './problems.ts';
import { schemaPages } from './schemas.ts';
import { settingsPage } from './settings.ts';
import { shapesPage } from './shapes.ts';

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
  return [contents(pages), ...pages];
}

function contents(pages: readonly ReferencePage[]): ReferencePage {
  const lines = pages.map(({ file, markdown }) => `- [${/^# (.+)$/m.exec(markdown)?.[1] ?? file}](${file})`);
  return page(
    'README.md',
    'Reference',
    'Made of the code: what each operation takes and answers, every setting, problem, event and command.',
    lines.join('\n'),
  );
}
