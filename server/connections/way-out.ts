// The way out for everything that a connection makes the service send.
//
// 1. A request is looked at before it is sent: the operator's rules on its host, then on every address that the host
//    stands for. What is refused here is refused as `connection_not_allowed`.
// 2. The connection itself is checked again on the address it goes to, so that a name which means something else a
//    moment later gains nothing.
// 3. The rules are those in force at that moment.
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import type { Clock } from '../kernel/clock.ts';
import { createHttpClient, isLoopbackAddress } from '../kernel/http-client/index.ts';
import { ServerFault, type WayOut } from '../tools/index.ts';
import { bareHost, isLoopbackHost } from './check-address.ts';
import { isNamed, mayReach, ruleAgainstAddress, ruleAgainstUrl, type Rules } from './operator-rules.ts';

const LED_INWARDS =
  'Its OpenAPI document leads to a service of this machine, which only an entry that names it itself may reach.';

export function createWayOut(rules: () => Rules, clock: Clock): WayOut & { close: () => void } {
  // What a host may stand for depends on whether the operator names it; two clients never share a kept connection.
  const named = createHttpClient({ clock, allowAddress: () => true });
  const unnamed = createHttpClient({
    clock,
    allowAddress: (_host, address) => mayReach(rules(), undefined, address),
  });

  function requireRules(url: URL): void {
    const against = ruleAgainstUrl(rules(), url);
    if (against !== undefined) throw new ServerFault('connection_not_allowed', against);
  }

  return {
    async check(url, from) {
      requireRules(url);
      // A document from elsewhere leads to no service of this machine.
      const isLed = from !== undefined && !isLoopbackHost(from) && !isNamed(rules(), url);
      if (isLed && isLoopbackHost(url)) throw new ServerFault('connection_not_allowed', LED_INWARDS);
      const host = bareHost(url);
      if (isIP(host) !== 0) return;
      // That a name is not found is told by the request itself.
      const addresses = await lookup(host, { all: true }).catch(() => []);
      if (isLed && addresses.some(({ address }) => isLoopbackAddress(address))) {
        throw new ServerFault('connection_not_allowed', LED_INWARDS);
      }
      if (addresses.length > 0 && !addresses.some(({ address }) => mayReach(rules(), url, address))) {
        throw new ServerFault('connection_not_allowed', ruleAgainstAddress(url));
      }
    },
    http: {
      async send(request, options) {
        requireRules(request.url);
        return (isNamed(rules(), request.url) ? named : unnamed).send(request, options);
      },
    },
    allowAddress: (url) => (_host, address) => mayReach(rules(), url, address),
    close() {
      named.close();
      unnamed.close();
    },
  };
}
