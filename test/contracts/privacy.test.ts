import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { PersonExport } from '../../src/contract/privacy.ts'
import { type DatabaseKind, databases } from '../support/databases.ts'
import { countLockWaits } from '../support/lock-waits.ts'
import { aMailbox } from '../support/mailbox.ts'
import { sendMessage } from '../support/messages.ts'
import { aRole } from '../support/roles.ts'
import { as, aUser, password, signInWithPassword, staff, withSession } from '../support/staff.ts'
import { aTestApp, type TestApp } from '../support/test-app.ts'
import { anSvg, uploadFile } from '../support/uploads.ts'
import { waitUntil } from '../support/wait-until.ts'

const email = 'roya@example.nl'

/** Every text in every table, so that the check is complete. */
async function everything(site: TestApp): Promise<string> {
  const tables = (await site.db.introspection.getTables()).map(({ name }) => name)
  const texts: string[] = []
  for (const table of tables.filter((name) => !/_parts|^kysely|^sqlite/.test(name))) {
    const { rows } = await sql`select * from ${sql.id(table)}`.execute(site.db)
    texts.push(JSON.stringify(rows))
  }
  return texts.join('\n').toLowerCase()
}

/** Roya has an account, sent two messages, got a reply, and has actions in the audit log. */
async function aKnownPerson(database: DatabaseKind) {
  const mailbox = await aMailbox()
  const site = await aTestApp({ database, settings: { smtpUrl: mailbox.url } })
  const bente = await as(site, 'beheerder')
  const roya = await as(site, 'roya')
  // A sign-in with the password remembers the browser, which `as` does not.
  await signInWithPassword(site, staff.beheerder.email)
  const first = await sendMessage(site, 'roya', {
    naam: 'Roya Moradi',
    email: 'Roya@Example.nl',
    bericht: 'Mijn geheim plan',
  })
  await sendMessage(site, 'roya', { naam: 'Roya Moradi', email, bericht: 'Nogmaals', website: 'x' })
  const other = await sendMessage(site, 'sanne')
  await bente.put(`/api/messages/${first}`, { note: 'Roya belt terug' })
  await bente.post(`/api/messages/${first}/reply`, { text: 'Dag Roya' })
  await mailbox.received(5)
  await roya.put('/api/profile', { name: 'Roya Moradi', email, locale: 'fa' })
  await bente.put(`/api/users/${roya.id}`, { email, name: 'Roya M.', user_role: { set: [3] } })
  await bente.get('/api/users/export?search=Roya')
  await bente.post(`/api/users/${roya.id}/password-link`, { by: 'mail' })
  await mailbox.received(6)
  await waitUntil(
    async () => (await site.db.selectFrom('outbox').select('id').where('state', '!=', 'sent').execute()).length === 0,
    'outbox that sent everything',
  )
  // The role change ended her session.
  return { site, bente, roya: { ...roya, ...(await signInWithPassword(site, email)) }, other }
}

