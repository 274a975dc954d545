import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { closeAfterTest } from '../../test/support/close-after-test.ts'
import { serve } from './serve.ts'

/** So long that a stop which waited for it would fail the test. */
const anHour = 3_600_000

async function aServer(grace: number, linger?: number) {
  let arrived = () => {}
  let finish = () => {}
  const under = new Promise<void>((resolve) => {
    arrived = resolve
  })
  const over = new Promise<void>((resolve) => {
    finish = resolve
  })
  const app = new Hono()
    .get('/', (c) => c.text('kort'))
    .get('/slow', async (c) => {
      arrived()
      await over
      return c.text('lang')
    })
  const server = await serve({ serveCached: () => false, fetch: app.fetch }, { port: 0, host: '127.0.0.1' })
  // Keep-alive, as browsers have it.
  const agent = new Agent({ keepAlive: true })
  closeAfterTest(() => agent.destroy())
  const ask = async (path: string) => {
    const sent = request({ host: '127.0.0.1', port: server.port, path, agent })
    sent.end()
    const [response] = await once(sent, 'response')
    return text(response)
  }
  return { ask, under, finish, close: () => server.close(grace, linger), leave: () => agent.destroy() }
}

test('a stop lets a running request end, accepts no new one, and does not wait for idle keep-alive connections', async () => {
  const { ask, under, finish, close } = await aServer(anHour)
  expect(await ask('/')).toBe('kort')
  const slow = ask('/slow')
  await under
  const closed = close()
  await expect(ask('/')).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  finish()
  expect(await slow).toBe('lang')
  await closed
})

test('a stop that lingers answers a last request on the connections that it has, and ends when they are closed', async () => {
  const { ask, close } = await aServer(anHour, anHour)
  expect(await ask('/')).toBe('kort')
  const closed = close()
  expect(await ask('/')).toBe('kort')
  await closed
  await expect(ask('/')).rejects.toMatchObject({ code: 'ECONNREFUSED' })
})

test('a stop cuts off requests that still run after the grace period', async () => {
  const { ask, under, close } = await aServer(50)
  const slow = ask('/slow')
  slow.catch(() => {})
  await under
  await close()
  await expect(slow).rejects.toThrow(/socket hang up|ECONNRESET/)
})

test('a stop waits for a request whose client has left, because it may still use the database', async () => {
  const { ask, under, finish, close, leave } = await aServer(anHour)
  ask('/slow').catch(() => {})
  await under
  leave()
  let closed = false
  const closing = close().then(() => {
    closed = true
  })
  await pause(200)
  expect(closed).toBe(false)
  finish()
  await closing
})

test('the idle timeout cuts off no complete upload, form with files, read of a backup or check of another server, but a request to another path', async () => {
  const app = new Hono().all('*', async (c) => {
    await c.req.arrayBuffer()
    await pause(6_000)
    return c.text('klaar')
  })
  const at = { port: 0, host: '127.0.0.1', idleMs: 2_000 }
  const server = await serve({ serveCached: () => false, fetch: app.fetch }, at)
  closeAfterTest(() => server.close(0))
  const send = (path: string) =>
    fetch(`http://127.0.0.1:${server.port}${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'multipart/form-data; boundary=x' },
      body: 'x'.repeat(100_000),
    })
  const uploads = ['/api/files?name=foto.jpg', '/api/files/12/content', '/api/forms/offerte']
  const spared = [...uploads, '/api/backups/3/search', '/api/backups/try', '/api/mail-server/test']
  const answers = spared.map(async (path) => (await send(path)).text())
  const checks = ['/api/health?fresh=yes', '/api/mail-server/checks'].map((path) =>
    fetch(`http://127.0.0.1:${server.port}${path}`),
  )
  await expect(send('/api/messages')).rejects.toThrow('fetch failed')
  expect(await Promise.all(answers)).toEqual(spared.map(() => 'klaar'))
  expect((await Promise.all(checks)).map(({ status }) => status)).toEqual([200, 200])
})

/** Sends the head of a request and then its body byte by byte, until the connection is closed. @returns the response */
async function drip(port: number, head: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  let received = ''
  socket.setEncoding('latin1').on('data', (text: string) => {
    received += text
  })
  socket.on('error', () => {})
  socket.write(head)
  const dripping = setInterval(() => socket.write('x'), 20)
  await new Promise((resolve) => socket.once('close', resolve))
  clearInterval(dripping)
  return received
}

