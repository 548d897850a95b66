import { ActionIcon, Button, Group, Input, Stack } from '@mantine/core';
import { ArrowDown, ArrowUp, Plus, X } from 'lucide-react';
import type { Json } from '../../../shared/json.ts';
import { blankOf } from '../schema/blank-value.ts';
import type { ListShape } from '../schema/describe-field.ts';
import { Fieldset } from './fieldset.tsx';
import { type ShapedFieldProps, useForm } from './form-context.ts';
import { useIssue } from './use-issue.tsx';

/** The items of a list, or the parts of a tuple. An item that is still empty is null. */
export function ListField({ shape, ...props }: ShapedFieldProps & { shape: ListShape }) {
  const { value, onChange, label, isRequired, field } = props;
  const { checks, Field } = useForm();
  const { error } = useIssue(props);
  const items = Array.isArray(value) ? value : [];
  const { first, others } = shape;
  const count = Math.max(items.length, first.length);
  const write = (next: readonly (Json | undefined)[]): void => {
    // The parts of a tuple that are empty at its end are not sent.
    const last = next.findLastIndex((item, at) => at >= first.length || (item !== undefined && item !== null));
    const kept = next.slice(0, last + 1).map((item) => item ?? null);
    onChange(kept.length === 0 && !isRequired ? undefined : kept);
  };
  const all = Array.from({ length: count }, (_, at) => items[at]);
  const max = typeof field.schema['maxItems'] === 'number' ? field.schema['maxItems'] : Number.POSITIVE_INFINITY;
  const least = typeof field.schema['minItems'] === 'number' ? field.schema['minItems'] : 0;
  return (
    <Fieldset {...props}>
      <Stack gap="xs">
        {all.map((item, at) => {
          const isOwn = at < first.length;
          const name = `${label} ${at + 1}`;
          return (
            <Group key={at} gap="xs" align="flex-start" wrap="nowrap">
              <div className="schema-form-grow">
                <Field
                  schema={first[at] ?? others ?? true}
                  label={isOwn ? titleOr(first[at], name) : name}
                  at={[...props.at, at]}
                  isLabelHidden={!isOwn}
                  value={item}
                  isRequired={!isOwn || isRequired || at < least}
                  onChange={(next) => write(all.with(at, next))}
                />
              </div>
              {!isOwn && (
                <ItemButtons
                  name={name}
                  onUp={at > first.length ? () => write(moved(all, at, at - 1)) : undefined}
                  onDown={at + 1 < count ? () => write(moved(all, at, at + 1)) : undefined}
                  onRemove={() => write(all.toSpliced(at, 1))}
                />
              )}
            </Group>
          );
        })}
      </Stack>
      {error !== undefined && <Input.Error mt="xs">{error}</Input.Error>}
      {others !== undefined && count < max && (
        <Group justify="flex-end" mt="xs">
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<Plus size={14} aria-hidden />}
            aria-label={`Add an item to ${label}`}
            onClick={() => write([...all, blankOf(others, checks)])}
          >
            Add an item
          </Button>
        </Group>
      )}
    </Fieldset>
  );
}

function titleOr(schema: Json | undefined, name: string): string {
  const title = typeof schema === 'object' && schema !== null && !Array.isArray(schema) ? schema['title'] : undefined;
  return typeof title === 'string' && title.trim() !== '' ? title : name;
}

function moved<Item>(list: readonly Item[], from: number, to: number): Item[] {
  const [item] = list.slice(from, from + 1);
  return item === undefined ? [...list] : list.toSpliced(from, 1).toSpliced(to, 0, item);
}

interface ItemButtonsProps {
  name: string;
  onUp: (() => void) | undefined;
  onDown: (() => void) | undefined;
  onRemove: () => void;
}

function ItemButtons({ name, onUp, onDown, onRemove }: ItemButtonsProps) {
  const common = { variant: 'subtle', color: 'gray', size: 'md', mt: 4 } as const;
  return (
    <Group gap={0} wrap="nowrap">
      <ActionIcon {...common} aria-label={`Move ${name} up`} disabled={onUp === undefined} onClick={onUp}>
        <ArrowUp size={15} aria-hidden />
      </ActionIcon>
      <ActionIcon {...common} aria-label={`Move ${name} down`} disabled={onDown === undefined} onClick={onDown}>
        <ArrowDown size={15} aria-hidden />
      </ActionIcon>
      <ActionIcon {...common} aria-label={`Remove ${name}`} onClick={onRemove}>
        <X size={15} aria-hidden />
      </ActionIcon>
    </Group>
  );
}
