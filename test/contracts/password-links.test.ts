import type { KyselyPlugin, RootOperationNode } from 'kysely'
import { describe, expect, test } from 'vitest'
import { limits } from '../../src/contract/limits.ts'
import { createOperatorPasswordLink } from '../../src/domain/sign-in/links.ts'
import { requestPasswordLink } from '../../src/domain/sign-in/password-link.ts'
import type { Context } from '../../src/platform/context.ts'
import type { Transaction } from '../../src/platform/db/database.ts'
import { databases } from '../support/databases.ts'
import { aMailbox } from '../support/mailbox.ts'
import { aUser, password, signInWithPassword, staff } from '../support/staff.ts'
import { aTestApp, type TestApp } from '../support/test-app.ts'
import { aSecondFactor } from '../support/two-factor.ts'
import { aVisitor } from '../support/visitor.ts'
import { waitUntil } from '../support/wait-until.ts'

const email = staff.roya.email
const fresh = 'nieuw-geheim-456'

const linkIn = (text: string) => /https?:\/\/\S+\?token=[\w-]+/.exec(text)?.[0] ?? ''
const pathOf = (link: string) => new URL(link).pathname + new URL(link).search
const tokenOf = (link: string) => new URL(link).searchParams.get('token') ?? ''

const passwordLink = (site: TestApp, userId: number, minutes: number = limits.linkMinutes) => {
  const context = site.app.context()
  return context.transaction((tx) => createOperatorPasswordLink(tx, context, userId, minutes))
}

const canSignIn = async (site: TestApp, secret: string) =>
  (await aVisitor(site).post('/api/login', { identifier: email, password: secret })).status === 200

/** A context that records the kind and table of each database query. */
function recording(site: TestApp): { ctx: Context; queries: string[] } {
  const queries: string[] = []
  const recorder: KyselyPlugin = {
    transformQuery({ node }) {
      queries.push(`${node.kind} ${tableOf(node)}`)
      return node
    },
    transformResult: async ({ result }) => result,
  }
  const base = site.app.context()
  const ctx: Context = {
    ...base,
    actor: undefined,
    db: base.db.withPlugin(recorder),
    transaction: (work) => base.transaction((tx) => work(tx.withPlugin(recorder) as Transaction)),
    wake: { email: () => {}, image: () => {}, backup: () => {}, deletedRows: () => {}, invalidation: async () => {} },
  }
  return { ctx, queries }
}

