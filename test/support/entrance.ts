import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { DatabaseKind } from './databases.ts'
import { aMailbox, type Mailbox } from './mailbox.ts'
import { operate } from './operator.ts'
import { aProgram, type Program } from './program.ts'

/** The password of whoever is made here. */
export const secret = 'geheim-123'

export interface Entrance {
  site: Program
  mailbox: Mailbox
  /** By this name, and not by a number, a browser lets passkeys be. */
  origin: string
  /** Somebody new, who can sign in with `secret`. */
  aPerson(name?: string): Promise<{ email: string; name: string }>
}

/** The built program with a mailbox, for journeys of people who come in or go out. */
export async function anEntrance(database: DatabaseKind = 'sqlite'): Promise<Entrance> {
  const mailbox = await aMailbox()
  const site = await aProgram({ SMTP_URL: mailbox.url }, database)
  let count = 0
  return {
    site,
    mailbox,
    origin: `http://localhost:${site.port}`,
    async aPerson(name = 'Roya Karimi') {
      count++
      const email = `persoon${count}@example.nl`
      const { code, err } = await operate(site.where, ['create-admin', email, name, '--password-stdin'], `${secret}\n`)
      expect({ code, err }).toEqual({ code: 0, err: '' })
      return { email, name }
    },
  }
}

export const field = (page: Page, name: string) => page.locator(`.panel [name="${name}"]`)
export const send = (page: Page) => page.locator('.panel form button[type=submit]').click()

/** Fills in the form of a page and sends it. */
export async function fill(page: Page, values: Record<string, string>): Promise<void> {
  for (const [name, value] of Object.entries(values)) await field(page, name).fill(value)
  await send(page)
}

export const signIn = (page: Page, identifier: string, password = secret) => fill(page, { identifier, password })

/** What is wrong with a field, once the form has come back: until then its place is empty. */
export async function problemAt(page: Page, name: string): Promise<string> {
  const place = page.locator(`#e-${name}`).filter({ hasText: /\S/ })
  await place.waitFor()
  return place.innerText()
}
