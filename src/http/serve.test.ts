import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { closeAtEnd } from '../../test/support/closing.ts'
import { serve } from './serve.ts'

/** So long that a stop which waits for it fails the test. */
const anHour = 3_600_000

async function aServer(grace: number) {
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
  const server = await serve({ give: () => false, fetch: app.fetch }, { port: 0, host: '127.0.0.1' })
  // As browsers do, it keeps its connection for what comes next.
  const agent = new Agent({ keepAlive: true })
  closeAtEnd(() => agent.destroy())
  const ask = async (path: string) => {
    const asked = request({ host: '127.0.0.1', port: server.port, path, agent })
    asked.end()
    const [response] = await once(asked, 'response')
    return text(response)
  }
  return { ask, under, finish, close: () => server.close(grace) }
}

test('a stop lets the request that is under way end, takes no new one, and does not wait for kept connections', async () => {
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

test('a stop does not wait for ever: after its grace what is still under way is cut off', async () => {
  const { ask, under, close } = await aServer(50)
  const slow = ask('/slow')
  slow.catch(() => {})
  await under
  await close()
  await expect(slow).rejects.toThrow(/socket hang up|ECONNRESET/)
})

test('who has sent all of an upload is not let go while it is looked at; who waits for anything else is', async () => {
  const app = new Hono().post('*', async (c) => {
    await c.req.arrayBuffer()
    await pause(1_500)
    return c.text('klaar')
  })
  const at = { port: 0, host: '127.0.0.1', idleMs: 200 }
  const server = await serve({ give: () => false, fetch: app.fetch }, at)
  closeAtEnd(() => server.close(0))
  const send = (path: string) =>
    fetch(`http://127.0.0.1:${server.port}${path}`, { method: 'POST', body: 'x'.repeat(100_000) })
  expect(await (await send('/api/files?name=foto.jpg')).text()).toBe('klaar')
  expect(await (await send('/api/files/12/content')).text()).toBe('klaar')
  await expect(send('/api/messages')).rejects.toThrow('fetch failed')
})