/** The first table name in a query. */
const tableOf = (node: RootOperationNode): string =>
  /"TableNode".*?"identifier":\{"kind":"IdentifierNode","name":"(\w+)"/.exec(JSON.stringify(node))?.[1] ?? ''

describe.each(databases)('on %s', (database) => {
  test('a forgotten password: an email, a link, the new password twice; the old one and every session end', async () => {
    const mailbox = await aMailbox()
    const site = await aTestApp({ database, settings: { smtpUrl: mailbox.url, baseUrl: 'https://www.example.nl' } })
    await aUser(site, staff.roya)
    const phone = await signInWithPassword(site, email)
    const visitor = aVisitor(site)

    const asked = await visitor.submitForm('/wachtwoord-vergeten', { email: ' ROYA@example.nl ' })
    expect(asked.status).toBe(303)
    expect(await (await visitor.get(asked.headers.get('location') ?? '')).text()).toContain('Kijk in uw mailbox')

    const [received] = await mailbox.received(1)
    expect(received?.to).toEqual([email])
    expect(received?.parsed.subject).toBe('Uw wachtwoord bij Maaslicht')
    const link = linkIn(received?.parsed.text ?? '')
    expect(link).toMatch(/^https:\/\/www\.example\.nl\/wachtwoord\?token=[\w-]{43}$/)
    expect(received?.parsed.html).toContain(link)

    // Mail scanners open links; that does not use the link up.
    for (let look = 0; look < 3; look++) {
      const page = await aVisitor(site).get(pathOf(link))
      expect(page.status).toBe(200)
      expect(page.headers.get('referrer-policy')).toBe('same-origin')
      expect(page.headers.get('cache-control')).toBe('private, no-store')
      const html = await page.text()
      expect(html).toContain('<meta name="robots" content="noindex"/>')
      expect(html).toContain(email)
    }

    const token = tokenOf(link)
    const set = await visitor.submitForm('/wachtwoord', { token, password: fresh, repeat: fresh })
    expect(set.status).toBe(303)
    expect(set.headers.get('location')).toBe('/login?melding=gewijzigd')
    expect([...visitor.cookies.keys()].filter((name) => name.includes('session'))).toEqual([])
    expect((await phone.get('/api/me')).status).toBe(401)
    expect(await canSignIn(site, password)).toBe(false)
    expect(await canSignIn(site, fresh)).toBe(true)

    const again = await aVisitor(site).submitForm('/wachtwoord', {
      token,
      password: 'nog-een-keer',
      repeat: 'nog-een-keer',
    })
    expect(again.status).toBe(404)
    expect(await again.text()).toContain('Deze link werkt niet meer')
    expect(await canSignIn(site, fresh)).toBe(true)
  })

  test('a link works once, also for two requests at the same time', async () => {
    const site = await aTestApp({ database })
    const id = await aUser(site, staff.roya)
    const token = tokenOf(await passwordLink(site, id))
    const answers = await Promise.all(
      ['eerste-keus', 'tweede-keus', 'derde-keus'].map((choice) =>
        aVisitor(site).submitForm('/wachtwoord', { token, password: choice, repeat: choice }),
      ),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 404, 404])
  })

  test('a link ends: after its time, by a newer link, by a new password, and for a blocked or deleted user', async () => {
    let offset = 0
    const site = await aTestApp({ database, now: () => new Date(Date.now() + offset) })
    const id = await aUser(site, staff.roya)
    const works = async (link: string) => (await aVisitor(site).get(pathOf(link))).status === 200

    const late = await passwordLink(site, id)
    offset = (limits.linkMinutes - 1) * 60_000
    expect(await works(late)).toBe(true)
    offset = limits.linkMinutes * 60_000 + 1_000
    expect(await works(late)).toBe(false)
    const post = await aVisitor(site).submitForm('/wachtwoord', {
      token: tokenOf(late),
      password: fresh,
      repeat: fresh,
    })
    expect(post.status).toBe(404)

    const older = await passwordLink(site, id)
    const newer = await passwordLink(site, id)
    expect([await works(older), await works(newer)]).toEqual([false, true])

    await site.db.updateTable('user').set({ blocked: 1 }).execute()
    expect(await works(newer)).toBe(false)
    const blocked = await aVisitor(site).submitForm('/wachtwoord', {
      token: tokenOf(newer),
      password: fresh,
      repeat: fresh,
    })
    expect(blocked.status).toBe(404)
    await site.db.updateTable('user').set({ blocked: 0 }).execute()
    expect(await canSignIn(site, password)).toBe(true)

    await site.db.deleteFrom('user').execute()
    expect(await works(newer)).toBe(false)
    for (const token of ['', 'onzin', '\u0000', 'x'.repeat(10_000)]) {
      expect(
        (await aVisitor(site).submitForm('/wachtwoord', { token, password: fresh, repeat: fresh })).status,
      ).toBeLessThan(500)
    }
  })

  test('an invitation is a password link with a longer lifetime, for a user without a password', async () => {
    const site = await aTestApp({ database })
    const id = await aUser(site, { ...staff.roya, password: null })
    const link = await passwordLink(site, id, limits.invitationDays * 24 * 60)
    const { expires_at } = await site.db.selectFrom('user_link').select('expires_at').executeTakeFirstOrThrow()
    expect(Date.parse(expires_at) - Date.now()).toBeGreaterThan(6.9 * 86_400_000)
    await aVisitor(site).submitForm('/wachtwoord', { token: tokenOf(link), password: fresh, repeat: fresh })
    expect(await canSignIn(site, fresh)).toBe(true)
  })

  test('the token is not in the database, and the change is in the audit log without it', async () => {
    const site = await aTestApp({ database })
    const id = await aUser(site, staff.roya)
    await aVisitor(site).submitForm('/wachtwoord-vergeten', { email })
    const written = await waitUntil(async () => (await site.writtenEmails())[0], 'email')
    const token = tokenOf(linkIn(written.text ?? ''))
    const rows = JSON.stringify([
      await site.db.selectFrom('user_link').selectAll().execute(),
      await site.db.selectFrom('outbox').selectAll().execute(),
    ])
    expect(token).toHaveLength(43)
    expect(rows).not.toContain(token)

    await aVisitor(site).submitForm('/wachtwoord', { token, password: fresh, repeat: fresh })
    const audit = await site.db.selectFrom('audit').selectAll().execute()
    expect(audit).toMatchObject([{ action: 'user.password_set', actor_id: id, subject_id: String(id) }])
    expect(JSON.stringify([audit, site.lines])).not.toMatch(new RegExp(`${token}|${fresh}`))
  })

  test('a reset link does not turn off the second factor', async () => {
    const site = await aTestApp({ database })
    const id = await aUser(site, staff.roya)
    await aSecondFactor(site, id)
    const visitor = aVisitor(site)
    const waiting = await visitor.post('/api/login', { identifier: email, password })
    expect(await waiting.json()).toMatchObject({ secondStep: true })
    const token = tokenOf(await passwordLink(site, id))
    await aVisitor(site).submitForm('/wachtwoord', { token, password: fresh, repeat: fresh })

    const after = aVisitor(site)
    const answer = await after.post('/api/login', { identifier: email, password: fresh })
    expect(await answer.json()).toMatchObject({ secondStep: true })
    expect((await after.get('/api/me')).status).toBe(401)
    // A sign-in that was pending since the old password has ended.
    const late = await visitor.post('/api/login/code', { code: '123456' })
    expect(late.status).toBe(401)
  })

  describe('a request for a reset link', () => {
    const kinds = { known: email, unknown: 'niemand@example.nl', blocked: 'blok@example.nl' }

    /** Everything that the requester can observe. */
    async function askAs(site: TestApp, address: string) {
      const answer = await aVisitor(site).submitForm('/wachtwoord-vergeten', { email: address })
      const headers = [...answer.headers].filter(([name]) => name !== 'x-request-id')
      return { status: answer.status, headers, body: await answer.text() }
    }

    test('runs the same queries for every address, and never reads the users', async () => {
      const site = await aTestApp({ database })
      await aUser(site, staff.roya)
      await aUser(site, { name: 'Blok', email: kinds.blocked, blocked: true })
      const work = async (address: string) => {
        const { ctx, queries } = recording(site)
        await requestPasswordLink(ctx, { email: address, locale: 'nl' }, { address: '203.0.113.7', browser: undefined })
        return queries
      }
      const usual = await work('eerst@example.nl')
      expect(usual).toContain('InsertQueryNode outbox')
      expect(usual.join()).not.toMatch(/\buser\b|account/)
      for (const address of Object.values(kinds)) expect(await work(address)).toEqual(usual)
    })

    test.each(['up', 'down'])('gets the same response for any address, while the mail server is %s', async (state) => {
      const mailbox = await aMailbox()
      if (state === 'down') await mailbox.stop()
      const site = await aTestApp({ database, settings: { smtpUrl: mailbox.url } })
      await aUser(site, staff.roya)
      await aUser(site, { name: 'Blok', email: kinds.blocked, blocked: true })

      const before = await askAs(site, 'eerst@example.nl')
      expect(before.status).toBe(303)
      for (const address of Object.values(kinds)) {
        expect(await askAs(site, address)).toEqual(before)
      }

      if (state === 'up') {
        await mailbox.received(1)
        await waitUntil(async () => {
          const rows = await site.db.selectFrom('outbox').select('state').execute()
          return rows.length === 1 && rows[0]?.state === 'sent'
        }, 'outbox without the emails that nobody gets')
        expect(mailbox.emails.flatMap(({ to }) => to)).toEqual([email])
      } else {
        // The hour of the link starts when the email is made.
        const failed = waitUntil(
          () => site.lines.some((line) => line.msg === 'email not sent, will retry'),
          'failed try',
        )
        await failed
        await mailbox.start()
        const [received] = await mailbox.received(1)
        const link = linkIn(received?.parsed.text ?? '')
        expect((await aVisitor(site).get(pathOf(link))).status).toBe(200)
      }
    })

    test('sends a mailbox at most five emails in an hour, without revealing it', async () => {
      const mailbox = await aMailbox()
      const site = await aTestApp({ database, settings: { smtpUrl: mailbox.url, trustProxy: 1 } })
      await aUser(site, staff.roya)
      for (let time = 0; time < limits.resetsPerMailbox + 3; time++) {
        const answer = await aVisitor(site, `198.51.100.${time}`).submitForm('/wachtwoord-vergeten', { email })
        expect(answer.status).toBe(303)
      }
      await mailbox.received(limits.resetsPerMailbox)
      const { count } = await site.db
        .selectFrom('outbox')
        .select((eb) => eb.fn.countAll().as('count'))
        .executeTakeFirstOrThrow()
      expect(Number(count)).toBe(limits.resetsPerMailbox)
    })

    test('is limited to twenty per client address in an hour', async () => {
      const site = await aTestApp({ database })
      const visitor = aVisitor(site)
      for (let time = 0; time < limits.resetsPerAddress; time++) {
        const answer = await visitor.submitForm('/wachtwoord-vergeten', { email: `niemand${time}@example.nl` })
        expect(answer.status).toBe(303)
      }
      const refused = await visitor.submitForm('/wachtwoord-vergeten', { email })
      expect(refused.status).toBe(429)
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    })
  })
})

