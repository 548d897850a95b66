// A kind that ships nowhere: it asks a party to choose one of a few options, or takes a choice that is in its input.
import type { DefinitionType } from '../../../../shared/definition-types.ts';
import { isJsonObject, type JsonObject } from '../../../../shared/json.ts';
import type { Checked } from '../../../kinds/checked.ts';
import type { Decision, RunInput } from '../../../kinds/durable.ts';
import type { Kind } from '../../../kinds/kind.ts';
import type { Ending } from '../../../kinds/run.ts';
import type { Sources } from '../../../lib/yaml/index.ts';

/** One of the types only once the test has added its line to them. */
const TYPE: string = 'ballot';
const NO_DOCUMENT = 'A ballot is an object with `question` and `options`.';
const DAY = 24 * 60 * 60 * 1000;

interface Ballot {
  question: string;
  options: string[];
  expose?: boolean;
}

const INPUT = {
  type: 'object',
  properties: { voter: { type: 'string' }, choice: { type: 'string' } },
  additionalProperties: false,
};
const OUTPUT = { type: 'object', required: ['chosen'], properties: { chosen: { type: 'string' } } };

export function createBallotKind({ sources }: { sources: Sources }): Kind {
  return {
    type: TYPE as DefinitionType,
    traits: {},
    async check(source, place): Promise<Checked> {
      const read = await sources.read({ source, otherwise: NO_DOCUMENT }, { playbookKey: place });
      if (!read.ok) return read;
      const { question, options, expose = false } = read.value as Partial<Ballot>;
      if (typeof question !== 'string' || !Array.isArray(options)) {
        return { ok: false, issues: [{ pointer: '/source', line: 1, column: 1, detail: NO_DOCUMENT }] };
      }
      const overview = `**Does** Asks "${question}".`;
      const schemas = { inputSchema: INPUT, outputSchema: OUTPUT };
      return {
        ok: true,
        document: { description: question, ...schemas, examples: [], expose, overview, references: [], warnings: [] },
      };
    },
    async start(run) {
      const { question, options } = (await sources.valueOf(run.source)) as unknown as Ballot;
      const { voter = 'people/anyone', choice } = run.input as { voter?: string; choice?: string };
      if (choice !== undefined) return endingWith(choice);
      const answerSchema: JsonObject = { enum: options };
      const request = { to: voter, message: question, answerSchema, expiresAt: run.startedAt + DAY, delivery: null };
      const decision: Decision = {
        moved: [],
        parts: new Map([['voter', voter]]),
        commands: [{ do: 'put_request', request }],
        waitsFor: `the choice of ${voter}`,
        until: request.expiresAt,
      };
      return { status: 'waiting', decision };
    },
    async decide(_run, state, input) {
      const ending = endingOf(input, String(await state.part('voter')));
      return { moved: [], parts: new Map(), commands: [], ending };
    },
  };
}

function endingOf({ kind, data }: RunInput, voter: string): Ending {
  if (kind === 'request_ended' && data['status'] === 'succeeded') return endingWith(String(data['output']), { voter });
  const { rejection } = data;
  const detail = String(isJsonObject(rejection) ? rejection['detail'] : data['detail']);
  return kind === 'cancel_requested'
    ? { status: 'rejected', rejection: { reason: 'cancelled', kind: String(data['kind']), detail } }
    : { status: 'rejected', rejection: { reason: 'unanswered', kind: 'expired', detail } };
}

function endingWith(chosen: string, record: JsonObject = {}): Ending {
  return { status: 'succeeded', output: { chosen }, record };
}
