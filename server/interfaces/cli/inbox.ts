import type { JsonObject } from '../../../shared/json.ts';
import { answerRun, nothingOpen, sendAnswer } from './answer-run.ts';
import { type ClientOptions, withClient } from './attach.ts';
import { askForAnswer, openTerminal, type Terminal, withChecker } from './ask-answer.ts';
import { type Client, everyPage, ServiceRefusal } from './client.ts';
import { misused } from './failure.ts';
import { findRequest } from './find-request.ts';
import { type InboxEntry, listWords, requestWords } from './inbox-words.ts';
import { progress, show } from './output.ts';

export interface InboxOptions extends ClientOptions {
  to?: string | undefined;
  /** JSON, or text as in a reply. */
  answer?: string | undefined;
  /** The person on whose behalf the caller answers. */
  for?: string | undefined;
}

/** Lists open requests, or answers the request of a given run. On a terminal, it prompts for both. */
export async function inbox(
  playbook: string | undefined,
  runId: string | undefined,
  options: InboxOptions,
): Promise<void> {
  if (options.answer !== undefined && runId === undefined) {
    const detail = '--answer needs a playbook and a run id: cuebook inbox PLAYBOOK RUN_ID --answer ANSWER.';
    throw misused(detail);
  }
  await withClient(options, { whenAbsent: 'refuse' }, async (client) => {
    const entries = await openRequests(client, options, playbook);
    if (playbook === undefined || runId === undefined) return list(client, entries, options);
    const found = await findRequest(client, { org: options.org, playbook }, runId, entries);
    const { entry, run } = found;
    if (options.answer !== undefined) {
      const fact = await answerRun(client, found, options.answer, { ...options, playbook });
      return show(options, fact, () => `Answered: ${JSON.stringify(fact.answer)}`);
    }
    if (entry === undefined) throw nothingOpen(playbook, run);
    show(options, entry, () => requestWords(entry));
    const terminal = options.json === true || !entry.takes_answer ? undefined : openTerminal();
    if (terminal === undefined) return;
    await withTerminal(terminal, () => answerOn(terminal, client, entry, options));
  });
}

async function list(client: Client, entries: readonly InboxEntry[], options: InboxOptions): Promise<void> {
  show(options, entries, () => listWords(entries));
  const questions = entries.filter((entry) => entry.takes_answer);
  const terminal = options.json === true || questions.length === 0 ? undefined : openTerminal();
  if (terminal === undefined) return;
  await withTerminal(terminal, async () => {
    for (;;) {
      const word = await terminal.ask('Answer which request? (number, or Enter to quit) ');
      if (word === undefined || word.trim() === '') return;
      const entry = entries[Number(word) - 1];
      if (entry?.takes_answer === true) {
        progress(requestWords(entry));
        await answerOn(terminal, client, entry, options);
      } else progress(`${JSON.stringify(word.trim())} is not the number of a question in the list.`);
    }
  });
}

async function withTerminal(terminal: Terminal, use: () => Promise<void>): Promise<void> {
  try {
    await use();
  } finally {
    terminal.close();
  }
}

/** Prompts until an answer is valid; an empty line leaves the request open. */
async function answerOn(terminal: Terminal, client: Client, entry: InboxEntry, options: InboxOptions): Promise<void> {
  const answer = await withChecker((check) =>
    askForAnswer(entry.answer_schema as JsonObject, terminal.ask, progress, check),
  );
  if (answer === undefined) return progress('The request stays open.');
  try {
    await sendAnswer(client, entry.run_id, answer, { ...options, playbook: entry.playbook });
    progress('Answered.');
  } catch (error) {
    // Someone else may have answered first; the other requests are still open.
    if (!(error instanceof ServiceRefusal)) throw error;
    progress(error.message);
  }
}

async function openRequests(
  client: Client,
  { org, to }: InboxOptions,
  playbook: string | undefined,
): Promise<InboxEntry[]> {
  const { playbooks } =
    playbook === undefined ? await client.call('list_playbooks', { org }) : { playbooks: [{ id: playbook }] };
  const entries: InboxEntry[] = [];
  for (const { id } of playbooks) {
    const requests = await everyPage(
      (page) => client.call('list_interactions', { org, playbook: id, to, ...page }),
      ({ interactions }) => interactions,
    );
    entries.push(...requests.map((request) => ({ ...request, playbook: id })));
  }
  return entries;
}
