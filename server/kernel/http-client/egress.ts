// What goes out to addresses that callers or documents name.
//
// 1. The address that a name stands for is looked at when it has been looked up, and that one is connected to.
// 2. Addresses that are not public are connected to only for hosts that the operator named. Their connections are kept
//    apart: one that was made for them serves nobody else.
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

export function createEgress(clock: Clock): Egress {
  const anywhere = createHttpClient({ clock });
  const publicly = createHttpClient({ clock, allowAddress: (_host, address) => isPublicAddress(address) });
  return {
    senderFor: (isNamed) => ({
      send: (request, options) => (isNamed(request.url) ? anywhere : publicly).send(request, options),
    }),
    close() {
      anywhere.close();
      publicly.close();
    },
  };
}
