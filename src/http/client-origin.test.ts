import { Hono } from 'hono'
import { describe, expect, test } from 'vitest'
import { clientAddress } from './client-origin.ts'

/** The client address of a request that arrives from `remoteAddress`, behind this many proxies. */
async function addressSeen(proxies: number, forwarded?: string, remoteAddress: string | undefined = '10.0.0.9') {
  const app = new Hono().get('/', (c) => c.text(clientAddress(c, proxies)))
  const headers: Record<string, string> = forwarded === undefined ? {} : { 'X-Forwarded-For': forwarded }
  const env = { incoming: { socket: { remoteAddress, remotePort: 50_000, remoteFamily: 'IPv4' } } }
  return (await app.request('/', { headers }, env)).text()
}

describe('the address of the client', () => {
  test('is that of the socket without a proxy, whatever X-Forwarded-For says', async () => {
    expect(await addressSeen(0, '203.0.113.5')).toBe('10.0.0.9')
    expect(await addressSeen(0)).toBe('10.0.0.9')
  })

  test('is the one that the outermost proxy added, not an entry further left that the client sent', async () => {
    expect(await addressSeen(1, '203.0.113.5')).toBe('203.0.113.5')
    expect(await addressSeen(1, '1.1.1.1, 203.0.113.5')).toBe('203.0.113.5')
    expect(await addressSeen(2, '1.1.1.1, 203.0.113.5, 10.1.1.1')).toBe('203.0.113.5')
    expect(await addressSeen(1, '2001:db8::7')).toBe('2001:db8::7')
  })

  test.each([
    '',
    'unknown',
    'localhost',
    '203.0.113',
    '0x7f.1',
    '1',
    '203.0.113.5.6',
    '<script>',
    '203.0.113.5 x',
    ',,,',
    '::ffff:999.1.1.1',
  ])('is that of the socket when the header holds %j', async (forwarded) => {
    expect(await addressSeen(1, forwarded)).toBe('10.0.0.9')
  })

  test('is that of the socket when X-Forwarded-For has fewer entries than there are proxies', async () => {
    expect(await addressSeen(3, '203.0.113.5, 10.1.1.1')).toBe('10.0.0.9')
  })

  test('may have the port that some proxies add', async () => {
    expect(await addressSeen(1, '203.0.113.5:4711')).toBe('203.0.113.5')
    expect(await addressSeen(1, '[2001:db8::7]:4711')).toBe('2001:db8::7')
    expect(await addressSeen(1, '[2001:db8::7]')).toBe('2001:db8::7')
  })

  test('has a placeholder for a request without a socket', async () => {
    const app = new Hono().get('/', (c) => c.text(clientAddress(c, 0)))
    expect(await (await app.request('/')).text()).toBe('0.0.0.0')
  })
})
