import { Button, Group, Stack } from '@mantine/core';
import { Braces, Plus, X } from 'lucide-react';
import { createContext, type ReactNode, useContext, useState } from 'react';
import type { Json } from '../../../shared/json.ts';
import type { FieldShape } from '../schema/describe-field.ts';
import type { ShapedFieldProps } from './form-context.ts';
import { JsonValueField } from './text-fields.tsx';

/** How many levels of a value are fields at first; deeper ones are JSON. */
const SHOWN_LEVELS = 4;
const Level = createContext(0);

/** A field that contains fields of the same schema: each level is shown when a person opens it. */
export function RecursiveField({ children, ...props }: ShapedFieldProps & { children: ReactNode }) {
  const { value, label, field, isRequired, onChange } = props;
  const level = useContext(Level);
  const [isOpen, setOpen] = useState(
    value === undefined ? isBounded(field.shape) : level < SHOWN_LEVELS || isFlat(value),
  );
  const [isRead, setRead] = useState(true);
  const isEmpty = value === undefined;
  if (isOpen) {
    return (
      <Level value={level + 1}>
        <Stack gap={6}>
          {children}
          {!isBounded(field.shape) && !isRequired && (
            <Group justify="flex-end">
              <Button
                size="compact-sm"
                variant="subtle"
                color="gray"
                leftSection={<X size={14} aria-hidden />}
                onClick={() => {
                  setOpen(false);
                  onChange(undefined);
                }}
              >
                Remove {label}
              </Button>
            </Group>
          )}
        </Stack>
      </Level>
    );
  }
  return (
    <Stack gap={6}>
      {!isEmpty && <JsonValueField {...props} onRead={setRead} />}
      <Group>
        <Button
          size="compact-sm"
          variant="default"
          leftSection={isEmpty ? <Plus size={14} aria-hidden /> : <Braces size={14} aria-hidden />}
          // The fields cannot show what is not JSON yet.
          disabled={!isRead}
          onClick={() => setOpen(true)}
        >
          {isEmpty ? `Add ${label}` : `Show the fields of ${label}`}
        </Button>
      </Group>
    </Stack>
  );
}

/** Without a value, it has no fields of the same schema. */
function isBounded(shape: FieldShape): boolean {
  return shape.kind !== 'object' && (shape.kind !== 'list' || shape.first.length === 0);
}

function isFlat(value: Json): boolean {
  return typeof value !== 'object' || Object.values(value ?? {}).every((member) => typeof member !== 'object');
}