test('the email is in Persian for a user with that language', async () => {
  const site = await aTestApp()
  const id = await aUser(site, staff.roya)
  await site.db.updateTable('user').set({ locale: 'fa' }).where('id', '=', id).execute()
  await aVisitor(site).submitForm('/wachtwoord-vergeten', { email })
  const written = await waitUntil(async () => (await site.writtenEmails())[0], 'email')
  expect(written.subject).toBe('گذرواژهٔ شما در Maaslicht')
  expect(new URL(linkIn(written.text ?? '')).pathname).toBe('/fa/wachtwoord')
})

test('without a mail server the page says so before and after the request, whether there is an account or not', async () => {
  const site = await aTestApp()
  await aUser(site, staff.roya)
  const visitor = aVisitor(site)
  const noMail = 'Deze website kan nog geen e-mail versturen. Vraag een beheerder om een link'
  expect(await (await visitor.get('/wachtwoord-vergeten')).text()).toContain(noMail)
  const pages = []
  for (const address of [email, 'niemand@example.nl']) {
    const asked = await visitor.submitForm('/wachtwoord-vergeten', { email: address })
    pages.push(await (await visitor.get(asked.headers.get('location') ?? '')).text())
  }
  expect(pages[0]).toContain(noMail)
  expect(pages[0]).not.toContain('Kijk in uw mailbox')
  expect(pages[1]).toBe(pages[0])
})

