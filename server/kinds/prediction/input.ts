// The input of a prediction run: a question, or the request of a build.
import { isJsonObject, type Json, type JsonObject } from '../../../shared/json.ts';
import type { Issue } from '../../../shared/issues.ts';
import type { PredictionFunction } from './document.ts';

export type PredictionInput =
  | { ask: 'question'; series: string; horizon: number | undefined }
  | { ask: 'build'; dataset: string | undefined };

/**
 * JSON Schema of the input. It is one object without alternatives at its top, since models refuse tools whose input
 * has some; `readInput` refuses what is neither a question nor a build.
 */
export function inputSchemaOf({ horizons, horizon }: PredictionFunction): JsonObject {
  const isEach = horizons.length === horizon;
  return {
    type: 'object',
    description: 'A question, { series, horizon }, or the request of a build, { build }.',
    additionalProperties: false,
    properties: {
      series: {
        type: 'string',
        minLength: 1,
        maxLength: 256,
        description: 'Question: the name of the series to predict.',
      },
      horizon: {
        ...(isEach ? { type: 'integer', minimum: 1, maximum: horizon } : { enum: [...horizons] }),
        description: 'Question: how many periods ahead to predict. Default: every horizon of the function.',
      },
      build: {
        type: 'object',
        additionalProperties: false,
        properties: {
          dataset: {
            type: 'string',
            pattern: '^[0-9a-f]{64}$',
            description: 'SHA-256 of an uploaded dataset. Default: the newest one with the columns of the function.',
          },
        },
        description: 'Build: asks the trainer for models and scores them; {} uses the newest dataset.',
      },
    },
  };
}

/** What an input that fits the schema asks for. */
export function readInput(input: Json): PredictionInput | { issue: Issue } {
  const { series, horizon, build } = isJsonObject(input) ? input : {};
  if (typeof series === 'string' && build === undefined) {
    return { ask: 'question', series, horizon: typeof horizon === 'number' ? horizon : undefined };
  }
  if (isJsonObject(build) && series === undefined && horizon === undefined) {
    const { dataset } = build;
    return { ask: 'build', dataset: typeof dataset === 'string' ? dataset : undefined };
  }
  const detail =
    build === undefined
      ? 'The input must name a `series` to predict, for example { "series": "north" }, or start a build with { "build": {} }.'
      : 'A build takes no `series` and no `horizon`; write { "build": {} }, or leave `build` out to ask a question.';
  return { issue: { pointer: '/input', detail } };
}
