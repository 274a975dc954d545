import type { Page } from 'playwright-core'
import { administratorRoleId } from '../../src/contract/rights.ts'
import { openDatabase } from '../../src/platform/db/database.ts'
import { closeAfterTest } from './close-after-test.ts'
import { aMailbox, type Mailbox } from './mailbox.ts'
import { aProgram, type Program } from './program.ts'
import { aUser } from './staff.ts'

/** The password of every user of this site. */
export const secret = 'geheim-123'

export interface SignInSite {
  site: Program
  mailbox: Mailbox
  /** Passkeys need a host name instead of an IP address. */
  origin: string
  /** Adds a user, who can sign in with `secret`. */
  aPerson(name?: string): Promise<{ email: string; name: string }>
}

/** The built program with a mailbox, for journeys that sign in or out. */
export async function aSignInSite(): Promise<SignInSite> {
  const mailbox = await aMailbox()
  const site = await aProgram({ SMTP_URL: mailbox.url })
  const { db } = await openDatabase({ dataDir: site.dataDir })
  closeAfterTest(() => db.destroy())
  let count = 0
  return {
    site,
    mailbox,
    origin: `http://localhost:${site.port}`,
    async aPerson(name = 'Roya Karimi') {
      count++
      const email = `persoon${count}@example.nl`
      await aUser({ db }, { email, name, roleId: administratorRoleId, password: secret })
      return { email, name }
    },
  }
}

export const field = (page: Page, name: string) => page.locator(`.panel [name="${name}"]`)
export const submitForm = (page: Page) => page.locator('.panel form button[type=submit]').click()

/** Fills in the form of a page and submits it. */
export async function fillAndSubmit(page: Page, values: Record<string, string>): Promise<void> {
  for (const [name, value] of Object.entries(values)) await field(page, name).fill(value)
  await submitForm(page)
}

export const signIn = (page: Page, identifier: string, password = secret) =>
  fillAndSubmit(page, { identifier, password })

/** The error of a field. Its element is empty until the form has been returned. */
export async function fieldError(page: Page, name: string): Promise<string> {
  const place = page.locator(`#e-${name}`).filter({ hasText: /\S/ })
  await place.waitFor()
  return place.innerText()
}
