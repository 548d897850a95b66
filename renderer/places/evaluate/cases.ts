// The cases of a definition in this browser, in the form of NAME.cases.jsonl: one JSON object a line.
import { useState } from 'react';
import { isJsonObject, type Json } from '../../../shared/json.ts';
import type { DefinitionKey } from '../../api/queries.ts';
import { workKey } from '../../sign-in/kept-work.ts';
import { readStored, writeStored } from '../../ui/browser-storage.ts';

export interface EvaluationCase {
  name?: string;
  input: Json;
  /** The expected output; instead of `check`. */
  expect?: Json;
  /** A jq expression over `{ input, output }`. */
  check?: string;
}

const MOST_CASES = 1000;

const MEMBERS = ['name', 'input', 'expect', 'check'];

/** Reads the lines of a file; what is wrong with a line is said with its number. */
export function parseCases(text: string): { cases: EvaluationCase[]; wrongs: string[] } {
  const cases: EvaluationCase[] = [];
  const wrongs: string[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const read = parseCase(line);
    if (typeof read === 'string') wrongs.push(`Line ${index + 1}: ${read}`);
    else if (cases.length >= MOST_CASES) {
      wrongs.push(`At most ${MOST_CASES} cases are permitted. Split the file.`);
      break;
    } else cases.push(read);
  }
  return { cases, wrongs };
}

function parseCase(line: string): EvaluationCase | string {
  let value: Json;
  try {
    value = JSON.parse(line) as Json;
  } catch (error) {
    return `This is not valid JSON: ${error instanceof Error ? error.message : String(error)}`;
  }
  if (!isJsonObject(value) || value['input'] === undefined) return 'A case is an object with `input`.';
  const unknown = Object.keys(value).find((name) => !MEMBERS.includes(name));
  if (unknown !== undefined) return `\`${unknown}\` is unknown. A case has ${MEMBERS.join(', ')}.`;
  if ((value['expect'] === undefined) === (value['check'] === undefined)) {
    return 'A case has either `expect` (the output) or `check` (a jq expression).';
  }
  if (value['check'] !== undefined && typeof value['check'] !== 'string') return '`check` must be a text.';
  if (value['name'] !== undefined && typeof value['name'] !== 'string') return '`name` must be a text.';
  return value as unknown as EvaluationCase;
}

export function casesText(cases: readonly EvaluationCase[]): string {
  return cases.map((one) => `${JSON.stringify(one)}\n`).join('');
}

const keyOf = ({ playbook, type, name }: DefinitionKey): string => workKey(`cases ${playbook} ${type}/${name}`);

function readCases(key: DefinitionKey): EvaluationCase[] {
  const kept = readStored('localStorage', keyOf(key));
  return typeof kept === 'string' ? parseCases(kept).cases : [];
}

export function addCase(key: DefinitionKey, one: EvaluationCase): void {
  writeStored('localStorage', keyOf(key), casesText([...readCases(key), one]));
}

export function useCases(key: DefinitionKey): [EvaluationCase[], (cases: EvaluationCase[]) => void] {
  const [cases, setCases] = useState(() => readCases(key));
  return [
    cases,
    (next) => {
      writeStored('localStorage', keyOf(key), casesText(next));
      setCases(next);
    },
  ];
}