describe.each(databases)('all data of one email address, on %s,', (database) => {
  test('is counted first, whatever the capitals in the address, and exported after the own password: messages, replies, emails, account, audit log, and no secret', async () => {
    const { site, bente, roya } = await aKnownPerson(database)
    const counted = await bente.post('/api/privacy/search', { email: 'ROYA@example.nl' })
    expect(await counted.json()).toEqual({
      messages: 2,
      letters: 2,
      account: { id: roya.id, name: 'Roya M.', can: { delete: true } },
      changes: 3,
    })
    expect(await (await bente.post('/api/privacy/search', { email: 'oya@example.nl' })).json()).toEqual({
      messages: 0,
      letters: 0,
      account: null,
      changes: 0,
    })

    expect((await bente.post('/api/privacy/export', { email })).status).toBe(422)
    const wrong = await bente.post('/api/privacy/export', { email, password: 'anders' })
    expect([wrong.status, (await wrong.json()).errors]).toMatchObject([422, [{ path: 'password' }]])

    const answer = await bente.post('/api/privacy/export', { email, password })
    expect(answer.headers.get('content-disposition')).toMatch(/privacy-[\d-]+\.json/)
    const found: PersonExport = await answer.json()
    expect(found.messages).toMatchObject(
      [
        { bericht: 'Mijn geheim plan (1)', note: 'Roya belt terug', replies: [{ text: 'Dag Roya' }] },
        { folder: 'spam' },
      ].map((one, index) => (index === 0 ? { ...one, bericht: expect.stringContaining('Mijn geheim plan') } : one)),
    )
    expect(found.letters).toMatchObject([{ kind: 'messageReply' }, { kind: 'userInvitation' }])
    expect(found.account).toMatchObject({ name: 'Roya M.', role: 'Redacteur', sessions: [expect.any(Object)] })
    expect(found.changes.map(({ action }) => action)).toContain('profile.changed')
    expect(JSON.stringify(found)).not.toMatch(/\$argon|\$scrypt|token|hash/i)
    const page = await bente.post('/api/privacy/export', { email, password, format: 'html' })
    expect(page.headers.get('content-type')).toMatch(/^text\/html/)
    expect(page.headers.get('content-disposition')).toMatch(/privacy-[\d-]+\.html/)
    const html = await page.text()
    // Her language is Persian, so her export is Persian.
    expect(html).toContain('<html lang="fa" dir="rtl">')
    for (const text of ['Mijn geheim plan', 'Roya belt terug', 'Dag Roya', 'دعوت‌نامه', 'ویراستار']) {
      expect(html).toContain(text)
    }
    expect(html).not.toMatch(/undefined|\[object|privacyExport|audit\.actions|<script/)
    const log = await site.db.selectFrom('audit').selectAll().where('action', '=', 'privacy.exported').execute()
    expect(log).toHaveLength(2)
    expect(JSON.stringify(log)).not.toContain('roya')
  })

  test('is erased at once and completely from every table; data of other people stays', async () => {
    const { site, bente, roya, other } = await aKnownPerson(database)
    expect(await everything(site)).toContain(email)
    const knownPeople = () => site.db.selectFrom('known_browser').select('person').distinct().execute()
    expect(await knownPeople(), 'Bente and Roya').toHaveLength(2)

    const answer = await bente.post('/api/privacy/erase', { email, password })
    expect([answer.status, await answer.json()]).toEqual([200, { messages: 2, letters: 2, account: true, changes: 3 }])

    expect(await knownPeople(), 'Bente alone').toHaveLength(1)
    const left = await everything(site)
    expect(left).not.toContain(email)
    expect(left).not.toContain('roya')
    expect(left).not.toContain('geheim plan')
    expect((await roya.get('/api/me')).status).toBe(401)
    expect((await bente.get(`/api/messages/${other}`)).status).toBe(200)
    // The audit log keeps the action, its user and the id.
    const log = await site.db
      .selectFrom('audit')
      .select(['action', 'actor_name', 'subject_name', 'after'])
      .orderBy('id')
      .execute()
    expect(log.map((row) => `${row.action} ${row.actor_name} ${row.subject_name}`)).toEqual([
      expect.stringContaining('message.noted'),
      expect.stringContaining('message.replied'),
      `profile.changed #${roya.id} #${roya.id}`,
      `user.updated Bente de Beheerder #${roya.id}`,
      'users.exported Bente de Beheerder ',
      `user.password_link_made Bente de Beheerder #${roya.id}`,
      'privacy.erased Bente de Beheerder ',
    ])
    expect(JSON.parse(log.at(-1)?.after ?? '')).toEqual({ messages: 2, letters: 2, account: true, changes: 3 })
    expect(await (await bente.post('/api/privacy/search', { email })).json()).toMatchObject({
      account: null,
      changes: 0,
    })
    // A search does not find its words either.
    expect((await (await bente.get('/api/messages?search=geheim')).json()).data).toEqual([])
    expect((await (await bente.get('/api/audit?search=roya')).json()).data).toEqual([])
  })

  test('is erased for a user who answered a visitor, uploaded a file and asked for a backup: all three stay, without the name', async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')
    const roleId = await aRole(site, 'Antwoorden', ['messages.read', 'messages.write', 'files.write'])
    const email = 'wiemer@example.nl'
    const wiemer = await withSession(site, await aUser(site, { name: 'Wiemer', email, roleId }))
    const message = await sendMessage(site, 'sanne')
    expect((await wiemer.post(`/api/messages/${message}/reply`, { text: 'Dag Sanne' })).status).toBe(201)
    const file = await uploadFile(wiemer, 'poort.svg', anSvg('<path d="M0 0h9"/>'))
    const at = new Date().toISOString()
    await site.db
      .insertInto('backup_run')
      .values({
        made_by: 'hand',
        state: 'done',
        day: null,
        attempt: 0,
        target: '/backups',
        name: 'a.age',
        asked_at: at,
        started_at: at,
        finished_at: at,
        lease_until: null,
        bytes: 1,
        row_count: 1,
        file_count: 0,
        hash: '',
        error: '',
        actor_id: wiemer.id,
        actor_name: 'Wiemer',
      })
      .execute()

    expect((await bente.post('/api/privacy/erase', { email, password })).status).toBe(200)
    expect(await everything(site)).not.toContain('wiemer')
    const { replies } = await (await bente.get(`/api/messages/${message}`)).json()
    expect(replies).toMatchObject([{ text: 'Dag Sanne', by: `#${wiemer.id}` }])
    expect(await site.db.selectFrom('backup_run').select('actor_name').execute()).toEqual([
      { actor_name: `#${wiemer.id}` },
    ])
    expect((await (await bente.get(`/api/files/${file.id}`)).json()).addedBy).toBe(`#${wiemer.id}`)
  })

  test('is reported as erased, and all other traces are removed, although the file of an email cannot be removed', async () => {
    const site = await aTestApp({ database, startJobs: false })
    const bente = await as(site, 'beheerder')
    await sendMessage(site, 'roya', { email })
    // Files are removed, not folders.
    mkdirSync(join(site.settings.dataDir, 'mail', '999998-roya.eml'), { recursive: true })
    const next = join(site.settings.dataDir, 'mail', '999999-roya.eml')
    writeFileSync(next, `To: ${email}`)
    const answer = await bente.post('/api/privacy/erase', { email, password })
    expect([answer.status, await answer.json()]).toMatchObject([200, { messages: 1 }])
    expect(site.lines.map(({ level, msg }) => `${level} ${msg}`)).toContain(
      'warn the files of erased emails were not removed',
    )
    expect(existsSync(next)).toBe(false)
    expect(await everything(site)).not.toContain(email)
  })

  test('includes emails about the account that went to a previous address', async () => {
    const site = await aTestApp({ database, startJobs: false })
    const [bente, roya] = [await as(site, 'beheerder'), await as(site, 'roya')]
    const at = new Date().toISOString()
    await site.db
      .insertInto('outbox')
      .values({
        message_id: '<een@maaslicht.example>',
        template: 'profileNotice',
        locale: 'nl',
        data: JSON.stringify({ kind: 'emailChanged', newEmail: email }),
        about: `account:${roya.id}`,
        recipient: 'vroeger@voorbeeld.example',
        state: 'failed',
        attempts: 9,
        next_attempt_at: at,
        created_at: at,
      })
      .execute()
    expect(await (await bente.post('/api/privacy/search', { email })).json()).toMatchObject({ letters: 1 })
    const found: PersonExport = await (await bente.post('/api/privacy/export', { email, password })).json()
    expect(found.letters.map(({ kind }) => kind)).toEqual(['profileNotice'])
    expect(await (await bente.post('/api/privacy/erase', { email, password })).json()).toMatchObject({ letters: 1 })
    expect(await everything(site)).not.toContain('vroeger@')
  })

  test('is not erased for a user with more rights, for oneself and for the last manager; the export leaves out how such a user signs in', async () => {
    const site = await aTestApp({ database })
    await as(site, 'beheerder')
    const roleId = await aRole(site, 'Helper', ['users.write', 'messages.write'])
    await aUser(site, { name: 'Hanna', email: 'hanna@example.nl', roleId })
    const hanna = await signInWithPassword(site, 'hanna@example.nl')
    const id = await sendMessage(site, 'roya', { email: staff.beheerder.email })

    const stronger = await hanna.post('/api/privacy/erase', { email: staff.beheerder.email, password })
    expect([stronger.status, (await stronger.json()).code]).toEqual([403, 'right_not_held'])
    const own = await hanna.post('/api/privacy/erase', { email: 'hanna@example.nl', password })
    expect([own.status, (await own.json()).code]).toEqual([409, 'own_account'])
    expect((await hanna.get(`/api/messages/${id}`)).status).toBe(200)
    const found = await hanna.post('/api/privacy/search', { email: staff.beheerder.email })
    expect((await found.json()).account.can).toEqual({ delete: false })

    const exported = await hanna.post('/api/privacy/export', { email: staff.beheerder.email, password })
    const { account }: PersonExport = await exported.json()
    expect(account).toMatchObject({ name: staff.beheerder.name, leftOut: ['sessions', 'passkeys', 'signsInBy'] })
    for (const fact of ['sessions', 'passkeys', 'signsInBy']) expect(account).not.toHaveProperty(fact)
    const ownExport = await hanna.post('/api/privacy/export', { email: 'hanna@example.nl', password })
    expect((await ownExport.json()).account).toMatchObject({ sessions: [expect.any(Object)] })
  })

  test('is erased for exactly that address, not for a longer or shorter one, and once when two requests run at once', async () => {
    const { site, bente, roya } = await aKnownPerson(database)
    const answer = await bente.post('/api/privacy/erase', { email: 'oya@example.nl', password })
    expect(await answer.json()).toEqual({ messages: 0, letters: 0, account: false, changes: 0 })
    await bente.post('/api/privacy/erase', { email: 'roya@example.nl.example', password })
    await bente.post('/api/privacy/erase', { email: 'mevrouw+roya@example.nl', password })
    expect((await roya.get('/api/me')).status).toBe(200)
    const named = await site.db
      .selectFrom('audit')
      .select('subject_name')
      .where('subject_id', '=', String(roya.id))
      .execute()
    expect(named.at(-1)?.subject_name).toBe(`Roya M. <${email}>`)

    const answers = await Promise.all([1, 2].map(() => bente.post('/api/privacy/erase', { email, password })))
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    const counts = await Promise.all(answers.map((answer) => answer.json()))
    expect(counts.map(({ account }) => account).sort()).toEqual([false, true])
    expect(await everything(site)).not.toContain(email)
  })

  test('includes emails to others that name the address, such as a notice about new recipients', async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')
    const { config, version } = await (await bente.get('/api/config')).json()
    const former = config.contact.recipients
    const recipients = [...former, 'Roya@Example.nl', 'eleono.roya@example.nl']
    const saved = await bente.put('/api/config', { version, config: { contact: { ...config.contact, recipients } } })
    expect(saved.status).toBe(200)
    await waitUntil(async () => (await site.writtenEmails()).length === former.length, 'notices in files')

    expect(await (await bente.post('/api/privacy/search', { email })).json()).toMatchObject({ letters: former.length })
    expect(await (await bente.post('/api/privacy/erase', { email: 'oya@example.nl', password })).json()).toMatchObject({
      letters: 0,
    })
    expect(await (await bente.post('/api/privacy/erase', { email, password })).json()).toMatchObject({
      letters: former.length,
    })

    expect(await site.db.selectFrom('outbox').select('id').execute()).toEqual([])
    expect(await site.writtenEmails()).toEqual([])
  })

  test('is found at the start of a line and before a full stop, but not in what staff wrote to each other', async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')
    const at = new Date().toISOString()
    const text = `Geweigerd:\n${email}.`
    const stored = (template: string, data: object) => ({
      message_id: `<${template}@maaslicht.example>`,
      template,
      locale: 'nl',
      data: JSON.stringify(data),
      recipient: 'collega@voorbeeld.example',
      state: 'sent' as const,
      attempts: 1,
      next_attempt_at: at,
      created_at: at,
    })
    await site.db
      .insertInto('outbox')
      .values([
        stored('healthAlarm', { began: [{ label: 'Mail', text }], over: [] }),
        stored('pageReview', { kind: 'offered', by: 'Daan', note: text }),
      ])
      .execute()
    const entry = { at, action: 'page.offered', actor_name: 'Daan', subject_type: 'page', subject_name: 'Over ons' }
    await site.db
      .insertInto('audit')
      .values({ ...entry, after: JSON.stringify({ note: text }) })
      .execute()

    const erased = await bente.post('/api/privacy/erase', { email, password })
    expect(await erased.json()).toMatchObject({ letters: 1, changes: 1 })
    expect(await site.db.selectFrom('outbox').select('template').execute()).toEqual([{ template: 'pageReview' }])
    const [changed] = await site.db.selectFrom('audit').select('after').where('action', '=', 'page.offered').execute()
    expect(JSON.parse(changed?.after ?? '')).toEqual({ note: 'Geweigerd:\n….' })
  })

  test('does not include emails that bring messages of others to the company', async () => {
    const site = await aTestApp({ database, settings: { smtpUrl: 'smtp://127.0.0.1:9' } })
    const bente = await as(site, 'beheerder')
    await sendMessage(site, 'sanne')
    const [company] = site.app.context().site.contact.recipients
    const answer = await bente.post('/api/privacy/erase', { email: company, password })
    expect(await answer.json()).toMatchObject({ messages: 0, letters: 0 })
    expect(await site.db.selectFrom('outbox').select('id').execute()).toHaveLength(2)
  })

  test('needs a valid address and nothing else', async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')
    for (const body of [{}, { email: 'geen adres' }, { email: '%@%' }, { email, name: 'Roya' }, { email: [email] }]) {
      expect((await bente.post('/api/privacy/search', body)).status).toBe(422)
    }
    // Wildcards of SQL, patterns and regular expressions have no effect here.
    await bente.post('/api/users', { email: 'jan+e_l-x@een-site.example' })
    expect(
      await (await bente.post('/api/privacy/search', { email: 'jan+e_l-x@een-site.example' })).json(),
    ).toMatchObject({
      account: { name: 'jan+e_l-x' },
      changes: 1,
    })
    for (const odd of ["o'n+e_l@een-site.example", 'a-b.c+d@e-f.example', "*'{}|^$@example.nl", 'a/b?c=d@example.nl']) {
      const answer = await bente.post('/api/privacy/search', { email: odd })
      expect([odd, [200, 422].includes(answer.status)]).toEqual([odd, true])
    }
    expect((await bente.post('/api/privacy/search', { email: 'sanne@bakkerij-hondt.example' })).status).toBe(200)
    await sendMessage(site, 'roya', { email: 'a_b@example.nl' })
    await sendMessage(site, 'roya', { email: 'axb@example.nl' })
    const found = await bente.post('/api/privacy/search', { email: 'a_b@example.nl' })
    expect((await found.json()).messages).toBe(1)
  })
})

