import type { LookupAddress, lookup } from 'node:dns'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { closeAfterTest } from '../../../test/support/close-after-test.ts'
import { checkUrl, isPublicAddress } from './check-url.ts'

/** A site on this machine. @returns its port and the requests that it got */
async function aSite(answer: RequestListener) {
  const requests: string[] = []
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`)
    answer(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closeAfterTest(() => {
    server.closeAllConnections()
    server.close()
  })
  return { port: String((server.address() as AddressInfo).port), requests }
}

/** Names resolve to these addresses, each time to the next list. */
function names(...answers: string[][]) {
  let asked = 0
  const resolve = ((_name: string, _options: unknown, done: (error: null, found: LookupAddress[]) => void) => {
    const found = answers[Math.min(asked++, answers.length - 1)] ?? []
    done(
      null,
      found.map((address) => ({ address, family: 4 })),
    )
  }) as unknown as typeof lookup
  return resolve
}

test('the status of a site decides whether a link is dead, alive, or unclear', async () => {
  const { port, requests } = await aSite((request, response) => {
    const [, status = '200'] = request.url?.split('/') ?? []
    const ofHead = { get: 405, 'route-of-get': 404 }[status]
    if (ofHead) response.statusCode = request.method === 'GET' ? 200 : ofHead
    else response.statusCode = Number(status)
    if (status === '301') response.setHeader('location', '/404')
    if (status === '302') response.setHeader('location', '/302')
    // A body without end: nothing of it is read.
    if (request.method === 'GET') response.write('x'.repeat(100_000))
    else response.end()
  })
  const check = (path: string) =>
    checkUrl(`http://site.example:${port}${path}`, {
      isPublic: () => true,
      ports: [port],
      resolve: names(['127.0.0.1']),
    })
  expect(await check('/200')).toEqual({ outcome: 'alive', status: 200 })
  expect(await check('/get')).toEqual({ outcome: 'alive', status: 200 })
  expect(await check('/route-of-get')).toEqual({ outcome: 'alive', status: 200 })
  expect(await check('/404')).toEqual({ outcome: 'dead', status: 404 })
  expect(await check('/301')).toEqual({ outcome: 'dead', status: 404 })
  expect(await check('/503')).toEqual({ outcome: 'unclear', status: 503 })
  requests.length = 0
  expect(await check('/302')).toEqual({ outcome: 'dead' })
  expect(requests).toHaveLength(6)
})

test('no private address is requested: typed, resolved from a name, redirected to, or resolved only at the second look-up', async () => {
  const { port, requests } = await aSite((request, response) => {
    response.writeHead(request.url === '/' ? 200 : 302, { location: `http://10.0.0.1:${port}/` }).end()
  })
  const ports = ['', port]
  for (const host of [
    '127.0.0.1',
    '0x7f.1',
    '2130706433',
    '0177.0.0.1',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[fd00::1]',
    '169.254.169.254',
    '0.0.0.0',
    'localhost',
  ]) {
    expect(await checkUrl(`http://${host}:${port}/`, { ports }), host).toEqual({ outcome: 'refused' })
  }
  for (const found of [['127.0.0.1'], ['93.184.216.34', '192.168.1.1'], ['100.64.0.1']]) {
    const resolve = names(found)
    expect(await checkUrl(`http://site.example:${port}/`, { ports, resolve })).toEqual({ outcome: 'refused' })
  }
  for (const url of [`http://anna:geheim@site.example/`, `http://site.example:${Number(port) + 1}/`])
    expect(await checkUrl(url, { ports, resolve: names(['93.184.216.34']) })).toEqual({ outcome: 'refused' })
  for (const url of ['ftp://site.example/', 'http://', 'javascript:alert(1)'])
    expect(await checkUrl(url)).toEqual({ outcome: 'dead' })
  expect(requests).toEqual([])

  const isPublic = (address: string) => address === '127.0.0.1' || isPublicAddress(address)
  const check = (path: string, resolve: typeof lookup) =>
    checkUrl(`http://site.example:${port}${path}`, { ports, isPublic, resolve })
  expect(await check('/weg', names(['127.0.0.1']))).toEqual({ outcome: 'refused' })
  // The address that was checked is the one that is connected to, so a second answer is never asked for.
  expect(await check('/', names(['127.0.0.1'], ['10.0.0.1']))).toEqual({ outcome: 'alive', status: 200 })
  expect(requests).toEqual(['HEAD /weg', 'HEAD /'])
})
