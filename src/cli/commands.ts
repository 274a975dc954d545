import { text } from 'node:stream/consumers'
import { type FieldProblem, Refusal } from '../contract/errors.ts'
import { fieldProblems } from '../contract/field-problems.ts'
import { limits } from '../contract/limits.ts'
import type { SiteConfig } from '../contract/site-config.ts'
import { singleLine } from '../contract/text.ts'
import { identifier, nameFromEmail, newPassword } from '../contract/users.ts'
import {
  configurationJsonSchema,
  parseConfiguration,
  serializeConfiguration,
} from '../domain/configuration/configuration.ts'
import { importConfiguration } from '../domain/configuration/import-configuration.ts'
import { loadConfiguration } from '../domain/configuration/load-configuration.ts'
import { moveMessage } from '../domain/messages/change-messages.ts'
import { listNewestMessages, type StoredMessage } from '../domain/messages/list-messages.ts'
import { retryEmailsUnchecked } from '../domain/outbox/outbox.ts'
import { withLivePages } from '../domain/pages/live-configuration.ts'
import { turnOffTwoFactorByEmail } from '../domain/profile/turn-off-user-two-factor.ts'
import { addAdministrator, createLinkForEmail } from '../domain/sign-in/administrators.ts'
import { hashNewPassword } from '../domain/sign-in/passwords.ts'
import { translator } from '../i18n/translate.ts'
import { loadSecret } from '../platform/config/secret.ts'
import { readSettings } from '../platform/config/settings.ts'
import { publicFolderOf, readSiteFile } from '../platform/config/site-file.ts'
import { findSmtpServer } from '../platform/mail/mail-settings.ts'
import { type EmailStatus, listUnsentEmails } from '../platform/mail/outbox-emails.ts'
import {
  databaseExists,
  print,
  refuse,
  withDatabase,
  withDatabaseAndSite,
  withExistingDatabase,
} from './command-context.ts'

export function checkConfig(file: string | undefined): void {
  const path = file ?? readSettings().siteConfig
  parseConfiguration(readSiteFile(path), path, publicFolderOf(path))
  print(`${path} is valid.`)
}

export async function exportConfig(): Promise<void> {
  const { siteConfig: file } = readSettings()
  // Without a database the file is exported, and no database is created.
  const site = databaseExists()
    ? await withExistingDatabase(async ({ db }) => {
        const { site } = await loadConfiguration(db, { file, publicDir: publicFolderOf(file) })
        const exported = await withLivePages(db, site)
        if (exported.omitted > 0) {
          process.stderr.write(
            `${exported.omitted} of the oldest entries are left out: a file holds no more. A backup has all.\n`,
          )
        }
        return exported.site
      })
    : parseConfiguration(readSiteFile(file), file, publicFolderOf(file))
  process.stdout.write(serializeConfiguration(site))
}

export async function importConfig(file: string): Promise<void> {
  const text = readSiteFile(file)
  const { siteConfig } = readSettings()
  const publicDir = publicFolderOf(siteConfig)
  const { id, hidden, hiddenLanguages } = await withDatabase(
    (operator) => importConfiguration(operator, { text, note: file, publicDir, present: readIfValid(siteConfig) }),
    { mayMigrate: true },
  )
  print(`Revision ${id} is the current configuration.`)
  const stays = (pages: number) => `its pages (${pages}) are kept, hidden, until a configuration has it again.`
  for (const { id: collection, entries } of hidden) print(`It has no collection ${collection}: ${stays(entries)}`)
  for (const { locale, pages } of hiddenLanguages) print(`It has no language ${locale}: ${stays(pages)}`)
}

/** A file that cannot be read must not prevent its replacement. */
function readIfValid(file: string): SiteConfig | undefined {
  try {
    return parseConfiguration(readSiteFile(file), file, publicFolderOf(file))
  } catch {
    return undefined
  }
}

export function printSchema(): void {
  print(JSON.stringify(configurationJsonSchema(), null, 2))
}

/** Of the newest messages or emails, for a terminal. */
const limit = 100

export async function printMessages(folder: 'inbox' | 'spam'): Promise<void> {
  const found = await withDatabaseAndSite((operator) => listNewestMessages(operator, { folder, limit }))
  if (found.length === 0) print(folder === 'spam' ? 'There is no spam.' : 'There are no messages.')
  for (const one of found) print(formatMessage(one))
  if (found.length === limit) print(`These are the newest ${limit}.`)
}

/** @returns false when there is no such message */
export async function moveStoredMessage(id: number, folder: 'inbox' | 'spam'): Promise<boolean> {
  const where = folder === 'spam' ? 'spam' : 'not spam'
  try {
    const { moved, emailsQueued } = await withDatabaseAndSite((operator) => moveMessage(operator, { id, folder }))
    if (!moved) print(`Message ${id} is ${where} already.`)
    else print(`Message ${id} is ${where} now.${emailsQueued > 0 ? ` Emails queued: ${emailsQueued}.` : ''}`)
    return true
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'not_found') throw error
    process.stderr.write(`There is no message ${id}.\n`)
    return false
  }
}

