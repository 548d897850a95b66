import type { InteractionRequest } from '../../../shared/schemas/index.ts';
import type { ReadTransaction } from '../../kernel/log/index.ts';
import { requireRun } from '../runs/index.ts';
import { conversationOf, readRequestContent } from './put-requests.ts';
import type { RequestRow } from './sql.ts';

export async function presentRequest(tx: ReadTransaction, row: RequestRow): Promise<InteractionRequest> {
  const { message, input, answerSchema } = await readRequestContent(tx, row);
  const { delivery_server: server, delivery_tool: tool } = row;
  const conversation = conversationOf(row);
  const { called_by: calledBy } = await requireRun(tx, row, row.run_id);
  return {
    run_id: row.run_id,
    ...(calledBy === null ? {} : { called_by: JSON.parse(calledBy) as NonNullable<InteractionRequest['called_by']> }),
    type: row.type,
    function: row.name,
    version: Number(row.version),
    to: row.to_party,
    delivery: server === null || tool === null ? null : { server, tool },
    message,
    ...(input === undefined ? {} : { input }),
    takes_answer: Number(row.takes_answer) === 1,
    answer_schema: answerSchema,
    requested_at: row.requested_at,
    expires_at: row.expires_at,
    attempts: Number(row.attempts),
    conversation: conversation === null ? null : String(conversation),
    answerer: row.answerer,
    reply_refusals: Number(row.reply_refusals),
    standing: row.standing,
  };
}