test('spec 5 messages: passwords that differ, and one that is too short', async () => {
  const site = await aTestApp()
  const id = await aUser(site, staff.roya)
  const token = tokenOf(await passwordLink(site, id))
  const visitor = aVisitor(site)
  const differ = await visitor.submitForm('/wachtwoord', { token, password: 'geheim-1', repeat: 'geheim-2' })
  expect(differ.status).toBe(422)
  const html = await differ.text()
  expect(html).toContain('De ingevoerde wachtwoorden komen niet overeen!')
  expect(html).not.toContain('geheim-1')
  const short = await visitor.submitForm('/wachtwoord', { token, password: 'vijf5', repeat: 'vijf5' })
  expect(await short.text()).toContain('Wachtwoord moet bestaan uit minstens 6 karakters!')
  expect((await visitor.submitForm('/wachtwoord', { token, password: 'zes666', repeat: 'zes666' })).status).toBe(303)
})

test('spec 5 e-mail: an invalid address is reported and stays in its field', async () => {
  const site = await aTestApp()
  const answer = await aVisitor(site).submitForm('/wachtwoord-vergeten', { email: 'roya@' })
  expect(answer.status).toBe(422)
  const html = await answer.text()
  expect(html).toContain('Dit e-mailadres is niet geldig!')
  expect(html).toContain('value="roya@"')
})