function formatMessage({ id, message, spamReason, createdAt }: StoredMessage): string {
  const { naam, email, tel, bericht } = message
  const head = [id, createdAt.toISOString(), `${naam} <${email}>`, tel, ...(spamReason ? [spamReason] : [])]
  return `${head.join('  ')}\n${bericht.replace(/^/gm, '    ')}\n`
}

export async function printOutbox(failedOnly: boolean): Promise<void> {
  const states: ('waiting' | 'failed')[] = failedOnly ? ['failed'] : ['waiting', 'failed']
  const found = await withDatabaseAndSite(({ db }) => listUnsentEmails(db, { states, limit }))
  if (found.length === 0) print(failedOnly ? 'There are no failed emails.' : 'Every email was sent.')
  for (const one of found) print(formatEmail(one))
  if (found.length === limit) print(`These are the newest ${limit}.`)
}

/** @returns whether this email exists and had failed or waits for a later attempt */
export async function retryEmail(id: number): Promise<boolean> {
  const settings = readSettings()
  const retried = await withDatabaseAndSite(async (operator) => {
    const secret = loadSecret(settings.dataDir, settings.secret)
    const server = await findSmtpServer(operator.db, { ...settings, secret })
    return retryEmailsUnchecked(operator, [id], server !== undefined)
  })
  const due = retried > 0
  if (due) print(`Email ${id} is due now.`)
  else
    process.stderr.write(
      `There is no email ${id} that can be retried: it must have failed or wait for a later attempt, without a deleted password or link.\n`,
    )
  return due
}

function formatEmail({
  id,
  recipient,
  about,
  state,
  attempts,
  lastError,
  nextAttemptAt,
  createdAt,
}: EmailStatus): string {
  const outcome = state === 'failed' ? 'failed' : `next attempt ${nextAttemptAt.toISOString()}`
  const head = [id, createdAt.toISOString(), recipient, about ?? '', `attempts: ${attempts}`, outcome]
  return `${head.filter((part) => part !== '').join('  ')}\n    ${lastError ?? 'no attempt yet'}\n`
}

/** `create-admin <email> [name]`. @returns the exit code; undefined for wrong usage */
export async function createAdmin([address, ...names]: string[], fromInput: boolean): Promise<number | undefined> {
  const email = address === undefined ? undefined : emailIn(address)
  if (address === undefined) return undefined
  if (!email) return refuse(`${address} is no e-mail address.`)
  const name = singleLine(limits.nameChars).safeParse(names.join(' ').trim() || nameFromEmail(email))
  if (!name.success) return refuse(`The name is refused: ${wordsOf(fieldProblems(name.error))}`)
  const password = fromInput ? (await text(process.stdin)).replace(/\r?\n$/, '') : undefined
  const checked = newPassword.optional().safeParse(password)
  if (!checked.success) return refuse(`The password is refused: ${wordsOf(fieldProblems(checked.error))}`)
  const hash = password === undefined ? undefined : await hashNewPassword(password, email).catch(passwordRefusal)
  if (hash instanceof Error) return refuse(hash.message)
  return withDatabase(
    async (ctx) => {
      const { known, link } = await addAdministrator(ctx, { email, name: name.data, hash })
      const wasKnown = known === undefined ? '' : ` was known already, with the name ${known}, and`
      print(`${email}${wasKnown} is an administrator now.`)
      if (link) print(`This link sets the password. It works once, for an hour:\n\n  ${link}\n`)
      return 0
    },
    { mayMigrate: true },
  )
}

/** `password-link <email>`. @returns the exit code; undefined for wrong usage */
export async function passwordLink([address, more]: string[]): Promise<number | undefined> {
  if (address === undefined || more !== undefined) return undefined
  const email = emailIn(address)
  return withExistingDatabase(async (ctx) => {
    const link = email && (await createLinkForEmail(ctx, email))
    if (!link) return refuse(`Nobody who may sign in has the address ${address}.`)
    print(link)
    return 0
  })
}

/** `two-factor-off <email>`. @returns the exit code; undefined for wrong usage */
export async function twoFactorOff([address, more]: string[]): Promise<number | undefined> {
  if (address === undefined || more !== undefined) return undefined
  const email = emailIn(address)
  return withExistingDatabase(async (ctx) => {
    if (!email || !(await turnOffTwoFactorByEmail(ctx, email))) {
      return refuse(`Nobody with the address ${address} signs in in two steps.`)
    }
    print(`${email} signs in with the password alone now.`)
    return 0
  })
}

/** An error that explains to the operator why a password is refused. */
function passwordRefusal(error: unknown): Error {
  if (!(error instanceof Refusal) || error.problems.length === 0) throw error
  return new Error(`The password is refused: ${wordsOf(error.problems)}`)
}

const wordsOf = ([problem]: FieldProblem[]): string =>
  problem ? translator('en')(`validation.${problem.key}`, { limit: problem.limit ?? 0 }) : ''

const emailIn = (address: string) => identifier.safeParse(address).data
