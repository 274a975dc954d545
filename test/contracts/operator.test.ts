import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { writeBackup } from '../../src/cli/backup.ts'
import { createAdmin, passwordLink, retryEmail, twoFactorOff } from '../../src/cli/commands.ts'
import { update } from '../../src/cli/update.ts'
import { moveMessage } from '../../src/domain/messages/change-messages.ts'
import { listNewestMessages } from '../../src/domain/messages/list-messages.ts'
import { retryEmailsUnchecked } from '../../src/domain/outbox/outbox.ts'
import { loadSecret } from '../../src/platform/config/secret.ts'
import { whileMarked } from '../../src/platform/config/while-marked.ts'
import { listMigrations } from '../../src/platform/db/migrations/index.ts'
import { migrationNames } from '../../src/platform/db/migrations/migration-names.ts'
import { storeMailSetting } from '../../src/platform/mail/mail-settings.ts'
import { listUnsentEmails } from '../../src/platform/mail/outbox-emails.ts'
import { dataSettingsOf } from '../support/backups.ts'
import { aTempFolder, databases } from '../support/databases.ts'
import { aMailbox } from '../support/mailbox.ts'
import { aMessageOf, type PersonName } from '../support/people.ts'
import { runCommandInProcess } from '../support/run-command-in-process.ts'
import { aTestApp } from '../support/test-app.ts'
import { waitUntil } from '../support/wait-until.ts'

describe.each(databases)('an operator, on %s,', (database) => {
  // It stands still, so that no email is tried again by itself.
  const now = new Date()
  const aSite = async () => {
    const mailbox = await aMailbox()
    const site = await aTestApp({ database, now: () => now, settings: { smtpUrl: mailbox.url } })
    return {
      ...site,
      mailbox,
      ctx: site.app.context(),
      send: async (name: PersonName, more: object = {}): Promise<number> => {
        const response = await site.request('/api/contact', {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify({ ...aMessageOf(name), taal: name === 'parisa' ? 'fa' : 'nl', ...more }),
        })
        const { id: reference } = await response.json()
        const found = site.db.selectFrom('message').select('id').where('reference', '=', reference)
        return (await found.executeTakeFirstOrThrow()).id
      },
    }
  }

  test('lists each folder, newest first, with the text and the spam reason', async () => {
    const { send, ctx } = await aSite()
    const first = await send('roya')
    const second = await send('daan')
    const spam = await send('sanne', { website: 'https://casino.example' })

    const inbox = await listNewestMessages(ctx, { folder: 'inbox', limit: 10 })
    expect(inbox.map(({ id, message }) => [id, message])).toEqual([
      [second, aMessageOf('daan')],
      [first, aMessageOf('roya')],
    ])
    expect(await listNewestMessages(ctx, { folder: 'inbox', limit: 1 })).toHaveLength(1)
    expect(await listNewestMessages(ctx, { folder: 'spam', limit: 10 })).toMatchObject([
      { id: spam, folder: 'spam', spamReason: 'honeypot', message: aMessageOf('sanne') },
    ])
  })

  test('marks a message as not spam: it moves to the inbox, and is mailed once', async () => {
    const { send, ctx, mailbox } = await aSite()
    const id = await send('parisa', { website: 'https://parisa.example' })

    expect(await moveMessage(ctx, { id, folder: 'inbox' })).toEqual({ moved: true, emailsQueued: 2 })
    const emails = await mailbox.received(2)
    expect(emails.flatMap(({ to }) => to).sort()).toEqual([...ctx.site.contact.recipients].sort())
    for (const { parsed } of emails) {
      expect(parsed.replyTo?.value).toMatchObject([{ address: 'parisa@ahmadi.example' }])
      expect(parsed.text).toContain('پیام تازه از فرم تماس')
    }
    expect(await listNewestMessages(ctx, { folder: 'inbox', limit: 10 })).toMatchObject([{ id, spamReason: null }])

    expect(await moveMessage(ctx, { id, folder: 'inbox' })).toEqual({ moved: false, emailsQueued: 0 })
    expect(await moveMessage(ctx, { id, folder: 'spam' })).toEqual({ moved: true, emailsQueued: 0 })
    expect(await listNewestMessages(ctx, { folder: 'spam', limit: 10 })).toMatchObject([{ id, spamReason: 'staff' }])
    expect(await moveMessage(ctx, { id, folder: 'inbox' }), 'it was mailed before').toEqual({
      moved: true,
      emailsQueued: 0,
    })
  })

  test('marks one message twice at once, and it is mailed once; gets an error for an unknown message', async () => {
    const { send, ctx, db } = await aSite()
    const id = await send('roya', { website: 'x' })
    const moves = await Promise.all([1, 2, 3].map(() => moveMessage(ctx, { id, folder: 'inbox' })))
    expect(moves.filter(({ moved }) => moved)).toHaveLength(1)
    expect(await db.selectFrom('outbox').select('id').execute()).toHaveLength(2)
    await expect(moveMessage(ctx, { id: 99, folder: 'spam' })).rejects.toMatchObject({ code: 'not_found' })
  })

  test('sees the failed emails with their reasons, and retries one', async () => {
    const { send, ctx, db, mailbox } = await aSite()
    const [recipient] = ctx.site.contact.recipients as [string, ...string[]]
    mailbox.rejectWith({ code: 550, message: 'no such user', recipients: [recipient] })
    const about = `message:${await send('roya')}`
    const waiting = await waitUntil(async () => {
      const found = await listUnsentEmails(db, { states: ['waiting', 'failed'], limit: 10 })
      return found.length === 1 && found[0]?.lastError ? found : undefined
    }, 'email that was refused')
    expect(waiting).toMatchObject([
      { recipient, about, state: 'waiting', attempts: 1, lastError: expect.stringContaining('550 no such user') },
    ])
    const id = waiting[0]?.id ?? 0
    const again = async () => (await retryEmailsUnchecked(ctx, [id], true)) === 1
    expect(await again(), 'it is not given up yet').toBe(false)

    await db.updateTable('outbox').set({ state: 'failed' }).where('id', '=', id).execute()
    expect(await listUnsentEmails(db, { states: ['failed'], limit: 10 })).toMatchObject([{ id, state: 'failed' }])
    mailbox.rejectWith(undefined)
    expect(await again()).toBe(true)
    ctx.wake.email()
    const emails = await mailbox.received(2)
    expect(emails.at(-1)?.to).toEqual([recipient])
    expect(await again(), 'it was sent').toBe(false)
  })

  test('gets no backup from a version that would migrate the database first', async () => {
    const { settings, db } = await aTestApp({ database, startJobs: false })
    await sql`delete from kysely_migration where name = ${migrationNames.at(-1)}`.execute(db)
    const before = await listMigrations(db)
    const refused = await runCommandInProcess(dataSettingsOf(settings), () => writeBackup(aTempFolder()))
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('has not migrated') })
    expect(await listMigrations(db)).toEqual(before)
  })

  test('retries an email that was written to a file once there is a mail server', async () => {
    const site = await aTestApp({ database, startJobs: false })
    onTestFinished(() => {
      vi.unstubAllEnvs()
      vi.restoreAllMocks()
    })
    for (const output of [process.stdout, process.stderr]) vi.spyOn(output, 'write').mockReturnValue(true)
    // Vite has a BASE_URL of its own.
    vi.stubEnv('BASE_URL', '')
    vi.stubEnv('DATA_DIR', site.settings.dataDir)
    vi.stubEnv('DATABASE_URL', site.settings.databaseUrl)
    const body = JSON.stringify({ ...aMessageOf('roya'), taal: 'nl' })
    await site.request('/api/contact', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body })
    await site.db.updateTable('outbox').set({ state: 'file' }).execute()
    const { id } = await site.db.selectFrom('outbox').select('id').executeTakeFirstOrThrow()

    expect(await retryEmail(id)).toBe(false)
    vi.stubEnv('SMTP_URL', 'smtp://mail.example.nl')
    expect(await retryEmail(id)).toBe(true)
    vi.stubEnv('SMTP_URL', undefined)
    const [other] = await site.db.selectFrom('outbox').select('id').where('state', '=', 'file').execute()
    const value = { provider: 'other', host: 'mail.example.nl', port: 587, security: 'tls', user: '', selectors: '' }
    const setting = { name: 'smtp', value, password: undefined, version: 1, at: now } as const
    await site.db
      .transaction()
      .execute((tx) => storeMailSetting(tx, loadSecret(site.settings.dataDir, undefined), setting))
    expect(await retryEmail(other?.id ?? 0), 'a mail server that staff set').toBe(true)
  })
})