test.each(['GET', 'HEAD', 'POST', 'DELETE'])('a %s whose body goes on after the response is closed', async (method) => {
  const app = new Hono().all('*', (c) => c.text('klaar'))
  const at = { port: 0, host: '127.0.0.1', unreadBodyMs: 100 }
  const server = await serve({ serveCached: () => false, fetch: app.fetch }, at)
  closeAfterTest(() => server.close(0))
  for (const path of ['/', '/api/files?name=foto.jpg']) {
    const head = `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n`
    expect(await drip(server.port, head)).toContain('200 OK')
  }
})

test('a slow body is cut off, also a chunked one', async () => {
  const app = new Hono()
    .all('*', async (c) => c.text(await c.req.text()))
    .onError((_error, c) => c.text('afgebroken', 400))
  const at = { port: 0, host: '127.0.0.1', bodyMs: 200 }
  const server = await serve({ serveCached: () => false, fetch: app.fetch }, at)
  closeAfterTest(() => server.close(0))
  expect(await drip(server.port, 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n')).toBe('')
  const chunked = 'PUT / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nfffff\r\n'
  expect(await drip(server.port, chunked)).toBe('')
})

test('a form with files has more time than other bodies', async () => {
  const app = new Hono()
    .all('*', async (c) => c.text(await c.req.text()))
    .onError((_error, c) => c.text('afgebroken', 400))
  const at = { port: 0, host: '127.0.0.1', bodyMs: 200 }
  const server = await serve({ serveCached: () => false, fetch: app.fetch }, at)
  closeAfterTest(() => server.close(0))
  const post = (path: string, type: string) => {
    const headers = `Host: localhost\r\nConnection: close\r\nContent-Type: ${type}\r\nContent-Length: 30\r\n\r\n`
    return drip(server.port, `POST ${path} HTTP/1.1\r\n${headers}`)
  }
  expect(await post('/api/forms/offerte', 'multipart/form-data; boundary=x')).toContain('x'.repeat(30))
  expect(await post('/api/forms/offerte', 'application/json')).toBe('')
  expect(await post('/api/contact', 'multipart/form-data; boundary=x')).toBe('')
})

test('connections over the limit are closed and reported', async () => {
  let refused = 0
  const app = new Hono().get('/', (c) => c.text('kort'))
  const at = { port: 0, host: '127.0.0.1', maxConnections: 2, onConnectionRefused: () => refused++ }
  const server = await serve({ serveCached: () => false, fetch: app.fetch }, at)
  closeAfterTest(() => server.close(0))
  const open = async () => {
    const socket = connect(server.port, '127.0.0.1')
    closeAfterTest(() => void socket.destroy())
    await once(socket, 'connect')
    socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
    return Promise.race([once(socket, 'data').then(() => 'answered'), once(socket, 'close').then(() => 'closed')])
  }
  expect([await open(), await open(), await open()]).toEqual(['answered', 'answered', 'closed'])
  expect(refused).toBe(1)
})

test('a download is not read into memory faster than its client reads it', async () => {
  const chunk = new Uint8Array(65_536)
  let produced = 0
  const download = () =>
    new ReadableStream<Uint8Array>({
      pull: (to) => {
        produced += chunk.length
        to.enqueue(chunk)
      },
    })
  const app = new Hono().get('/', (c) => c.text('kort')).get('/film', (c) => c.body(download()))
  const server = await serve({ serveCached: () => false, fetch: app.fetch }, { port: 0, host: '127.0.0.1' })
  closeAfterTest(() => server.close(0))
  const socket = connect(server.port, '127.0.0.1')
  closeAfterTest(() => void socket.destroy())
  socket.pause()
  socket.write('GET /film HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await expect.poll(() => produced).toBeGreaterThan(0)
  // The endless stream would fill the memory while others are answered.
  for (let asked = 0; asked < 50; asked++)
    expect(await (await fetch(`http://127.0.0.1:${server.port}/`)).text()).toBe('kort')
  // The buffers of both sockets.
  expect(produced).toBeLessThan(32 * 1_048_576)
})
