// Asks a person for an answer: one question a field, or one for all where the answer is no object of named fields.
import { createInterface } from 'node:readline/promises';
import type { Issue } from '../../../shared/issues.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../shared/json.ts';
import { answerOfText, type TakenText } from '../../kinds/interaction/index.ts';
import { schemaWords } from './inbox-words.ts';
import { harmless } from './output.ts';

/** Undefined where there is nobody to ask any more. */
export type Ask = (question: string) => Promise<string | undefined>;

/** What of a value does not fit. */
export type Checker = (schema: JsonObject, value: Json) => Promise<readonly Issue[]>;

/** The answer that a text is, as a reply would be taken, or what of it does not fit. */
export function takeWords(schema: JsonObject, text: string, check: Checker): Promise<TakenText> {
  return answerOfText(schema, text, (answer) => check(schema, answer));
}

/** Undefined where the person gave nothing. @param tell says what is wrong with what was given */
export async function askForAnswer(
  schema: JsonObject,
  ask: Ask,
  tell: (sentence: string) => void,
  check: Checker,
): Promise<Json | undefined> {
  const { properties } = schema;
  if (!isJsonObject(properties) || Object.keys(properties).length === 0)
    return askForValue('Answer', schema, { ask, tell, check });
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  for (;;) {
    const answer: JsonObject = {};
    for (const [name, property] of Object.entries(properties)) {
      const isNeeded = required.includes(name);
      const given = await askForValue(isNeeded ? name : `${name} (optional)`, isJsonObject(property) ? property : {}, {
        ask,
        tell,
        check,
      });
      if (given === undefined && isNeeded) return undefined;
      if (given !== undefined) answer[name] = given;
    }
    const issues = await check(schema, answer);
    if (issues.length === 0) return answer;
    tell(issues.map(({ detail }) => detail).join(' '));
  }
}

async function askForValue(
  name: string,
  schema: JsonObject,
  { ask, tell, check }: { ask: Ask; tell: (sentence: string) => void; check: Checker },
): Promise<Json | undefined> {
  for (;;) {
    const text = await ask(`${name}, ${schemaWords(schema)}: `);
    if (text === undefined || text.trim() === '') return undefined;
    const taken = await answerOfText(schema, text, (value) => check(schema, value));
    if (taken.ok) return taken.answer;
    tell(taken.issues.map(({ detail }) => detail).join(' '));
  }
}

export interface Terminal {
  /** Undefined once the input has ended. */
  ask: (question: string) => Promise<string | undefined>;
  close(): void;
}

/** Who sits at the terminal; undefined where input or output is none. */
export function openTerminal(): Terminal | undefined {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return undefined;
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const ended = new Promise<undefined>((resolve) => lines.once('close', () => resolve(undefined)));
  return {
    ask: (question) => Promise.race([lines.question(harmless(question)), ended]),
    close: () => lines.close(),
  };
}
