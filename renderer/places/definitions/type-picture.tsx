// A drawing for each type of definition: what goes in, what the type does, and what comes out.
import type { ReactNode } from 'react';
import type { DefinitionType } from '../../../shared/definition-types.ts';

const DRAWINGS: Readonly<Partial<Record<DefinitionType, ReactNode>>> = {
  /* A text goes in; fields with values come out. */
  reasoning: (
    <>
      <path className="faint" d="M6 16h34M6 26h26M6 36h30M6 46h20" />
      <path d="M50 31h14m-5-5 5 5-5 5" />
      <path d="M80 12c-6 0-4 8-4 12s-2 7-5 7c3 0 5 3 5 7s-2 12 4 12M126 12c6 0 4 8 4 12s2 7 5 7c-3 0-5 3-5 7s2 12-4 12" />
      <path d="M86 24h10M86 38h10" />
      <path className="faint" d="M102 24h18M102 38h12" />
    </>
  ),
  /* A question with two answers. */
  interaction: (
    <>
      <path
        className="faint"
        d="M10 8h84a6 6 0 0 1 6 6v14a6 6 0 0 1-6 6H30l-10 9v-9H10a6 6 0 0 1-6-6V14a6 6 0 0 1 6-6Z"
      />
      <path className="faint" d="M16 17h66M16 25h40" />
      <rect className="filled" x="66" y="40" width="32" height="16" rx="5" />
      <path className="on-filled" d="m76 48 4 4 8-8" />
      <rect x="104" y="40" width="32" height="16" rx="5" />
      <path d="m116 44 8 8m0-8-8 8" />
    </>
  ),
  /* A series that continues as a forecast with its interval. */
  prediction: (
    <>
      <path className="faint" d="M6 56h128" />
      <path className="area" d="M78 30 96 18l18 2 20-14v36l-20-4-18 2Z" />
      <path d="M6 46 20 38l14 6 14-16 14 8 16-6" />
      <path className="dashed" d="m78 30 18-1 18 1 20-8" />
      <circle className="filled" cx="78" cy="30" r="3" />
    </>
  ),
  /* Events, one after the other, are kept as a table. */
  recall: (
    <>
      <path className="faint" d="M4 31h52" />
      <circle className="filled" cx="12" cy="31" r="4" />
      <circle className="filled" cx="28" cy="31" r="4" />
      <circle cx="44" cy="31" r="4" />
      <path d="m56 26 5 5-5 5" />
      <rect x="74" y="8" width="62" height="46" rx="5" />
      <path d="M74 22h62" />
      <path className="faint" d="M82 31h18M82 43h18M110 31h16M110 43h12" />
    </>
  ),
  /* Lines of a program between its input and its output. */
  computation: (
    <>
      <circle className="filled" cx="10" cy="31" r="4" />
      <path d="M18 31h10m-5-5 5 5-5 5" />
      <rect x="38" y="6" width="64" height="50" rx="6" />
      <path d="M46 18h16M46 44h6" />
      <path className="faint" d="M68 18h18M54 27h36M54 36h22" />
      <path d="M110 31h10m-5-5 5 5-5 5" />
      <circle className="filled" cx="130" cy="31" r="4" />
    </>
  ),
  /* Steps, one of which waits. */
  workflow: (
    <>
      <rect className="filled" x="4" y="22" width="32" height="18" rx="5" />
      <path d="M36 31h10c6 0 4-16 10-16h6M46 31c6 0 4 16 10 16h12" />
      <rect x="62" y="6" width="32" height="18" rx="5" />
      <circle cx="78" cy="47" r="10" />
      <path d="M78 41v6l4 3" />
      <path d="M94 15h6c6 0 4 16 10 16M88 47h12c6 0 4-16 10-16" />
      <rect x="110" y="22" width="26" height="18" rx="5" />
    </>
  ),
};

export function TypePicture({ type }: { type: DefinitionType }) {
  return (
    <svg className="type-picture" viewBox="0 0 140 62" aria-hidden>
      {DRAWINGS[type]}
    </svg>
  );
}
