// The open questions of a run that asks through the runs that it calls, as a workflow does.
import { DEFINITION_FACTS } from '../../../shared/definition-types.ts';
import type { ReadTransaction } from '../../kernel/log/index.ts';
import { type RunRow, selectStartedBelow } from '../runs/index.ts';
import { selectRequests } from './sql.ts';

/** Runs that are searched for open requests, at most: a statement has a limited number of parameters. */
const MOST_SEARCHED = 1000;
/** Questions that a message names. */
const MOST_NAMED = 3;

/** The ids of a run and of the runs below it, if they are in progress and may ask. */
export async function selectAsking(tx: ReadTransaction, run: RunRow): Promise<string[]> {
  const below = await selectStartedBelow(tx, run);
  return [run, ...below]
    .filter(({ type }) => DEFINITION_FACTS[type].mayAsk === true)
    .slice(0, MOST_SEARCHED)
    .map(({ run_id }) => run_id);
}

/**
 * A message that names the runs to answer instead of this one; undefined if no run below it asks a question. The answer is
 * not passed on, even if there is a single question: sent again, it would answer the workflow's next one.
 */
export async function questionsBelow(tx: ReadTransaction, run: RunRow): Promise<string | undefined> {
  const runs = await selectAsking(tx, run);
  if (runs.length === 0) return undefined;
  const open = await selectRequests(tx, run, { runs }, undefined, MOST_SEARCHED);
  const questions = open.filter(({ takes_answer: takesAnswer }) => Number(takesAnswer) === 1);
  const [first] = questions;
  if (first === undefined) return undefined;
  const subject = `The run ${run.run_id} of ${run.type}/${run.name} asks through the runs that it calls.`;
  if (questions.length === 1) {
    return `${subject} Answer its open question with the run_id ${first.run_id} (${first.type}/${first.name}).`;
  }
  const named = questions.slice(0, MOST_NAMED).map(({ run_id, type, name }) => `${run_id} (${type}/${name})`);
  return `${subject} It has ${questions.length} open questions; answer each with its own run_id: ${named.join(', ')}. list_interactions with run_id ${run.run_id} lists all of them.`;
}