describe('erasing on PostgreSQL waits for', () => {
  test('a page that is being saved, which would write back the names that it read', async () => {
    const { site, bente } = await aKnownPerson('postgres')
    const { answer } = await site.db.transaction().execute(async (tx) => {
      await site.app.context().dialect.lock(tx, 'pages')
      const answer = bente.post('/api/privacy/erase', { email, password })
      await waitUntil(async () => (await countLockWaits(site)) === 1, 'erasure that waits')
      return { answer }
    })
    expect((await answer).status).toBe(200)
  })

  test('a message that is being deleted, without a deadlock over its emails', async () => {
    const { site, bente } = await aKnownPerson('postgres')
    const { answer } = await site.db.transaction().execute(async (tx) => {
      const message = await tx
        .selectFrom('message')
        .select('id')
        .where('bericht', 'like', '%geheim plan%')
        .forUpdate()
        .executeTakeFirstOrThrow()
      const answer = bente.post('/api/privacy/erase', { email, password })
      await waitUntil(async () => (await countLockWaits(site)) === 1, 'erasure that waits')
      await tx.deleteFrom('outbox').where('about', '=', `message:${message.id}`).execute()
      return { answer }
    })
    expect((await answer).status).toBe(200)
  })
})

test('all data of one email address is exported as a page that shows what a visitor wrote as written, also when it looks like a date', async () => {
  const site = await aTestApp()
  const bente = await as(site, 'beheerder')
  const email = 'sanne@example.nl'
  for (const bericht of ['2026-99-99T1Z', '2026-02-31T10:00Z']) await sendMessage(site, 'sanne', { email, bericht })

  const page = await bente.post('/api/privacy/export', { email, password, format: 'html' })
  expect(page.status).toBe(200)
  const html = await page.text()
  for (const written of ['2026-99-99T1Z', '2026-02-31T10:00Z']) expect(html).toContain(`>${written}`)
})