test('a command that sets an account right creates no database, and says in English what is wrong', async () => {
  const dataDir = join(aTempFolder(), 'elsewhere')
  const run = (command: () => Promise<number | undefined>) =>
    runCommandInProcess({ DATA_DIR: dataDir }, async () => (await command()) ?? 2)
  const email = 'bente@example.nl'
  for (const command of [() => passwordLink([email]), () => twoFactorOff([email])]) {
    expect(await run(command)).toMatchObject({ code: 1, err: expect.stringContaining('which holds no database') })
  }
  expect(await run(() => createAdmin([email, 'x'.repeat(201)], false))).toEqual({
    ...{ code: 1, out: '' },
    err: 'The name is refused: This field can have at most 200 characters.\n',
  })
  expect(existsSync(dataDir)).toBe(false)
  expect((await run(() => createAdmin([email, 'Bente'], false))).code).toBe(0)
  expect((await run(() => createAdmin([email, 'Roya'], false))).out).toContain(
    'known already, with the name Bente, and is',
  )
  expect((await run(() => passwordLink([email]))).code).toBe(0)
})

test('an update without a running launcher, or beside another update, is refused before it unpacks anything', async () => {
  const DATA_DIR = aTempFolder()
  const alone = await runCommandInProcess({ DATA_DIR }, () => update('release.tgz', { acceptChanges: false }))
  expect(alone).toMatchObject({ code: 1, err: expect.stringContaining('the launcher does not run on this DATA_DIR') })
  await whileMarked(join(DATA_DIR, 'updating'), async () => {
    const refused = await runCommandInProcess({ DATA_DIR }, () => update('release.tgz', { acceptChanges: false }))
    const reason = 'nothing was changed: another update is being made, or was stopped less than a minute ago.'
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining(reason) })
  })
  const without = { DATA_DIR: join(DATA_DIR, 'missing') }
  const nowhere = await runCommandInProcess(without, () => update('release.tgz', { acceptChanges: false }))
  expect(nowhere).toMatchObject({ code: 1, err: expect.stringMatching(/nothing was changed: .*DATA_DIR: found/s) })
})
