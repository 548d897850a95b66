// The panels that a worker holds, bounded by bytes: the one that was not used for longest makes room.
import { LRUCache } from 'lru-cache';
import { type OpenPanel, openPanel } from './panel-queries.ts';
import { type PanelData, readPanel, requirePeriod } from './panel.ts';
import type { PanelPlace } from './requests.ts';

export interface PanelCache {
  /**
   * The panel; it is read where the cache does not hold it. Calls that need the same one at once read it once.
   * @throws Refused `invalid_input` where the dataset does not fit the function
   */
  open(place: PanelPlace, chunks: () => AsyncIterable<Uint8Array>): Promise<OpenPanel>;
}

/** The functions whose windows are remembered, of each panel. */
const MOST_PLANS = 8;

export function createPanelCache(mostBytes: number): PanelCache {
  const panels = new LRUCache<string, PanelData>({ maxSize: mostBytes, sizeCalculation: ({ bytes }) => bytes });
  /** By panel, so that one that made room is not kept. */
  const opened = new WeakMap<PanelData, LRUCache<string, OpenPanel>>();
  const reading = new Map<string, Promise<PanelData>>();

  async function panelOf({ key, spec }: PanelPlace, chunks: () => AsyncIterable<Uint8Array>): Promise<PanelData> {
    const { value, known, observed, static: texts } = spec;
    const name = JSON.stringify([key, value, known, observed, texts]);
    for (;;) {
      const panel = panels.get(name);
      if (panel !== undefined) return panel;
      const other = reading.get(name);
      if (other === undefined) break;
      const read = await other.catch(() => undefined);
      // The caller whose dataset was read may have left in the middle: then it is this one's turn.
      if (read !== undefined) return read;
    }
    const read = readPanel(chunks(), spec);
    reading.set(name, read);
    try {
      const panel = await read;
      panels.set(name, panel);
      return panel;
    } finally {
      reading.delete(name);
    }
  }

  return {
    async open(place, chunks) {
      const panel = await panelOf(place, chunks);
      requirePeriod(panel, place.spec.period);
      const ofPanel = opened.get(panel) ?? new LRUCache<string, OpenPanel>({ max: MOST_PLANS });
      opened.set(panel, ofPanel);
      const name = JSON.stringify(place.spec);
      const open = ofPanel.get(name) ?? openPanel(panel, place.spec);
      ofPanel.set(name, open);
      return open;
    },
  };
}
