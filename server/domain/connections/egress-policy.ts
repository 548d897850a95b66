// The egress policy for everything that the service sends on behalf of a connection.
//
// 1. A request is checked before it is sent: its host against the operator's rules, then every address that the
//    host resolves to. The refusal is `connection_not_allowed`.
// 2. The connection itself is checked again on the address it goes to, so that a name that resolves differently a
//    moment later is of no use.
// 3. The rules that apply are the current ones.
// 4. Addresses taken from a remote document never lead to this machine, unless the operator allows it.
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import type { Clock } from '../../lib/clock.ts';
import { bareHost, createEgress, isLoopbackAddress } from '../../lib/http-client/index.ts';
import { ServerFault, type EgressPolicy } from '../tools/index.ts';
import { isLoopbackHost } from './check-address.ts';
import { isNamed, mayReach, ruleAgainstAddress, ruleAgainstUrl, type RulesInForce } from './operator-rules.ts';

const LED_INWARDS =
  'A document from another host refers to a service on this machine, which can only be reached by an entry that names it.';

export function createEgressPolicy(rules: () => RulesInForce, clock: Clock): EgressPolicy & { close: () => void } {
  const chosen = createEgress(clock, (address) => mayReach(rules(), undefined, address));
  const led = createEgress(clock);

  function isLed(from: URL | undefined): boolean {
    return from !== undefined && !isLoopbackHost(from);
  }

  return {
    async check(url, from) {
      const against = ruleAgainstUrl(rules(), url);
      if (against !== undefined) throw new ServerFault('connection_not_allowed', against);
      const isLedOn = isLed(from) && !isNamed(rules(), url);
      if (isLedOn && isLoopbackHost(url)) throw new ServerFault('connection_not_allowed', LED_INWARDS);
      const host = bareHost(url);
      if (isIP(host) !== 0) return;
      // The request itself reports a name that cannot be resolved.
      const addresses = await lookup(host, { all: true }).catch(() => []);
      if (isLedOn && addresses.some(({ address }) => isLoopbackAddress(address))) {
        throw new ServerFault('connection_not_allowed', LED_INWARDS);
      }
      if (addresses.length > 0 && !addresses.some(({ address }) => mayReach(rules(), url, address))) {
        throw new ServerFault('connection_not_allowed', ruleAgainstAddress(url));
      }
    },
    senderFor(from) {
      const sender = (isLed(from) ? led : chosen).senderFor((url) => isNamed(rules(), url));
      return {
        async send(request, options) {
          // They may have changed since it was checked.
          const against = ruleAgainstUrl(rules(), request.url);
          if (against !== undefined) return { kind: 'failed', because: 'unreachable', detail: against };
          return sender.send(request, options);
        },
      };
    },
    allowAddress: (url) => (_host, address) => mayReach(rules(), url, address),
    close() {
      chosen.close();
      led.close();
    },
  };
}
