// The list of all keys, by where they work.
import { STEP_SHORTCUTS } from '../places/definitions/visual/step-shortcuts.ts';
import { type Shortcut, SHORTCUTS } from '../ui/shortcuts.ts';
import type { Place } from './places.ts';

export interface KeySection {
  title: string;
  rows: readonly KeyRow[];
}

export interface KeyRow {
  /** Each does the action; those of a sequence are joined by a space. */
  keys: readonly string[];
  action: string;
}

const row = (keys: Shortcut, action: string): KeyRow => ({ keys, action });

const SECTIONS: readonly KeySection[] = [
  {
    title: 'Everywhere',
    rows: [
      row(SHORTCUTS.search, 'Search pages, definitions and playbooks'),
      row(SHORTCUTS.run, 'Run a definition, or send an answer'),
      row(SHORTCUTS.save, 'Save the definition'),
      row(SHORTCUTS.scheme, 'Switch between light and dark'),
      row(SHORTCUTS.help, 'Show keyboard shortcuts'),
    ],
  },
  {
    title: 'In a list',
    rows: [
      row(['j'], 'Next entry'),
      row(['k'], 'Previous entry'),
      row(['Enter'], 'Open the entry'),
      row(['x'], 'Select a run, for several at once'),
      row(['Shift+X'], 'Select all runs up to it'),
      row(SHORTCUTS.answerLater, 'Skip a question in the inbox'),
    ],
  },
  {
    title: 'In the editor',
    rows: [
      row(SHORTCUTS.complete, 'Complete what is typed'),
      row(SHORTCUTS.leaveEditor, 'Leave the editor, so that Tab moves to the next control'),
    ],
  },
  {
    title: 'In the graph of a workflow',
    rows: [
      row(['ArrowDown', 'ArrowRight'], 'Next step'),
      row(['ArrowUp', 'ArrowLeft'], 'Previous step'),
      row(STEP_SHORTCUTS.editStep, 'Edit the step; Esc closes its fields'),
      row(STEP_SHORTCUTS.renameStep, 'Rename the step'),
      row(STEP_SHORTCUTS.insertStep, 'Insert a step after it'),
      row(STEP_SHORTCUTS.moveStepUp, 'Move the step up'),
      row(STEP_SHORTCUTS.moveStepDown, 'Move the step down'),
      row(STEP_SHORTCUTS.duplicateStep, 'Duplicate the step'),
      row(STEP_SHORTCUTS.deleteStep, 'Delete the step'),
      row(STEP_SHORTCUTS.undo, 'Undo, in the graph and in the source'),
      row(STEP_SHORTCUTS.redo, 'Redo'),
    ],
  },
  {
    title: 'In the timeline of a run',
    rows: [
      row(['ArrowDown'], 'Next row'),
      row(['ArrowUp'], 'Previous row'),
      row(['ArrowRight'], 'Open the row'),
      row(['ArrowLeft'], 'Close the row, or go to the one around it'),
      row(['Enter'], 'Show the details of the step, and move to them'),
      row(['Esc'], 'Close the details'),
    ],
  },
  {
    title: 'In JSON, and on the line between two panes',
    rows: [
      row(['ArrowLeft', 'ArrowRight'], 'Close or open a value; move the line'),
      row(['Enter'], 'Close or open a value; put the line back'),
    ],
  },
];

/** All keys. @param places the pages that the caller is permitted to read */
export function keySections(places: readonly Place[]): readonly KeySection[] {
  const pages = places.map(({ key, title }) => ({ keys: [`g ${key}`], action: title }));
  return [{ title: 'Go to a page', rows: pages }, ...SECTIONS];
}
