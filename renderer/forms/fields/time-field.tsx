import { ActionIcon, Popover, TextInput } from '@mantine/core';
import { DatePicker } from '@mantine/dates';
import { CalendarDays, Clock3 } from 'lucide-react';
import { useState } from 'react';
import type { Json } from '../../../shared/json.ts';
import { localOffset, pickedTime, type ReadTime, readTime, TIME_EXAMPLES, type TimeFormat } from '../text/time-text.ts';
import type { ShapedFieldProps } from './form-context.ts';
import { labelProps } from './labels.tsx';
import { useIssue } from './use-issue.tsx';

const PICKED: Readonly<Record<TimeFormat, string>> = {
  date: 'Choose a date',
  time: 'Choose a time',
  'date-time': 'Choose a date and a time',
};

/** A date, a time or both, typed or picked. The text stays as it was typed; the value is what the format demands. */
export function TimeField({ format, ...props }: ShapedFieldProps & { format: TimeFormat }) {
  const { value, onChange, label } = props;
  const [typed, setTyped] = useState<{ text: string; value: Json | undefined }>();
  const text = typed !== undefined && typed.value === value ? typed.text : typeof value === 'string' ? value : '';
  const read = (next: string): ReadTime | undefined => readTime(format, next, localOffset, Date.now());
  const found = read(text);
  const { error, onBlur } = useIssue(props, found !== undefined && 'problem' in found ? found.problem : undefined);
  const [isOpen, setOpen] = useState(false);
  const write = (next: string): void => {
    const result = read(next);
    const nextValue = result === undefined ? undefined : 'text' in result ? result.text : next;
    setTyped({ text: next, value: nextValue });
    onChange(nextValue);
  };
  const isSentAs = error === undefined && typeof value === 'string' && text.trim() !== value;
  const shown = labelProps(props);
  return (
    <TextInput
      {...shown}
      autoComplete="off"
      spellCheck={false}
      placeholder={TIME_EXAMPLES[format]}
      value={text}
      error={error}
      description={
        isSentAs ? (
          <>
            {shown.description !== undefined && <>{shown.description} </>}
            Sent as {value}
          </>
        ) : (
          shown.description
        )
      }
      onBlur={onBlur}
      onChange={({ currentTarget }) => write(currentTarget.value)}
      rightSection={
        <Popover opened={isOpen} onChange={setOpen} trapFocus returnFocus position="bottom-end" shadow="md">
          <Popover.Target>
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={`${PICKED[format]} for ${label}`}
              onClick={() => setOpen(!isOpen)}
            >
              {format === 'time' ? <Clock3 size={16} aria-hidden /> : <CalendarDays size={16} aria-hidden />}
            </ActionIcon>
          </Popover.Target>
          <Popover.Dropdown aria-label={PICKED[format]}>
            <Picker format={format} text={text} onPick={write} onDone={() => setOpen(false)} />
          </Popover.Dropdown>
        </Popover>
      }
    />
  );
}

interface PickerProps {
  format: TimeFormat;
  text: string;
  onPick: (text: string) => void;
  onDone: () => void;
}

function Picker({ format, text, onPick, onDone }: PickerProps) {
  // The browser empties its field while a part of a time is typed.
  const [emptied, setEmptied] = useState<string>();
  const after = (picked: { date?: string; time?: string }, from = text) =>
    pickedTime(format, from, picked, localOffset, Date.now());
  const { date, time } = after({});
  const pickTime = (next: string): void => {
    const from = emptied ?? text;
    setEmptied(next === '' ? from : undefined);
    onPick(after({ ...(date !== undefined && { date }), time: next }, from).text);
  };
  return (
    <>
      {format !== 'time' && (
        <DatePicker
          value={date ?? null}
          {...(date !== undefined && { defaultDate: date })}
          ariaLabels={{
            previousMonth: 'Previous month',
            nextMonth: 'Next month',
            previousYear: 'Previous year',
            nextYear: 'Next year',
            previousDecade: 'Previous decade',
            nextDecade: 'Next decade',
            monthLevelControl: 'Choose a month',
            yearLevelControl: 'Choose a year',
          }}
          onChange={(next) => {
            setEmptied(undefined);
            if (next !== null) onPick(after({ date: next }).text);
            if (format === 'date') onDone();
          }}
        />
      )}
      {format !== 'date' && (
        <TextInput
          type="time"
          label="Time"
          mt={format === 'time' ? 0 : 'sm'}
          value={time ?? ''}
          onChange={({ currentTarget }) => pickTime(currentTarget.value)}
          onKeyDown={({ key }) => {
            if (key === 'Enter') onDone();
          }}
        />
      )}
    </>
  );
}
