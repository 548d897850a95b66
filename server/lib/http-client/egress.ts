// What goes out to addresses that callers or documents name.
//
// 1. The address that a name stands for is looked at when it has been looked up, and that one is connected to.
// 2. Which addresses any host may stand for is the caller's to say, by default the public ones. Every other address is
//    connected to only for hosts that the operator named. Their connections are kept apart: one that was made for them
//    serves nobody else.
// 3. No redirect is followed, so that none leads elsewhere.
import type { Clock } from '../clock.ts';
import { createHttpClient, type HttpClient } from './client.ts';
import { isPublicAddress } from './public-address.ts';

/** A client whose connections are somebody else's to close. */
export type HttpSender = Pick<HttpClient, 'send'>;

export interface Egress {
  /** @param isNamed whether the operator named the host of an address, so that it may be any */
  senderFor(isNamed: (url: URL) => boolean): HttpSender;
  close(): void;
}

/** @param isAnyones whether an address may be connected to whatever host stands for it; looked at when connecting */
export function createEgress(clock: Clock, isAnyones: (address: string) => boolean = isPublicAddress): Egress {
  const named = createHttpClient({ clock, allowAddress: () => true });
  const unnamed = createHttpClient({ clock, allowAddress: (_host, address) => isAnyones(address) });
  return {
    senderFor: (isNamed) => ({
      send: (request, options) => (isNamed(request.url) ? named : unnamed).send(request, options),
    }),
    close() {
      named.close();
      unnamed.close();
    },
  };
}
