// Answers the request of a run with the text of --answer.
import { DEFINITION_FACTS } from '../../../shared/definition-types.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../shared/json.ts';
import { statusSentence } from '../../../shared/status-label.ts';
import type { Answer, Definition, Run } from '../../../shared/api/index.ts';
import { type Checker, takeWords, withChecker } from './ask-answer.ts';
import { type Client, type NamedPlaybook, ServiceRefusal } from './client.ts';
import { type CommandFailure, failed, misused } from './failure.ts';
import type { FoundRequest } from './find-request.ts';
import { answerWords } from './inbox-words.ts';
import { readJsonText } from './json-text.ts';

export interface AnswerContext extends NamedPlaybook {
  /** The person on whose behalf the caller answers. */
  for?: string | undefined;
}

/** Answers the request of a run. Repeating the same answer returns the recorded one. */
export async function answerRun(
  client: Client,
  { entry, run }: FoundRequest,
  text: string,
  answering: AnswerContext,
): Promise<Answer<'answer_interaction'>> {
  if (run !== undefined && DEFINITION_FACTS[run.type].mayAsk !== true) throw nothingOpen(answering.playbook, run);
  const [id, schema] =
    run === undefined ? [entry.run_id, entry.answer_schema] : [run.run_id, await schemaOf(client, run, answering)];
  const answer = isJsonObject(schema) ? await withChecker((check) => taken(schema, text, check)) : jsonOrText(text);
  try {
    return await sendAnswer(client, id, answer, answering);
  } catch (error) {
    if (run?.status !== 'succeeded' || !(error instanceof ServiceRefusal)) throw error;
    throw nothingOpen(answering.playbook, run);
  }
}

export function sendAnswer(
  client: Client,
  runId: string,
  answer: Json,
  { org, playbook, for: claimedFor }: AnswerContext,
): Promise<Answer<'answer_interaction'>> {
  return client.call('answer_interaction', { org, playbook, run_id: runId, answer, claimed_for: claimedFor });
}

/** The failure for a run without an open question, with its status. */
export function nothingOpen(playbook: string, run: Run): CommandFailure {
  const { run_id: id, type, name, output } = run;
  const answer = type === 'interaction' && output !== undefined ? ` Its answer is ${JSON.stringify(output)}.` : '';
  const sentence = `The run ${id} of ${type}/${name} has no open question. ${statusSentence('It', run)}${answer}`;
  return failed(`${sentence} Run cuebook inbox ${playbook} to list open requests.`);
}

/** The schema of the answer: the output schema of the version that the run used. */
async function schemaOf(
  client: Client,
  { type, name, definition_version: version }: Run,
  { org, playbook }: AnswerContext,
): Promise<Definition['output_schema']> {
  const used = { org, playbook, type, name, version: String(version) };
  return (await client.call('get_definition_version', used)).output_schema;
}

async function taken(schema: JsonObject, text: string, check: Checker): Promise<Json> {
  const words = await takeWords(schema, text, check);
  if (words.ok) return words.answer;
  const details = words.issues.map(({ detail }) => detail).join(' ');
  throw failed(`${details} Fields of the answer: ${answerWords(schema)}.`);
}

function jsonOrText(text: string): Json {
  const read = readJsonText(text);
  if (read.ok) return read.value;
  if (read.fault.startsWith('is not JSON')) return text;
  throw misused(`The answer ${read.fault}`);
}
