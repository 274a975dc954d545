import { expect, test } from 'vitest'
import { Refusal } from '../contract/errors.ts'
import { addressGroup } from '../domain/messages/address-group.ts'
import { createRateLimit } from './rate-limit.ts'

function aLimit(maxAttempts: number) {
  let at = Date.UTC(2026, 2, 2)
  const limit = createRateLimit({ maxAttempts, windowMs: 600_000, now: () => new Date(at) })
  return {
    pass: (seconds: number) => {
      at += seconds * 1_000
    },
    tries: (address: string, times: number) => {
      for (let count = 0; count < times; count++) limit.count(addressGroup(address))
    },
  }
}

function refusal(work: () => void): Refusal | undefined {
  try {
    work()
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}

test('an address has a hundred attempts in ten minutes, and then a Retry-After', () => {
  const { tries, pass } = aLimit(100)
  tries('203.0.113.5', 100)
  pass(200)
  expect(refusal(() => tries('203.0.113.5', 1))).toMatchObject({ code: 'too_many', retryAfter: 400 })
  pass(399)
  expect(refusal(() => tries('203.0.113.5', 1))).toMatchObject({ retryAfter: 1 })
  pass(1)
  tries('203.0.113.5', 100)
})

test('a clock that is set back does not lengthen the time in which attempts are counted', () => {
  const { tries, pass } = aLimit(3)
  tries('203.0.113.5', 1)
  pass(-7_200)
  for (let hour = 0; hour < 6; hour++) {
    tries('203.0.113.5', 1)
    pass(600)
  }
  tries('203.0.113.5', 3)
  expect(refusal(() => tries('203.0.113.5', 1))).toMatchObject({ retryAfter: 600 })
})

test('each address is counted separately, IPv6 by its /64', () => {
  const { tries } = aLimit(3)
  tries('203.0.113.5', 3)
  tries('203.0.113.6', 3)
  tries('2001:db8:1:2::1', 2)
  tries('2001:db8:1:2:ffff::9', 1)
  expect(refusal(() => tries('2001:db8:1:2::3', 1))).toBeDefined()
  tries('2001:db8:1:3::1', 3)
})

test('the number of addresses in memory is bounded: what was used longest ago is forgotten', () => {
  const { tries } = aLimit(1)
  for (let index = 0; index <= 50_000; index++) tries(`10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`, 1)
  tries('10.0.0.0', 1)
  expect(refusal(() => tries('10.0.195.80', 1))).toBeDefined()
})
