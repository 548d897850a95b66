import { ActionIcon, Text } from '@mantine/core';
import {
  ArrowDown,
  ArrowUp,
  BetweenHorizontalEnd,
  BetweenHorizontalStart,
  CodeXml,
  Copy,
  type LucideIcon,
  Pencil,
  Redo2,
  Trash2,
  Undo2,
} from 'lucide-react';
import type { Shortcut } from '../../../ui/shortcuts.ts';
import { STEP_SHORTCUTS, tooltipOf } from './step-shortcuts.ts';
import type { ChosenStep } from './chosen-step.ts';

export interface StepTools {
  onUndo: () => void;
  onRedo: () => void;
  onInsert: (where: 'before' | 'after') => void;
  onMove: (by: -1 | 1) => void;
  onDuplicate: () => void;
  onDelete: () => void;
  /** Opens or closes the form of the step. */
  onForm: () => void;
  /** Puts the focus on the step in the source. */
  onSource: () => void;
}

export interface StepToolbarProps extends StepTools {
  step: ChosenStep | undefined;
  isReadOnly: boolean;
  isFormOpen: boolean;
}

/** What can be done with the chosen step. */
export function StepToolbar({ step, isReadOnly, isFormOpen, ...tools }: StepToolbarProps) {
  const inList = step?.position;
  return (
    <div className="step-tools">
      <Text size="sm" fw={600} truncate className="step-tools-name">
        {step?.name ?? 'No step chosen'}
      </Text>
      <div className="step-tools-group" role="group" aria-label={step === undefined ? 'Steps' : `Step ${step.name}`}>
        {!isReadOnly && (
          <>
            <Tool label="Undo" shortcut={STEP_SHORTCUTS.undo} Icon={Undo2} onClick={tools.onUndo} />
            <Tool label="Redo" shortcut={STEP_SHORTCUTS.redo} Icon={Redo2} onClick={tools.onRedo} />
            <Tool
              label="Add step before"
              Icon={BetweenHorizontalStart}
              isOff={inList === undefined}
              onClick={() => tools.onInsert('before')}
            />
            <Tool
              label="Add step after"
              shortcut={STEP_SHORTCUTS.insertStep}
              Icon={BetweenHorizontalEnd}
              isOff={inList === undefined}
              onClick={() => tools.onInsert('after')}
            />
            <Tool
              label="Move up"
              shortcut={STEP_SHORTCUTS.moveStepUp}
              Icon={ArrowUp}
              isOff={inList === undefined || inList.at === 0}
              onClick={() => tools.onMove(-1)}
            />
            <Tool
              label="Move down"
              shortcut={STEP_SHORTCUTS.moveStepDown}
              Icon={ArrowDown}
              isOff={inList === undefined || inList.at >= (step?.list.length ?? 0) - 1}
              onClick={() => tools.onMove(1)}
            />
            <Tool
              label="Duplicate"
              shortcut={STEP_SHORTCUTS.duplicateStep}
              Icon={Copy}
              isOff={inList === undefined}
              onClick={tools.onDuplicate}
            />
            <Tool
              label="Delete"
              shortcut={STEP_SHORTCUTS.deleteStep}
              Icon={Trash2}
              isOff={inList === undefined}
              onClick={tools.onDelete}
            />
            <Tool
              label="Edit"
              shortcut={STEP_SHORTCUTS.editStep}
              Icon={Pencil}
              isOff={step === undefined}
              isPressed={isFormOpen}
              onClick={tools.onForm}
            />
          </>
        )}
        <Tool label="Show in the source" Icon={CodeXml} isOff={step === undefined} onClick={tools.onSource} />
      </div>
    </div>
  );
}

interface ToolProps {
  label: string;
  shortcut?: Shortcut;
  Icon: LucideIcon;
  /** It stays in the tab order, so that the focus is not lost when a step reaches the end of its list. */
  isOff?: boolean;
  isPressed?: boolean;
  onClick: () => void;
}

function Tool({ label, shortcut, Icon, isOff = false, isPressed, onClick }: ToolProps) {
  return (
    <ActionIcon
      variant={isPressed === true ? 'light' : 'subtle'}
      color={isPressed === true ? 'cue' : 'gray'}
      size={25}
      aria-label={label}
      title={tooltipOf(label, shortcut)}
      aria-pressed={isPressed}
      aria-disabled={isOff || undefined}
      {...(isOff ? { 'data-disabled': true } : {})}
      onClick={() => {
        if (!isOff) onClick();
      }}
    >
      <Icon size={16} aria-hidden />
    </ActionIcon>
  );
}
