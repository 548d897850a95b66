import './step-panel.css';
import { ActionIcon, Drawer, Group } from '@mantine/core';
import { ChevronDown, ChevronUp, X } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, type RefObject, useEffect } from 'react';
import { useHasTabs } from '../../ui/use-narrow.ts';

export interface StepPanelProps {
  title: ReactNode;
  /** What screen readers call the panel. */
  label: string;
  /** The element that takes the focus when the panel is entered. */
  heading: RefObject<HTMLHeadingElement | null>;
  /** Shows the step before or after; absent at the ends. */
  onPrevious: (() => void) | undefined;
  onNext: (() => void) | undefined;
  onClose: () => void;
  children: ReactNode;
}

/**
 * The details of a step beside the timeline; on a narrow page, a sheet over it. While the heading has the focus, the
 * arrow keys show the steps before and after.
 */
export function StepPanel(props: StepPanelProps) {
  const { label, heading, onClose } = props;
  const isSheet = useHasTabs();
  useEffect(() => {
    if (isSheet) heading.current?.focus({ preventScroll: true });
  }, [isSheet, heading]);
  if (!isSheet) {
    return (
      <aside className="step-panel" aria-label={label}>
        <PanelBody {...props} />
      </aside>
    );
  }
  return (
    <Drawer.Root opened onClose={onClose} position="bottom" size="88%">
      <Drawer.Overlay />
      <Drawer.Content aria-label={label} radius="12px 12px 0 0">
        <Drawer.Body className="step-sheet">
          <PanelBody {...props} />
        </Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  );
}

function PanelBody({ title, heading, onPrevious, onNext, onClose, children }: StepPanelProps) {
  const press = (event: KeyboardEvent): void => {
    const move = event.key === 'ArrowDown' ? onNext : event.key === 'ArrowUp' ? onPrevious : undefined;
    if (move === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    move();
  };
  return (
    <>
      <div className="step-panel-head">
        <h2 ref={heading} tabIndex={-1} data-autofocus onKeyDown={press}>
          {title}
        </h2>
        <Group gap={4} wrap="nowrap">
          <ActionIcon
            variant="default"
            aria-label="Previous row"
            disabled={onPrevious === undefined}
            onClick={onPrevious}
          >
            <ChevronUp size={16} />
          </ActionIcon>
          <ActionIcon variant="default" aria-label="Next row" disabled={onNext === undefined} onClick={onNext}>
            <ChevronDown size={16} />
          </ActionIcon>
          <ActionIcon variant="default" aria-label="Close details" onClick={onClose}>
            <X size={16} />
          </ActionIcon>
        </Group>
      </div>
      {children}
    </>
  );
}