/** Every file below a folder. */
const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))

test('after erasure no byte of a name, number or text is left in the data folder: database, search index, emails', async () => {
  const site = await aTestApp({ database: 'sqlite' })
  const bente = await as(site, 'beheerder')
  // Characters that are used nowhere else, so that even three of them in the search index are found.
  const person = { naam: '☃☂☄ Sneeuw', email: 'sneeuw@winter-erased.example', tel: '0698989898' }
  const words = { ...person, bericht: '☀☁★ geheimwoord' }
  const id = await sendMessage(site, 'roya', words)
  for (const name of ['sanne', 'daan', 'parisa'] as const) await sendMessage(site, name)
  await bente.post(`/api/messages/${id}/reply`, { text: 'Dag ☃☂☄' })
  await waitUntil(
    async () => (await site.db.selectFrom('outbox').select('id').where('state', '!=', 'file').execute()).length === 0,
    'emails in files',
  )
  const traces = ['☃', '☂', '☄', '☀', '☁', '★', '98989898', 'winter-erased', 'geheimwoord']
  const found = () => {
    const contents = filesIn(site.settings.dataDir).map((file) => readFileSync(file))
    return traces.filter((trace) => contents.some((content) => content.includes(trace)))
  }
  expect(found()).toEqual(expect.arrayContaining(['98989898', 'winter-erased', '☃']))

  const erased = await bente.post('/api/privacy/erase', { email: person.email, password })

  expect(await erased.json()).toMatchObject({ messages: 1 })
  expect(found()).toEqual([])
  expect(await site.writtenEmails(), 'those about the messages of others').toHaveLength(6)
  expect((await (await bente.get('/api/messages?search=bakkerij')).json()).data).toHaveLength(1)
})
