import type { KeyboardEvent } from 'react';
import { isPressed } from '../../../ui/pressed-keys.ts';
import type { Shortcut } from '../../../ui/shortcuts.ts';
import { STEP_SHORTCUTS } from './step-shortcuts.ts';
import type { StepTools } from './step-toolbar.tsx';

export interface StepKeys extends Omit<StepTools, 'onForm' | 'onSource'> {
  onRename: () => void;
}

/**
 * What a key does in the graph; undefined if it does nothing.
 * @param isStep whether a step has the focus: only then a key changes it
 */
export function actionOf(event: KeyboardEvent, isStep: boolean, tools: StepKeys): (() => void) | undefined {
  const ofStep: readonly (readonly [Shortcut, () => void])[] = [
    [STEP_SHORTCUTS.insertStep, () => tools.onInsert('after')],
    [STEP_SHORTCUTS.moveStepUp, () => tools.onMove(-1)],
    [STEP_SHORTCUTS.moveStepDown, () => tools.onMove(1)],
    [STEP_SHORTCUTS.duplicateStep, tools.onDuplicate],
    [STEP_SHORTCUTS.deleteStep, tools.onDelete],
    [STEP_SHORTCUTS.renameStep, tools.onRename],
  ];
  const actions: typeof ofStep = [
    [STEP_SHORTCUTS.undo, tools.onUndo],
    [STEP_SHORTCUTS.redo, tools.onRedo],
    ...(isStep ? ofStep : []),
  ];
  return actions.find(([shortcut]) => isPressed(event, shortcut))?.[1];
}
