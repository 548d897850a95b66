import { pointerTo, tokensOf } from '../../../shared/json-pointer.ts';
import { differencesOf } from '../../../shared/json-differences.ts';
import { applyPlan } from './apply-plan.ts';
import { changed, composed, merged } from './changes.ts';
import type { EditResult, StepEdit, TextChange } from './edits.ts';
import { type ParsedSource, parseSource } from './parsed-source.ts';
import { type Plan, planOf } from './plan.ts';
import { RefusedEdit } from './refused-edit.ts';
import { emptyListsOf, isSamePath, type Path, valueAt } from './steps.ts';
import { textChanges } from './text-changes.ts';

const TOO_DEEP = 'The source is nested too deeply to be edited here; write it with fewer levels.';

const UNCLEAR =
  'This edit would change other parts of the source: its layout or its anchors do not allow it. Edit the source by hand.';

/** Changes one step of a workflow in its source, YAML or JSON. An edit that changes nothing has no changes. */
export function editWorkflow(text: string, edit: StepEdit): EditResult {
  try {
    const source = parseSource(text);
    const list = listToMake(source, edit);
    if (list === undefined) return executePlan(source, planOf(source.data, edit));
    const made = executePlan(source, { redirections: [], set: { path: list, value: [] } });
    const withList = parseSource(changed(text, made.changes));
    const done = executePlan(withList, planOf(withList.data, edit));
    return { ...done, changes: merged(text, composed(text, made.changes, done.changes)) };
  } catch (error) {
    if (error instanceof RefusedEdit) return { refused: error.message };
    // Reading recurses.
    if (error instanceof RangeError) return { refused: TOO_DEEP };
    throw error;
  }
}

/** @throws RefusedEdit */
function executePlan(source: ParsedSource, plan: Plan): { changes: TextChange[]; step?: string } {
  const changes = merged(source.text, textChanges(source, plan));
  checkResult(source, plan, changes);
  return { changes, ...(plan.step === undefined ? {} : { step: pointerTo(plan.step) }) };
}

/** The list that gets a step and is not written yet. */
function listToMake({ data }: ParsedSource, edit: StepEdit): Path | undefined {
  if (edit.do !== 'insert' && edit.do !== 'move') return undefined;
  const path = tokensOf(edit.list);
  const isWritten = Array.isArray(valueAt(data, path));
  return isWritten ? undefined : emptyListsOf(data).find((one) => isSamePath(one.path, path))?.path;
}

/** A wrong edit is worse than none, so the result is compared with the plan. */
function checkResult({ text, data, isJson }: ParsedSource, plan: Plan, changes: readonly TextChange[]): void {
  if (changes.length === 0) return;
  const result = parseResult(changed(text, changes));
  const isMeant = differencesOf(applyPlan(data, plan), result.data, 1).length === 0;
  if (!isMeant || isJson !== result.isJson) throw new RefusedEdit(UNCLEAR);
}

function parseResult(text: string): ParsedSource {
  try {
    return parseSource(text);
  } catch (error) {
    throw error instanceof RefusedEdit ? new RefusedEdit(UNCLEAR, { cause: error }) : error;
  }
}
