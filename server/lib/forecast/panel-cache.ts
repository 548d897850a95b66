// The panels that a worker holds, bounded by bytes. Those that no question has used make room first: a build or a list may
// be of a dataset that is used once, and a question must not wait until a panel is read again. Of alike ones, the one that
// was not used for longest makes room.
import { LRUCache } from 'lru-cache';
import { type OpenPanel, openPanel } from './panel-queries.ts';
import { type PanelData, readPanel, requirePeriod } from './panel.ts';
import type { PanelPlace, PanelQuery } from './requests.ts';
import { createShared } from './shared.ts';

export interface PanelCache {
  /**
   * The panel for a query; it is read where the cache does not hold it. Calls that need the same one at once read it once.
   * @throws Refused `invalid_input` where the dataset does not fit the function
   */
  open(location: PanelPlace, kind: PanelQuery['kind'], chunks: () => AsyncIterable<Uint8Array>): Promise<OpenPanel>;
}

/** The functions whose windows are remembered, of each panel. */
const MOST_PLANS = 8;

export function createPanelCache(mostBytes: number): PanelCache {
  const panels = new LRUCache<string, PanelData>({ maxSize: mostBytes, sizeCalculation: ({ bytes }) => bytes });
  const asked = new WeakSet<PanelData>();
  /** By panel, so that one that made room is not kept. */
  const opened = new WeakMap<PanelData, LRUCache<string, OpenPanel>>();
  const shared = createShared<PanelData>({
    get: (name) => panels.get(name),
    set(name, panel) {
      makeRoom(panel.bytes);
      panels.set(name, panel);
    },
  });

  /** The cache itself makes the room that is still missing. */
  function makeRoom(bytes: number): void {
    const byAge = Array.from(panels.rkeys());
    for (const name of byAge) {
      if (panels.calculatedSize + bytes <= mostBytes) return;
      const panel = panels.peek(name);
      if (panel !== undefined && !asked.has(panel)) panels.delete(name);
    }
  }

  return {
    async open({ key, spec }, kind, chunks) {
      const { value, known, observed, static: texts, period } = spec;
      const name = JSON.stringify([key, value, known, observed, texts, period]);
      const panel = await shared.get(name, () => readPanel(chunks(), spec, period));
      requirePeriod(panel, spec.period);
      if (kind === 'question') asked.add(panel);
      const ofPanel = opened.get(panel) ?? new LRUCache<string, OpenPanel>({ max: MOST_PLANS });
      opened.set(panel, ofPanel);
      const plan = JSON.stringify(spec);
      const open = ofPanel.get(plan) ?? openPanel(panel, spec);
      ofPanel.set(plan, open);
      return open;
    },
  };
}
