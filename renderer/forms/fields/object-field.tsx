import { ActionIcon, Button, Group, Input, Stack, TextInput } from '@mantine/core';
import { Plus, X } from 'lucide-react';
import { useRef, useState } from 'react';
import { isJsonObject, type Json, type JsonObject } from '../../../shared/json.ts';
import { blankOf } from '../schema/blank-value.ts';
import type { SchemaChecks } from '../schema/checks.ts';
import { describeField, type ObjectShape } from '../schema/describe-field.ts';
import { Fieldset } from './fieldset.tsx';
import { type ShapedFieldProps, useForm } from './form-context.ts';
import { useIssue } from './use-issue.tsx';

export type ObjectFieldProps = ShapedFieldProps & { shape: ObjectShape };

export function ObjectField({ shape, isRoot = false, hidden, ...props }: ObjectFieldProps) {
  const { value } = props;
  const { Field, checks } = useForm();
  const { error } = useIssue(props);
  const added = useRef<string>(undefined);
  const members = isJsonObject(value) ? value : {};
  const setMember = useMemberEdits({ shape, ...props });
  // What a form demands counts once it is filled in.
  const isPresent = value !== undefined || props.isRequired;
  const others = Object.keys(members).filter((name) => !shape.properties.has(name));
  const isShown = ([name, schema]: [string, Json]): boolean =>
    hidden?.has(name) !== true &&
    (Object.hasOwn(members, name) || (schema !== false && (shape.required.has(name) || !isOnlyRead(schema, checks))));
  /** The field that was just added is the next to be filled in. */
  const focusAdded = (name: string, holder: HTMLElement | null): void => {
    if (holder === null || added.current !== name) return;
    added.current = undefined;
    holder.querySelector<HTMLElement>('input, textarea, button')?.focus();
  };
  const content = (
    <Stack gap="md">
      {[...shape.properties].filter(isShown).map(([name, schema]) => (
        <Field
          key={name}
          schema={schema}
          label={labelOf(schema, name)}
          at={[...props.at, name]}
          value={ownMember(members, name)}
          isRequired={shape.required.has(name) && isPresent}
          onChange={(next) => setMember(name, next)}
        />
      ))}
      {others.map((name) => (
        <Group key={name} gap="xs" align="flex-start" wrap="nowrap">
          <div className="schema-form-grow" ref={(holder) => focusAdded(name, holder)}>
            <Field
              schema={shape.extras}
              label={name}
              at={[...props.at, name]}
              value={ownMember(members, name)}
              isRequired
              onChange={(next) => setMember(name, next ?? null)}
            />
          </div>
          <ActionIcon
            variant="subtle"
            color="gray"
            mt={26}
            aria-label={`Remove ${name}`}
            onClick={() => setMember(name, undefined)}
          >
            <X size={15} aria-hidden />
          </ActionIcon>
        </Group>
      ))}
      {shape.isOpen && (
        <AddField
          members={members}
          shape={shape}
          label={props.label}
          onAdd={(name, blank) => {
            added.current = name;
            setMember(name, blank);
          }}
        />
      )}
      {error !== undefined && <Input.Error>{error}</Input.Error>}
    </Stack>
  );
  return isRoot ? content : <Fieldset {...props}>{content}</Fieldset>;
}

/** Whether the value of a field comes from elsewhere, and is only to be read. */
function isOnlyRead(schema: Json, checks: SchemaChecks): boolean {
  return describeField(schema, undefined, checks).schema['readOnly'] === true;
}

function labelOf(schema: Json, name: string): string {
  const title = isJsonObject(schema) ? schema['title'] : undefined;
  return typeof title === 'string' && title.trim() !== '' ? title : name;
}

const ownMember = (members: JsonObject, name: string): Json | undefined =>
  Object.hasOwn(members, name) ? members[name] : undefined;

/** Sets or removes a member. What a condition no longer shows is not sent; it returns when the condition holds again. */
function useMemberEdits({ schema, shape, value, isRequired, onChange, isRoot }: Omit<ObjectFieldProps, 'field'>) {
  const { checks } = useForm();
  const gone = useRef(new Map<string, Json>());
  return (name: string, next: Json | undefined): void => {
    const blank = isJsonObject(value) ? value : blankOf(schema, checks);
    const entries = new Map(Object.entries(isJsonObject(blank) ? blank : {}));
    if (next === undefined) entries.delete(name);
    else entries.set(name, next);
    const edited = Object.fromEntries(entries);
    const after = describeField(schema, edited, checks).shape;
    const known: ReadonlyMap<string, Json> = after.kind === 'object' ? after.properties : shape.properties;
    for (const other of shape.properties.keys()) {
      const left = ownMember(edited, other);
      if (known.has(other) || left === undefined) continue;
      gone.current.set(other, left);
      entries.delete(other);
    }
    for (const [other, property] of known) {
      if (shape.properties.has(other) || entries.has(other)) continue;
      const restored = gone.current.get(other) ?? describeField(property, undefined, checks).schema['default'];
      if (restored !== undefined) entries.set(other, restored);
    }
    onChange(entries.size === 0 && !isRequired && isRoot !== true ? undefined : Object.fromEntries(entries));
  };
}

interface AddFieldProps {
  members: JsonObject;
  shape: ObjectShape;
  label: string;
  onAdd: (name: string, value: Json) => void;
}

/** Adds a field whose name the person writes. */
function AddField({ members, shape, label, onAdd }: AddFieldProps) {
  const { checks } = useForm();
  const [name, setName] = useState('');
  const isTaken = shape.properties.has(name) || Object.hasOwn(members, name);
  const add = (): void => {
    if (name === '' || isTaken) return;
    onAdd(name, blankOf(shape.extras, checks) ?? null);
    setName('');
  };
  return (
    <Group gap="xs" align="flex-start" wrap="nowrap">
      <TextInput
        className="schema-form-grow"
        aria-label={label === '' ? 'Name of a new field' : `Name of a new field of ${label}`}
        placeholder="Name of a new field"
        value={name}
        error={isTaken ? `There is already a field ${name}.` : undefined}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.ctrlKey || event.metaKey) return;
          event.preventDefault();
          add();
        }}
      />
      <Button
        variant="default"
        leftSection={<Plus size={14} aria-hidden />}
        disabled={name === '' || isTaken}
        onClick={add}
      >
        Add field
      </Button>
    </Group>
  );
}
