// Warnings about steps that nothing leads to and steps that never end.
import { escapeToken } from '../../../../lib/json-pointer.ts';
import type { Findings } from '../../../../lib/yaml/index.ts';
import { code } from '../schema/sentences.ts';
import type { WalkedScope, WalkedStep, Walk } from '../walk.ts';
import { flowOf, reach, type NextTarget } from './outcomes.ts';

export function checkFlow(walked: Walk, findings: Findings): void {
  const flow = flowOf(walked);
  for (const [name, { completes, ends, stops }] of flow.functions) {
    if (completes || ends || stops) continue;
    const detail = `The function ${code(name)} calls itself endlessly; add an \`if\` to the call, or a \`switch\` that ends it.`;
    findings.warn(`/use/functions/${escapeToken(name)}`, detail, 'key');
  }
  for (const scope of walked.scopes) {
    if (scope.kind === 'list') checkScope(scope, flow.nextTargetsOf, findings);
  }
}

function checkScope({ steps }: WalkedScope, waysOf: (step: WalkedStep) => NextTarget[], findings: Findings): void {
  const ways = steps.map((step) => waysOf(step));
  const lookUp = (step: WalkedStep): NextTarget[] => ways[step.index] ?? [];
  const reached = reach(steps, lookUp);
  for (const step of steps) {
    if (reached.has(step.index)) continue;
    const detail = `The step ${code(step.name)} cannot be reached: no step before it continues to it, and no \`then\` names it.`;
    findings.warn(step.pointer, detail, 'key');
  }
  const ending = endingPlaces(ways);
  const endless = steps.find(({ index }) => reached.has(index) && !ending.has(index) && (ways[index] ?? []).length > 0);
  if (endless === undefined) return;
  const detail = `The steps from ${code(endless.name)} on loop endlessly; add an \`if\` to one of them, or a \`switch\` that leaves the loop.`;
  findings.warn(endless.pointer, detail, 'key');
}

/** The steps from which the scope can be left. */
function endingPlaces(ways: readonly (readonly NextTarget[])[]): Set<number> {
  const before = ways.map((): number[] => []);
  const ending = new Set<number>();
  for (const [index, own] of ways.entries()) {
    for (const way of own) {
      if (typeof way === 'number') before[way]?.push(index);
      else ending.add(index);
    }
  }
  for (const index of ending) for (const earlier of before[index] ?? []) ending.add(earlier);
  return ending;
}
