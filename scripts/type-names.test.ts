// General places know definition types by what they are asked (DEFINITION_FACTS, the traits of a kind), not by name.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { DEFINITION_TYPES } from '../shared/definition-types.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const PLACES = ['server', 'shared', 'renderer', 'electron'];
/** Where kinds live with what is kept for one alone, and where their documents are completed by their own schemas. */
const OF_KINDS = [
  'server/kinds/',
  'server/domain/predictions/',
  'shared/definition-types.ts',
  'renderer/editor/yaml/',
  'renderer/places/prediction/',
];

/** Places that are about one type by their nature. A branch in a place that serves every type does not belong here. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'server/domain/views/index.ts': 'The views that recall functions keep.',
  'server/domain/triggers/index.ts': 'Only a workflow has a schedule; triggers are stored under its name alone.',
  'server/domain/triggers/firing.ts': 'As above.',
  'server/domain/triggers/schedules.ts': 'As above.',
  'server/domain/models/prompt.ts': 'Parts of a model message have a type `reasoning` in the AI SDK.',
  'server/domain/models/read-stream.ts': 'As above.',
  'server/interfaces/cli/answer-run.ts': "The output of an interaction's run is the answer that it took.",
  'server/interfaces/cli/commands.ts': 'The argument of the schedule commands is called workflow.',
  'server/interfaces/cli/predictions.ts': 'The commands of prediction functions.',
  'renderer/places/evaluate/evaluate.ts': 'The check of a case is the only step of a workflow that is not saved.',
  'renderer/places/home/first-steps.tsx': 'Definitions of the sample playbook.',
  'renderer/places/inbox/open-list.tsx': 'The button that makes the first interaction.',
  'renderer/places/inbox/list-copies.ts': "The record of an interaction's run holds its request, once it has ended.",
  'renderer/places/inbox/unanswered-list.tsx': 'As above.',
  'renderer/places/inbox/past-requests-query.ts': 'As above.',
};

/** In quotes, or as an alternative of a pattern. */
const NAMED = new RegExp(`(?<=['"(|])(?:${DEFINITION_TYPES.join('|')})(?=['")|])`);

function filesThatName(): string[] {
  return PLACES.flatMap((place) =>
    readdirSync(path.join(ROOT, place), { recursive: true, encoding: 'utf8' }).map((file) =>
      path.posix.join(place, file.replaceAll(path.sep, '/')),
    ),
  ).filter(
    (file) =>
      /\.tsx?$/.test(file) &&
      !/\.(?:test|testing|generated)\.tsx?$/.test(file) &&
      !file.startsWith('server/test/') &&
      !OF_KINDS.some((own) => file.startsWith(own)) &&
      NAMED.test(readFileSync(path.join(ROOT, file), 'utf8')),
  );
}

test('outside the kinds, only the listed places name a type of definition, and each of them does', () => {
  expect(filesThatName().toSorted()).toEqual(Object.keys(EXCEPTIONS).toSorted());
});
