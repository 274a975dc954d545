import type { Page } from 'playwright-core'
import { administratorRoleId } from '../../src/contract/rights.ts'
import { openDatabase } from '../../src/platform/db/database.ts'
import { closeAfterTest } from './close-after-test.ts'
import { aMailbox, type Mailbox } from './mailbox.ts'
import { aProgram, type Program } from './program.ts'
import { aUser } from './staff.ts'

/** The password of every user of this site. */
export const password = 'geheim-123'

export interface SignInSite {
  site: Program
  /** Receives the emails of the program. */
  mailbox: Mailbox
  /** The origin with the host name localhost: passkeys do not work with an IP address. */
  origin: string
  /** Adds an administrator, who can sign in with `password`. */
  aPerson(name?: string): Promise<{ email: string; name: string }>
}

/** Starts the built program and a mailbox, for journeys that sign in or out, until the test ends. */
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
      await aUser({ db }, { email, name, roleId: administratorRoleId, password })
      return { email, name }
    },
  }
}

// The form of a sign-in page.
export const field = (page: Page, name: string) => page.locator(`.panel [name="${name}"]`)
export const submitForm = (page: Page) => page.locator('.panel form button[type=submit]').click()

/** Fills in the form of a page and submits it. */
export async function fillAndSubmit(page: Page, values: Record<string, string>): Promise<void> {
  for (const [name, value] of Object.entries(values)) await field(page, name).fill(value)
  await submitForm(page)
}

/** Fills in the sign-in form with the password of the site or another one, and submits it. */
export const signIn = (page: Page, identifier: string, secret = password) =>
  fillAndSubmit(page, { identifier, password: secret })

/** Waits for the error of a field, whose element is empty until the server has refused the form. @returns its text */
export async function fieldError(page: Page, name: string): Promise<string> {
  const error = page.locator(`#e-${name}`).filter({ hasText: /\S/ })
  await error.waitFor()
  return error.innerText()
}
