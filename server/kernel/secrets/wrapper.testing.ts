// A system's key store for tests: it wraps under a key of its own, as a system does.
import { randomBytes } from 'node:crypto';
import { dataKeyOf } from './data-key.ts';
import type { KeyWrapper } from './key-keeper.ts';
import { seal, unseal } from './seal.ts';

const PLACE = { org: 'test', owner: 'wrapped' };

export interface TestWrapper extends KeyWrapper {
  /** What it was asked, in order. */
  asked: string[];
  isLocked: boolean;
  isStale: boolean;
}

export function createTestWrapper(): TestWrapper {
  const key = dataKeyOf(randomBytes(32));
  return {
    asked: [],
    isLocked: false,
    isStale: false,
    async wrap(text) {
      this.asked.push('wrap');
      if (this.isLocked) throw new Error('The key store is locked.');
      return seal(key, PLACE, null, text);
    },
    async unwrap(wrapped) {
      this.asked.push('unwrap');
      const text = this.isLocked ? undefined : unseal(key, PLACE, null, wrapped);
      if (text === undefined) throw new Error('The key store is locked.');
      return { text, isStale: this.isStale };
    },
  };
}
