import type { StreamedEvent } from '../../shared/api/index.ts';
import { openStream } from './call.ts';

type Piece = StreamedEvent<'follow_run'>;

/**
 * Calls `onText` with the whole text that the model of a run has written, each time it grows or starts over, until the run
 * ends or `signal` is aborted. The service keeps only the end of a long text. @throws as `call`
 */
export async function followRun(
  playbook: string,
  runId: string,
  onText: (text: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const pieces = await openStream('follow_run', { playbook, run_id: runId }, signal);
  let shown = { from: 0, text: '' };
  for await (const piece of pieces) {
    shown = joined(shown, piece);
    onText(shown.from > 0 ? `…${shown.text}` : shown.text);
  }
}

/** A piece replaces the text from its position on. After a gap it is the whole text. */
function joined(shown: Piece, piece: Piece): Piece {
  const kept = piece.from - shown.from;
  const isNext = kept >= 0 && kept <= shown.text.length;
  return isNext ? { from: shown.from, text: shown.text.slice(0, kept) + piece.text } : piece;
}
