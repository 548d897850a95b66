// Documents of at most 65,536 bytes that ask for more work than they look like: checked, and put into folders.
import type { DefinitionType } from '../../../../../shared/definition-types.ts';
import { sha256 } from '../../../../kernel/contents/index.ts';
import type { HostileCase } from '../../hostile-case.ts';
import { type HostileText, MOST_SOURCE_BYTES } from './fill.ts';
import { INTERACTIONS } from './interactions.ts';
import { PROGRAMS, RECALLS } from './programs.ts';
import { REASONINGS } from './reasonings.ts';
import { WORKFLOWS } from './workflows.ts';
import { YAML } from './yaml.ts';

interface HostileDocument {
  name: string;
  type: DefinitionType;
  source: string;
}

const of =
  (type: DefinitionType) =>
  ([name, source]: HostileText): HostileDocument => ({
    name,
    type,
    source: Buffer.from(source).subarray(0, MOST_SOURCE_BYTES).toString(),
  });

const HOSTILE_DOCUMENTS: readonly HostileDocument[] = [
  ...YAML.map(of('workflow')),
  ...WORKFLOWS.map(of('workflow')),
  ...INTERACTIONS.map(of('interaction')),
  ...REASONINGS.map(of('reasoning')),
  ...PROGRAMS.map(of('computation')),
  ...RECALLS.map(of('recall')),
];

const SHORT = new Set([
  '65,000 opening brackets',
  '8,000 keys',
  'an error on every line',
  'commas',
  'steps of an unknown form',
  '2,000 steps',
  '4,000 lines of liquid',
  'a prompt of 8,000 outputs',
  'an answer of 1,000 schemas',
  'one pattern of 60,000 letters',
  '16,000 variables',
  'an input built at the top',
]);

const checks = HOSTILE_DOCUMENTS.map(
  ({ name, type, source }): HostileCase => ({
    name: `a ${type}: ${name}`,
    isShort: SHORT.has(name),
    run: ({ send, at }) => send('POST', `${at}/definitions/${type}/check`, { source }),
  }),
);

function theOne(texts: readonly HostileText[], name: string): HostileText {
  const found = texts.find(([each]) => each === name);
  if (found === undefined) throw new Error(`There is no hostile text ${name}.`);
  return found;
}

/** A folder of the documents of one kind, as many as a request takes. */
const folder = (name: string, documents: readonly HostileDocument[]): HostileCase => ({
  name: `a folder: ${name}`,
  isShort: name.startsWith('14'),
  run: ({ send, at }) =>
    send('POST', `${at}/apply`, {
      name: 'Desk',
      dry_run: true,
      definitions: documents.map(({ type, source }, index) => ({
        type,
        name: `folder-${index}`,
        sha256: sha256(source),
        source,
      })),
    }),
});

export const DOCUMENT_CASES: readonly HostileCase[] = [
  ...checks,
  folder(
    '14 documents of 8,000 keys',
    Array.from({ length: 14 }, () => of('workflow')(theOne(YAML, '8,000 keys'))),
  ),
  folder(
    'workflows of 2,000 steps',
    Array.from({ length: 30 }, () => of('workflow')(theOne(WORKFLOWS, '2,000 steps'))),
  ),
  folder('a bit of everything', HOSTILE_DOCUMENTS.slice(0, 60)),
  {
    name: 'sixteen clients that check',
    isShort: true,
    run: ({ send, at }) =>
      Promise.all(
        Array.from({ length: 16 }, (_, index) =>
          send('POST', `${at}/definitions/workflow/check`, { source: HOSTILE_DOCUMENTS[index]?.source ?? '' }),
        ),
      ),
  },
];
