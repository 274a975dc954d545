import { LRUCache } from 'lru-cache'
import { Refusal } from '../contract/errors.ts'
import { addressGroup } from '../domain/messages/address-group.ts'

export interface AddressLimit {
  /**
   * Counts one attempt.
   * @throws {Refusal} `too_many` when the address has had its share
   */
  count(address: string): void
}

/** Addresses remembered at most, about 10 MB; the one that was quiet longest is forgotten first. */
const remembered = 50_000

/** Allows each address `most` attempts in `windowMs` from its first, on this copy of the program. */
export function createAddressLimit(settings: { most: number; windowMs: number; now: () => Date }): AddressLimit {
  const windows = new LRUCache<string, { attempts: number; until: number }>({ max: remembered })
  return {
    count(address) {
      const now = settings.now().getTime()
      const key = addressGroup(address)
      const known = windows.get(key)
      const window = known && known.until > now ? known : { attempts: 0, until: now + settings.windowMs }
      if (window !== known) windows.set(key, window)
      window.attempts++
      if (window.attempts > settings.most) throw new Refusal('too_many', { retryAfter: (window.until - now) / 1_000 })
    },
  }
}
