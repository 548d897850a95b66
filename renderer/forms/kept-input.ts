// What a person enters in a form, kept for the tab: it survives other pages and a reload. It may hold secrets, so it is not
// kept for longer, and is deleted when the person signs out.
import { useState } from 'react';
import { isJsonObject, type Json } from '../../shared/json.ts';
import type { DefinitionKey } from '../api/queries.ts';
import { workKey } from '../sign-in/kept-work.ts';
import { readStored, removeStored, writeStored } from '../ui/browser-storage.ts';
import type { EditedValue } from './json-field.tsx';

export interface WrittenInput {
  value: Json;
  /** JSON text that does not parse yet. */
  broken?: string | undefined;
}

/** The first words say where it is entered, the others what it is for. */
export type InputName = `${'run' | 'bench' | 'tool' | 'event'} input ${string}`;

export const runInputOf = ({ playbook, type, name }: DefinitionKey): InputName =>
  `run input ${playbook} ${type}/${name}`;

/** The initial value of a form: the kept one, or the first example; undefined if there is neither. */
export function firstInput(
  kept: Pick<WrittenInput, 'value'> | undefined,
  examples: readonly { input?: Json }[],
): Json | undefined {
  return kept === undefined ? examples[0]?.input : kept.value;
}

export function readInput(name: InputName): WrittenInput | undefined {
  const kept = readStored('sessionStorage', workKey(name)) as Json | undefined;
  return isJsonObject(kept) && kept['value'] !== undefined ? (kept as unknown as WrittenInput) : undefined;
}

export function keepInput(name: InputName, input: WrittenInput): void {
  writeStored('sessionStorage', workKey(name), input);
}

export function dropInput(name: InputName): void {
  removeStored('sessionStorage', workKey(name));
}

/** A value that is kept as it is entered. @param first the value where none is kept */
export function useKeptInput(name: InputName, first: () => Json): EditedValue {
  const [written, setWritten] = useState<WrittenInput>(() => readInput(name) ?? { value: first() });
  const write = (change: Partial<WrittenInput>): void =>
    setWritten((before) => {
      const next = { ...before, ...change };
      keepInput(name, next);
      return next;
    });
  return {
    ...written,
    broken: written.broken,
    onChange: (value) => write({ value }),
    onBroken: (broken) => write({ broken }),
  };
}
