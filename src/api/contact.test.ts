import { once } from 'node:events'
import { connect } from 'node:net'
import { beforeAll, describe, expect, test } from 'vitest'
import { closeAfterTest } from '../../test/support/close-after-test.ts'
import { aMessageOf } from '../../test/support/people.ts'
import { aTestApp, type TestApp } from '../../test/support/test-app.ts'
import { waitUntil } from '../../test/support/wait-until.ts'
import { serve } from '../http/serve.ts'

const json = { 'Content-Type': 'application/json' }
const post = (body: BodyInit, headers: Record<string, string> = json) => ({ method: 'POST', headers, body })

describe('POST /api/contact', () => {
  let request: TestApp['request']
  beforeAll(async () => {
    request = (await aTestApp()).request
  })

  test('answers a message with its number, a title and a text', async () => {
    const response = await request('/api/contact', post(JSON.stringify(aMessageOf('roya'))))
    expect(response.status).toBe(201)
    expect(response.headers.get('content-type')).toMatch(/^application\/json/)
    expect(response.headers.get('cache-control')).toBe('private, no-store')
    expect(await response.json()).toEqual({
      id: expect.any(Number),
      title: 'Dank voor uw bericht!',
      text: 'We zullen z.s.m contact met u opnemen.',
    })
  })

  test('answers in Persian a client that prefers Persian', async () => {
    const response = await request('/api/contact', post(JSON.stringify({ ...aMessageOf('parisa'), taal: 'fa' })))
    expect(response.headers.get('content-language')).toBe('fa')
    expect(await response.json()).toMatchObject({ title: 'از پیام شما سپاسگزاریم!' })
  })

  test('answers a script that posts a form in JSON', async () => {
    const body = new URLSearchParams(aMessageOf('roya')).toString()
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded', Accept: 'application/json' }
    const response = await request('/api/contact', post(body, headers))
    expect(response.status).toBe(201)
    expect(await response.json()).toMatchObject({ title: 'Dank voor uw bericht!' })
  })

  test('takes the recipients and subject that the specification lists, and ignores them', async () => {
    const { request, db, app } = await aTestApp()
    const extra = { recipients: ['dief@evil.example', 'tweede@evil.example'], subject: 'Loterij' }
    expect((await request('/api/contact', post(JSON.stringify({ ...aMessageOf('roya'), ...extra })))).status).toBe(201)
    const form = new URLSearchParams({ ...aMessageOf('sanne'), recipients: 'dief@evil.example', subject: 'Loterij' })
    form.append('recipients', 'tweede@evil.example')
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded', Accept: 'application/json' }
    expect((await request('/api/contact', post(String(form), headers))).status).toBe(201)
    const rows = await db.selectFrom('outbox').select(['recipient', 'data']).orderBy('id').execute()
    const { recipients } = app.context().site.contact
    expect(rows.map(({ recipient }) => recipient)).toEqual([...recipients, ...recipients])
    expect(JSON.stringify(rows)).not.toMatch(/evil|Loterij/)
  })

  test('names every wrong field in Dutch, and stores nothing', async () => {
    const { request, db } = await aTestApp()
    const response = await request(
      '/api/contact',
      post(JSON.stringify({ naam: ' ', email: 'roya', onderwerp: 'Hallo' })),
    )
    expect(response.status).toBe(422)
    expect(response.headers.get('content-type')).toBe('application/problem+json')
    expect(await response.json()).toEqual({
      title: 'Niet alles is goed ingevuld',
      status: 422,
      detail: expect.any(String),
      code: 'invalid',
      errors: [
        { path: 'naam', message: 'Dit is een verplicht veld!' },
        { path: 'email', message: 'Dit e-mailadres is niet geldig!' },
        { path: 'tel', message: 'Dit is een verplicht veld!' },
        { path: 'bericht', message: 'Dit is een verplicht veld!' },
        { path: 'onderwerp', message: 'Dit veld bestaat niet.' },
      ],
    })
    expect(await db.selectFrom('message').select('id').execute()).toEqual([])
  })

  test.each([
    ['by the language in the body', { taal: 'fa' }, {}],
    ['by Accept-Language', {}, { 'Accept-Language': 'fa-IR, nl;q=0.5' }],
  ])('names the wrong fields in Persian, %s', async (_, body, headers) => {
    const response = await request('/api/contact', post(JSON.stringify(body), { ...json, ...headers }))
    expect(await response.json()).toMatchObject({
      errors: [{ path: 'naam', message: 'پر کردن این فیلد الزامی است!' }, {}, {}, {}],
    })
  })

  test.each([
    ['broken JSON', '{', json, 400, 'malformed'],
    ['another type', 'naam', { 'Content-Type': 'text/plain' }, 415, 'unsupported_type'],
  ])('refuses %s', async (_, body, headers, status, code) => {
    const response = await request('/api/contact', post(body, headers))
    expect(response.status).toBe(status)
    expect(response.headers.get('content-type')).toBe('application/problem+json')
    expect(await response.json()).toMatchObject({ status, code, errors: [] })
  })

  test('allows an address a hundred posts in ten minutes, in any format', async () => {
    let at = Date.UTC(2026, 2, 2, 9)
    const { request } = await aTestApp({ now: () => new Date(at) })
    const form = { 'Content-Type': 'application/x-www-form-urlencoded' }
    for (let tries = 0; tries < 100; tries++) {
      const response = await request('/api/contact', tries % 2 ? post('{}') : post('naam=', form))
      expect(response.status).toBe(422)
    }
    at += 60_000
    const refused = await request('/api/contact', post(JSON.stringify(aMessageOf('roya'))))
    expect(refused.status).toBe(429)
    expect(refused.headers.get('retry-after')).toBe('540')
    expect((await request('/api/contact', post('naam=', form))).status).toBe(429)
    at += 540_000
    expect((await request('/api/contact', post(JSON.stringify(aMessageOf('roya'))))).status).toBe(201)
  })
})

