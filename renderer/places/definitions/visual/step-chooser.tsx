import { Combobox, Modal, Text, TextInput, useCombobox } from '@mantine/core';
import { useEffect, useMemo, useState } from 'react';
import { type Callable, callOf, NEW_STEPS, type NewStep } from './new-steps.ts';

export interface StepChooserProps {
  title: string;
  /** The definitions that a step can call. */
  callable: readonly Callable[];
  onChoose: (step: NewStep) => void;
  onClose: () => void;
}

/** The dialog itself waits before it moves the focus. */
const takeFocus = (field: HTMLInputElement | null): void => field?.focus();

/** The steps that can be inserted: those of each type of task, and calls of the definitions of the playbook. */
export function StepChooser({ title, callable, onChoose, onClose }: StepChooserProps) {
  const [search, setSearch] = useState('');
  const groups = useMemo(() => {
    const words = search.trim().toLowerCase();
    const fits = (step: NewStep): boolean => `${step.title} ${step.about}`.toLowerCase().includes(words);
    return [
      { label: 'Steps', steps: NEW_STEPS.filter(fits) },
      { label: 'Calls of definitions', steps: callable.map(callOf).filter(fits) },
    ].filter(({ steps }) => steps.length > 0);
  }, [search, callable]);
  const combobox = useCombobox({
    opened: true,
    // The list stays open, and the dialog leaves Escape to it.
    onDropdownClose: (by) => by === 'keyboard' && onClose(),
  });
  const { selectFirstOption } = combobox;
  // Enter inserts the first one that fits.
  useEffect(() => void selectFirstOption(), [groups, selectFirstOption]);
  const submit = (title: string): void => {
    const chosen = groups.flatMap(({ steps }) => steps).find((step) => step.title === title);
    if (chosen !== undefined) onChoose(chosen);
  };
  return (
    <Modal opened onClose={onClose} title={title} size="sm">
      <Combobox store={combobox} onOptionSubmit={submit}>
        <Combobox.EventsTarget>
          <TextInput
            aria-label="Find a type of step or a definition"
            placeholder="switch, wait, computation/…"
            ref={takeFocus}
            data-autofocus
            value={search}
            onChange={({ currentTarget: { value } }) => setSearch(value)}
          />
        </Combobox.EventsTarget>
        <div className="step-choices" tabIndex={0} role="group" aria-label="What fits">
          <Combobox.Options aria-label="Steps to insert">
            {groups.map(({ label, steps }) => (
              <Combobox.Group key={label} label={label}>
                {steps.map(({ title: offered, about }) => (
                  <Combobox.Option key={offered} value={offered}>
                    <Text span inherit fw={600}>
                      {offered}
                    </Text>{' '}
                    <Text span size="xs" className="step-choice-about">
                      {about}
                    </Text>
                  </Combobox.Option>
                ))}
              </Combobox.Group>
            ))}
            {groups.length === 0 && <Combobox.Empty>Nothing fits. Look for another word.</Combobox.Empty>}
          </Combobox.Options>
        </div>
      </Combobox>
    </Modal>
  );
}
