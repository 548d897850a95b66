// The parties whose requests a person sees and answers.
import { useLocalStorage } from '@mantine/hooks';

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');

/** The parties that the person at this browser answers for. */
export function useMe(): [me: readonly string[], choose: (parties: string[]) => void] {
  const [me, choose] = useLocalStorage<string[]>({
    key: 'cuebook me',
    defaultValue: [],
    getInitialValueInEffect: false,
    deserialize(text) {
      try {
        const kept: unknown = JSON.parse(text ?? '[]');
        return isTexts(kept) ? kept : [];
      } catch {
        return [];
      }
    },
  });
  return [me, choose];
}

export type InboxParty = 'me' | 'all';

/** Whose requests are looked at; none is everyone's. Without a word in the address it is me, once I said who I am. */
export function partiesOf(party: InboxParty | undefined, me: readonly string[]): readonly string[] {
  return party === 'all' ? [] : me;
}

export function isFor(parties: readonly string[], to: unknown): boolean {
  return parties.length === 0 || (typeof to === 'string' && parties.includes(to));
}

/** For whom an answer is given: the party that was asked where that is me, else the first of mine. */
export function answersFor(me: readonly string[], to: string): string | undefined {
  return me.includes(to) ? to : me[0];
}
