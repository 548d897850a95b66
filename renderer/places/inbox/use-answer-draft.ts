import { useState } from 'react';
import type { Json } from '../../../shared/json.ts';
import { dropAnswer, keepAnswer, readAnswer } from './answer-drafts.ts';

export interface AnswerDraft {
  /** Undefined while nothing was written. */
  answer: Json | undefined;
  /** False where the browser had no room for it. */
  isKept: boolean;
  write: (answer: Json) => void;
  drop: () => void;
}

/** The draft of one request's answer: over reloads, until it is given or dropped. */
export function useAnswerDraft(playbook: string, runId: string): AnswerDraft {
  const [answer, setAnswer] = useState(() => readAnswer(localStorage, playbook, runId));
  const [isKept, setKept] = useState(true);
  return {
    answer,
    isKept,
    write(written) {
      setAnswer(written);
      setKept(keepAnswer(localStorage, playbook, runId, written));
    },
    drop() {
      setAnswer(undefined);
      dropAnswer(localStorage, playbook, runId);
    },
  };
}
