// Which steps may replace the context while they run.
import type { Walk, WalkedStep } from '../walk.ts';

/**
 * Whether something in a step may export to the context when it is not certain to run, or to run once. Its own `export` is
 * not meant, and neither are the steps of a `do`, which run in order.
 */
export function exportsOf({ steps, functions }: Walk): (step: WalkedStep) => boolean {
  const exportsItself = ({ task, descriptor }: WalkedStep): boolean =>
    task.export !== undefined || descriptor.exports?.(task) === true;
  const doFunctionsExport = steps.some((step) => step.pointer.startsWith('/use/functions/') && exportsItself(step));
  const callsExporting = ({ task, descriptor }: WalkedStep): boolean =>
    doFunctionsExport && functions.has(descriptor.functionName?.(task) ?? '');
  const exportsWithin = ({ bodies }: WalkedStep): boolean =>
    bodies.some(({ scope }) =>
      scope.steps.some((step) => exportsItself(step) || callsExporting(step) || exportsWithin(step)),
    );
  return (step) =>
    callsExporting(step) ||
    (step.kind !== 'do' && (step.descriptor.exports?.(step.task) === true || exportsWithin(step)));
}
