// A model call as telemetry records it, by the OpenTelemetry semantic conventions for generative AI. Prompts and answers are left out.
import type { TracedCall } from '../../lib/telemetry/index.ts';
import type { ModelRequest, ModelTurn } from '../../kinds/models.ts';
import type { Resolution } from './resolve.ts';

interface FinishedCall {
  resolution: Resolution;
  startedAt: number;
  endedAt: number;
  turn?: ModelTurn;
  error?: string;
}

export function tracedCall(
  { runId, traceId }: Pick<ModelRequest, 'runId' | 'traceId'>,
  { resolution, startedAt, endedAt, turn, error }: FinishedCall,
): TracedCall {
  // A reference that leads nowhere is any text of an author's: as a name of a series it would have no bound.
  const model = resolution.ok ? resolution.model : '_OTHER';
  return {
    span: `chat ${model}`,
    metric: 'gen_ai.client.operation.duration',
    startedAt,
    endedAt,
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': resolution.ok ? resolution.provider.prefix : '_OTHER',
      'gen_ai.request.model': model,
      ...(turn?.reported === undefined ? {} : { 'gen_ai.response.model': turn.reported }),
    },
    details: {
      'cuebook.run_id': runId,
      ...(turn === undefined
        ? {}
        : {
            'gen_ai.usage.input_tokens': turn.tokens.input,
            'gen_ai.usage.output_tokens': turn.tokens.output,
          }),
    },
    ...(error === undefined ? {} : { error }),
    ...(traceId === undefined ? {} : { traceId }),
  };
}
