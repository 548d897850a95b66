import { CircleAlert, CircleCheck, CircleDashed, CircleX, TimerOff, type LucideIcon, Maximize2 } from 'lucide-react';
import type { ToolCall } from '../../../shared/api/index.ts';
import type { Sense } from '../../ui/mark.tsx';

interface OutcomeLabel {
  word: string;
  sense: Sense;
  icon: LucideIcon;
  /** The meaning, and what to do. */
  means: string;
}

export const OUTCOMES: Readonly<Record<ToolCall['outcome'], OutcomeLabel>> = {
  result: { word: 'Result', sense: 'good', icon: CircleCheck, means: 'The tool returned a result.' },
  tool_error: {
    word: 'Tool error',
    sense: 'warn',
    icon: CircleAlert,
    means: 'The tool returned an error or rejected the arguments. A function can call it again with other arguments.',
  },
  server_failure: {
    word: 'Server failure',
    sense: 'bad',
    icon: CircleX,
    means: 'No usable response was received. The tool may have had an effect: check before you call it again.',
  },
  timed_out: {
    word: 'Timed out',
    sense: 'bad',
    icon: TimerOff,
    means: 'No response within 30 seconds. The tool may have had an effect: check before you call it again.',
  },
  too_large: {
    word: 'Too large',
    sense: 'bad',
    icon: Maximize2,
    means: 'The result is larger than a call may return. The tool did its work; request less data.',
  },
};

export const NO_ANSWER: OutcomeLabel = {
  word: 'No response recorded',
  sense: 'quiet',
  icon: CircleDashed,
  means: 'The call is still running, or its caller disconnected.',
};