describe('over a real connection, POST /api/contact', () => {
  const aServedApp = async () => {
    const site = await aTestApp()
    const server = await serve(site.app, { port: 0, host: '127.0.0.1' })
    closeAfterTest(() => server.close(1_000))
    return { ...site, port: server.port, url: `http://127.0.0.1:${server.port}/api/contact` }
  }
  const body = JSON.stringify(aMessageOf('roya'))
  const headers = `POST /api/contact HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n`

  test('refuses a body of ten megabytes in chunks', async () => {
    const { url } = await aServedApp()
    const large = new Blob(['x'.repeat(10_000_000)])
    const response = await fetch(url, { ...post(''), body: large.stream(), duplex: 'half' } as RequestInit)
    expect(response.status).toBe(413)
    expect(response.headers.get('content-type')).toBe('application/problem+json')
    expect(await response.json()).toMatchObject({ status: 413, code: 'too_large', errors: [] })
  })

  test('accepts a body in chunks', async () => {
    const { port, db } = await aServedApp()
    const socket = connect(port, '127.0.0.1')
    socket.write(`${headers}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n`)
    for (const piece of [body.slice(0, 9), body.slice(9)]) {
      await new Promise((resolve) => setTimeout(resolve, 20))
      socket.write(piece)
    }
    const [answer] = await once(socket, 'data')
    expect(String(answer)).toContain('HTTP/1.1 201')
    socket.destroy()
    expect(await db.selectFrom('message').select('naam').execute()).toHaveLength(1)
  })

  test('stores nothing and logs no error when the client disconnects during the body', async () => {
    const { port, db, lines } = await aServedApp()
    for (const length of [`Content-Length: ${Buffer.byteLength(body)}`, 'Transfer-Encoding: chunked']) {
      const socket = connect(port, '127.0.0.1')
      const start = `${headers}${length}\r\n\r\n${length.startsWith('T') ? '64\r\n' : ''}${body.slice(0, 30)}`
      await new Promise((resolve) => socket.write(start, resolve))
      socket.destroy()
    }
    await waitUntil(() => lines.filter((line) => line.path === '/api/contact').length === 2, 'two lines in the log')
    expect(lines.filter((line) => line.path === '/api/contact').map((line) => line.status)).toEqual([400, 400])
    expect(await db.selectFrom('message').select('id').execute()).toEqual([])
  })
})
