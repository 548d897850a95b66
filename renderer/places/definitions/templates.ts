// Templates of definitions that work together, as files that the studio ships with.
import { DEFINITION_FACTS, type DefinitionType, formatOf, typeOfFile } from '../../../shared/definition-types.ts';
import { call } from '../../api/call.ts';
import { definitionOfFile } from '../../api/definition-files.ts';

const FILES = import.meta.glob<string>('../../../resources/templates/*/*', { query: '?raw', import: 'default' });

export interface Template {
  /** Its folder. */
  id: string;
  title: string;
  /** One or two sentences. */
  summary: string;
  /** What it needs to run, or what runs by itself once it is added; text between backticks is code. */
  needs?: string;
  /** The definitions, the one to open first. */
  definitions: readonly { type: DefinitionType; name: string }[];
}

const TEXTS: readonly Omit<Template, 'definitions'>[] = [
  {
    id: 'ask-a-person',
    title: 'Ask a person',
    summary:
      'Small expenses are approved by a rule. For others, a person is asked, and a question that expires is handled.',
  },
  {
    id: 'every-morning',
    title: 'Every morning',
    summary: 'Counts the events of the day before and publishes a report, each weekday at eight.',
    needs: 'Runs by itself as soon as it is added. The time is in UTC; change `schedule` for yours.',
  },
  {
    id: 'watch-an-api',
    title: "Watch a folder's API",
    summary: 'Reads a list of files every 15 minutes, publishes each new version once, and remembers what was seen.',
    needs:
      'Runs by itself as soon as it is added. Write the address of your API, and list its host under `workflow_http` in `cuebook.yaml`.',
  },
  {
    id: 'classify-with-a-model',
    title: 'Classify with a model',
    summary: 'A model says what a received message is about, as checked JSON, and an event routes it.',
    needs: 'Needs a model: add a key on the Models page. The examples run without one.',
  },
  {
    id: 'forecast',
    title: 'Forecast',
    summary: 'Monthly demand with intervals, by models that are trained and scored first, and what to order for it.',
    needs: 'Needs a dataset: upload a CSV file on the Dataset tab. The computation runs without one.',
  },
];

export const TEMPLATES: readonly Template[] = TEXTS.map((text) => ({ ...text, definitions: definitionsIn(text.id) }));

/** Saves the definitions of a template. @throws ProblemError; Error if a name is already in use */
export async function addTemplate(
  { playbook, name, description }: { playbook: string; name: string; description: string },
  { id }: Template,
): Promise<void> {
  const files = await Promise.all(filesOf(id).map(async ([file, read]) => definitionOfFile(file, await read())));
  const definitions = files.filter((one) => one !== undefined);
  const input = { playbook, name, description, definitions };
  const { definitions: changes, plan } = await call('apply_playbook', { ...input, dry_run: true });
  const added = new Set(definitions.map((one) => `${one.type}/${one.name}`));
  const used = changes.find((one) => one.change !== 'create' && added.has(`${one.type}/${one.name}`));
  if (used !== undefined)
    throw new Error(`The playbook already has ${used.type}/${used.name}. Rename or retire it first.`);
  await call('apply_playbook', { ...input, plan });
}

/** Those that call the others first. */
function definitionsIn(id: string): Template['definitions'] {
  const all = filesOf(id).flatMap(([file]) => {
    const type = typeOfFile(file);
    return type === undefined ? [] : [{ type, name: file.slice(0, -formatOf(type).fileSuffix.length) }];
  });
  const isCaller = ({ type }: { type: DefinitionType }): number =>
    Number(DEFINITION_FACTS[type].callsDefinitions === true);
  return all.toSorted((a, b) => isCaller(b) - isCaller(a));
}

function filesOf(id: string): [file: string, read: () => Promise<string>][] {
  return Object.entries(FILES)
    .filter(([path]) => path.includes(`/templates/${id}/`))
    .map(([path, read]) => [path.split('/').at(-1) ?? '', read]);
}
