// Messages about the changes and errors of a folder.
import path from 'node:path';
import type { FolderChanges } from '../../domain/folders/index.ts';
import { placedWords } from '../../../shared/issues.ts';
import { ServiceRefusal } from './client.ts';
import { fileNameOf } from '../../lib/playbook-files/index.ts';
import type { PlaybookFolder } from './folder-files.ts';
import { type ProblemIssue, problemWords } from './output.ts';

type Change = FolderChanges['definitions'][number];

const VERBS = { create: 'created', update: 'updated', retire: 'permanently retired' } as const;

/** One line per change. @param more lines that follow a change, for example the diff of the document */
export function changeLines(
  { playbook }: Pick<PlaybookFolder, 'playbook'>,
  { playbook: own, definitions }: FolderChanges,
  tense: 'was' | 'would be',
  more: (change: Change) => readonly string[] = () => [],
): string[] {
  const lines = own === 'unchanged' ? [] : [`${playbook}: ${tense} ${VERBS[own]}`];
  for (const change of definitions) {
    const words = changeWords(change, tense);
    if (words !== undefined) lines.push(`${change.type}/${change.name}: ${words}`, ...more(change));
  }
  const unchanged = definitions.filter(({ change }) => change === 'unchanged').length;
  return [...lines, `${unchanged} unchanged`];
}

function changeWords({ change, version = 0 }: Change, tense: 'was' | 'would be'): string | undefined {
  switch (change) {
    case 'create':
    case 'retire':
      return `${tense} ${VERBS[change]}`;
    case 'update':
      return `${tense} ${VERBS[change]}, from version ${version} to ${version + 1}`;
    case 'retired':
      return 'is retired and cannot be restored; rename it';
    case 'missing':
      return 'is not in the folder and was kept; --prune retires it permanently';
    case 'unchanged':
      return undefined;
  }
}

/** One line per warning, with its file and its position in it. */
export function warningLines(folder: string, { definitions }: FolderChanges): string[] {
  return definitions.flatMap((definition) =>
    (definition.warnings ?? []).map(
      (warning) => `${path.join(folder, fileNameOf(definition))}: warning: ${placedWords(warning)}`,
    ),
  );
}

/** An error of the service with file names instead of pointers; any other error unchanged. */
export function inFiles(error: unknown, folder: string, { definitions }: PlaybookFolder): unknown {
  if (!(error instanceof ServiceRefusal) || !Array.isArray(error.problem['errors'])) return error;
  const fileFirst = ({ pointer, detail }: ProblemIssue): string => {
    const definition = definitions[Number(/^\/definitions\/(\d+)/.exec(pointer)?.[1] ?? -1)];
    if (definition === undefined) return detail;
    const named = `${definition.type}/${definition.name}: `;
    return `${path.join(folder, fileNameOf(definition))}: ${detail.startsWith(named) ? detail.slice(named.length) : detail}`;
  };
  return new ServiceRefusal(error.problem, problemWords(error.problem, fileFirst));
}
