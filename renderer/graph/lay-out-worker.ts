// Lays graphs out away from the page: of a thousand steps that takes a second.
import { type LayOutAnswer, type LayOutRequest, layOut } from './lay-out.ts';

self.addEventListener('message', ({ data: { id, graph, direction } }: MessageEvent<LayOutRequest>) => {
  const answer: LayOutAnswer = { id, placed: layOut(graph, direction) };
  self.postMessage(answer);
});
