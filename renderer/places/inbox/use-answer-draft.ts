import { useState } from 'react';
import type { Json } from '../../../shared/json.ts';
import { isUntaken } from '../../ui/kept.ts';
import { answerKey, dropAnswer, keepAnswer, readAnswer } from './answer-drafts.ts';

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
  const [answer, setAnswer] = useState(() => readAnswer(playbook, runId));
  return {
    answer,
    isKept: !isUntaken(answerKey(playbook, runId)),
    write(written) {
      setAnswer(written);
      keepAnswer(playbook, runId, written);
    },
    drop() {
      setAnswer(undefined);
      dropAnswer(playbook, runId);
    },
  };
}
