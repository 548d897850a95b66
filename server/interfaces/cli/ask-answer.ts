// Prompts a person for an answer: one prompt per field, or one prompt if the answer is not an object with known fields.
import { createInterface } from 'node:readline/promises';
import type { Issue } from '../../../shared/issues.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../shared/json.ts';
import { createSchemaChecker } from '../../lib/schemas/index.ts';
import { answerOfText, type TakenText } from '../../kinds/interaction/index.ts';
import { schemaWords } from './inbox-words.ts';
import { harmless } from './output.ts';

/** Undefined once the input has ended. */
export type Ask = (question: string) => Promise<string | undefined>;

/** The issues of a value. */
export type Checker = (schema: JsonObject, value: Json) => Promise<readonly Issue[]>;

/** Calls `use` with a checker of answers. */
export async function withChecker<T>(use: (check: Checker) => Promise<T>): Promise<T> {
  const schemas = createSchemaChecker();
  try {
    return await use((schema, value) => schemas.compileSchema(schema, 'The answer').check(value, ''));
  } finally {
    await schemas.close();
  }
}

/** Reads a text as an answer, as a reply is read; or the issues of the text. */
export function takeWords(schema: JsonObject, text: string, check: Checker): Promise<TakenText> {
  return answerOfText(schema, text, (answer) => check(schema, answer));
}

/** Undefined if the person entered nothing. @param report prints the issues of an entry */
export async function askForAnswer(
  schema: JsonObject,
  ask: Ask,
  report: (sentence: string) => void,
  check: Checker,
): Promise<Json | undefined> {
  const { properties } = schema;
  if (!isJsonObject(properties) || Object.keys(properties).length === 0)
    return askForValue('Answer', schema, { ask, report, check });
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  for (;;) {
    // A field may be named `__proto__`.
    const entered: [string, Json][] = [];
    for (const [name, property] of Object.entries(properties)) {
      const isNeeded = required.includes(name);
      const given = await askForValue(isNeeded ? name : `${name} (optional)`, isJsonObject(property) ? property : {}, {
        ask,
        report,
        check,
      });
      if (given === undefined && isNeeded) return undefined;
      if (given !== undefined) entered.push([name, given]);
    }
    const answer: JsonObject = Object.fromEntries(entered);
    const issues = await check(schema, answer);
    if (issues.length === 0) return answer;
    report(issues.map(({ detail }) => detail).join(' '));
  }
}

async function askForValue(
  name: string,
  schema: JsonObject,
  { ask, report, check }: { ask: Ask; report: (sentence: string) => void; check: Checker },
): Promise<Json | undefined> {
  for (;;) {
    const text = await ask(`${name}, ${schemaWords(schema)}: `);
    if (text === undefined || text.trim() === '') return undefined;
    const taken = await answerOfText(schema, text, (value) => check(schema, value));
    if (taken.ok) return taken.answer;
    report(taken.issues.map(({ detail }) => detail).join(' '));
  }
}

export interface Terminal {
  /** Undefined once the input has ended. */
  ask: (question: string) => Promise<string | undefined>;
  close(): void;
}

/** The terminal; undefined if standard input or standard error is not one. */
export function openTerminal(): Terminal | undefined {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return undefined;
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const ended = new Promise<undefined>((resolve) => lines.once('close', () => resolve(undefined)));
  return {
    ask: (question) => Promise.race([lines.question(harmless(question)), ended]),
    close: () => lines.close(),
  };
}
