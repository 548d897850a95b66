// Changes the steps of a workflow in its source, as small changes of the text.
//
//     editWorkflow(source, { do: 'move', step: '/do/2/charge', list: '/do/1/each/do', at: 0 })
//     → { changes: [{ from, to, insert }, ...], step: '/do/1/each/do/0/charge' }
//     → { refused: 'A sentence that says why, and what to do instead.' }
//
// A step is named by its JSON Pointer, as in the graph: `/do/2/charge`. A list is named by the pointer of its array: `/do`,
// `/do/1/each/do`, `/do/0/t/try`, `/do/0/t/catch/do`, `/do/3/f/fork/branches`, `/do/4/l/foreach/do`. All pointers are
// into the document before the edit, except `step` in the result: the step after the edit.
//
// 1. Text outside of the edited steps stays as it is, byte for byte, except for references to those steps.
// 2. Comments directly above a step belong to it, as do comments below it that are indented deeper than its dash.
// 3. References follow: `then` (of tasks, cases and catches), pointers of steps in `document.metadata.examples` and in
//    `instance` of errors, and `call` of a function of `use.functions`. Pointers of a deleted step stay: the check of the
//    document warns about them.
// 4. A `then` that named a step which is deleted, or moved to another list, names the following step; `exit` if
//    there is none. This is what happens if a step is skipped. It is refused where the following step would then name
//    itself. A step whose own `then` names another step of its list cannot move to another list.
// 5. Expressions stay as they are: a step that leaves a loop may use variables that are no longer defined, which the
//    check of the document reports.
// 6. A step that is inserted into, or moved to, a list that is not written (`emptyListsOf`) makes the list.
// 7. No edit is made unless the result, parsed again, is exactly the edited data.
export { editWorkflow } from './edit-workflow.ts';
export { type ParsedSource, parseSource } from './parsed-source.ts';
export { emptyListsOf, stepsOf } from './steps.ts';
export type { EditResult, ListPath, StepEdit, StepPath, TextChange } from './edits.ts';
