// The input of a run, as the person writes it.
import { Select, Skeleton, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import type { Json } from '../../../shared/json.ts';
import type { Definition } from '../../../shared/api/index.ts';
import type { DefinitionKey } from '../../api/queries.ts';
import { InputForm } from '../../forms/input-form.tsx';
import { firstInput, keepInput, readInput, runInputOf } from '../../forms/kept-input.ts';
import { blankValue } from '../../forms/schema/blank-value.ts';
import { EventExample } from './event-example.tsx';
import { blankList, eventInputOf } from './event-input.ts';

type Declared = Pick<Definition, 'input_schema' | 'triggers'>;

export type RunInput = ReturnType<typeof useRunInput>;

/**
 * It begins with the input of a repeated run, or with what was kept, or with the first example.
 * @param declared what a draft declares; undefined for the saved version
 */
export function useRunInput(
  definitionKey: DefinitionKey,
  definition: Definition | undefined,
  declared: Declared | undefined,
  prefilled: Json | undefined,
) {
  const name = runInputOf(definitionKey);
  const examples = definition?.details.examples ?? [];
  const [kept] = useState(() => (prefilled === undefined ? readInput(name) : { value: prefilled }));
  const [written, setWritten] = useState<Json | undefined>(() => firstInput(kept, examples));
  const [example, setExample] = useState<string | null>(kept === undefined && examples[0] !== undefined ? '0' : null);
  const [broken, setBroken] = useState(kept?.broken);
  const [isUnread, setUnread] = useState(false);
  const { input_schema: schema, triggers } = declared ?? definition ?? {};
  const events = useMemo(() => eventInputOf(triggers), [triggers]);
  const blank = useMemo(
    () => (schema === undefined && events !== undefined ? blankList(events) : blankValue(schema ?? {}, {})),
    [schema, events],
  );
  const value = written === undefined ? blank : written;
  const write = (next: Json, ofExample: string | null = null): void => {
    setWritten(next);
    setExample(ofExample);
    keepInput(name, { value: next });
  };
  return {
    value,
    broken,
    schema,
    events,
    examples,
    example,
    setExample,
    write,
    setUnread,
    isComplete: broken === undefined && !isUnread,
    writeBroken: (text: string | undefined): void => {
      setBroken(text);
      keepInput(name, { value, broken: text });
    },
    replace: (next: Json, ofExample?: string): void => {
      write(next, ofExample);
      setBroken(undefined);
    },
  };
}

export interface InputFieldsProps {
  playbook: string;
  input: RunInput;
  /** The run that is repeated. */
  first: string | undefined;
  isLoading: boolean;
}

export function InputFields({ playbook, input, first, isLoading }: InputFieldsProps) {
  const { events, examples } = input;
  return (
    <>
      {examples.length > 0 && (
        <Select
          size="xs"
          mb="sm"
          aria-label="Example"
          placeholder="Choose an example"
          data={examples.map((one, index) => ({ value: String(index), label: one.name }))}
          value={input.example}
          onChange={(index) => {
            const chosen = examples[Number(index)];
            if (index === null || chosen === undefined) input.setExample(null);
            else input.replace(chosen.input, index);
          }}
        />
      )}
      {first !== undefined && (
        <Text size="sm" c="dimmed" mb="xs">
          Input from{' '}
          <Link to="/playbooks/$playbook/runs/$runId" params={{ playbook, runId: first }}>
            run {first.slice(0, 8)}
          </Link>
          .
        </Text>
      )}
      {events !== undefined && first === undefined && (
        <EventExample playbook={playbook} input={events} onUse={(list) => input.replace(list)} />
      )}
      {isLoading ? (
        <Skeleton height={260} />
      ) : (
        <InputForm
          schema={input.schema}
          hint={events === undefined ? undefined : null}
          onUnread={input.setUnread}
          value={input.value}
          broken={input.broken}
          onBroken={input.writeBroken}
          onChange={(value) => input.write(value)}
        />
      )}
    </>
  );
}
