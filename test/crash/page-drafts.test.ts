import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { administrator } from '../support/administrator.ts'
import { databases } from '../support/databases.ts'
import { aProgram } from '../support/program.ts'
import { signInAsAdministrator } from '../support/session-cookies.ts'

const kills = 4

describe.each(databases)('on %s', (kind) => {
  test('spec 4: after the server is killed while saving, an acknowledged draft is there, complete, and never older', async () => {
    const program = await aProgram({ ADMIN_EMAIL: administrator.email, ADMIN_PASSWORD: administrator.password }, kind)
    const call = (cookie: string, path: string, method: string, body?: unknown) =>
      fetch(`${program.url}${path}`, {
        method,
        headers: { cookie, ...(body !== undefined && { 'Content-Type': 'application/json' }) },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
    const cookie = await signInAsAdministrator(program.url)
    const made = await call(cookie, '/api/pages', 'POST', { title: 'Werk', locale: 'nl' })
    const { id } = (await made.json()) as { id: number }
    const text = { title: 'Werk', slug: 'werk', seoTitle: '', description: '', picture: '', noindex: false }
    const body = Array.from({ length: 200 }, (_, at) => ({ type: 'rich-text', id: `b${at}`, content: `<p>${at}</p>` }))

    let sent = 0
    let acknowledged = 0
    let revision = 0
    let writing = true
    const write = async () => {
      while (writing) {
        const number = ++sent
        const draft = { text: { ...text, title: `Versie ${number}`, body }, baseVersion: 1, revision }
        const answer = await call(cookie, `/api/pages/${id}/nl/draft`, 'PUT', draft).catch(() => undefined)
        const result = await answer?.json().catch(() => undefined)
        if (answer?.status === 200 && result) {
          acknowledged = number
          revision = result.revision
        } else if (answer?.status === 409 && result) {
          // A save whose response was lost may be stored.
          expect(Number(result.current.text.title.split(' ')[1])).toBeGreaterThan(acknowledged)
          revision = result.current.revision
        } else await pause(20)
      }
    }
    for (let count = 0; count < kills; count++) {
      writing = true
      const before = acknowledged
      const writer = write()
      await expect.poll(() => acknowledged).toBeGreaterThan(before)
      await pause(Math.random() * 300)
      await program.kill()
      writing = false
      await writer
      await program.start()
      const stored = (await (await call(cookie, `/api/pages/${id}/nl/draft`, 'GET')).json()) as {
        text: { title: string; body: unknown[] }
      }
      const number = Number(/^Versie (\d+)$/.exec(stored.text.title)?.[1])
      expect(number).toBeGreaterThanOrEqual(acknowledged)
      expect(number).toBeLessThanOrEqual(sent)
      expect(stored.text.body).toEqual(body)
    }
    expect(await program.stop()).toBe(0)
  })
})
