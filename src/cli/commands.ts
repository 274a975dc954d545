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
import { addAdministrator, createPasswordLinkForEmail } from '../domain/sign-in/administrators.ts'
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
  const keptPages = (pages: number) => `its pages (${pages}) are kept, hidden, until a configuration has it again.`
  for (const { id: collection, entries } of hidden) print(`It has no collection ${collection}: ${keptPages(entries)}`)
  for (const { locale, pages } of hiddenLanguages) print(`It has no language ${locale}: ${keptPages(pages)}`)
}

/** The configuration in a file; undefined when invalid or unreadable, which must not prevent importing another. */
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

/** The maximum number of messages or emails to print. */
const limit = 100

export async function printMessages(folder: 'inbox' | 'spam'): Promise<void> {
  const messages = await withDatabaseAndSite((operator) => listNewestMessages(operator, { folder, limit }))
  if (messages.length === 0) print(folder === 'spam' ? 'There is no spam.' : 'There are no messages.')
  for (const message of messages) print(formatMessage(message))
  if (messages.length === limit) print(`These are the newest ${limit}.`)
}

/** @returns false when there is no such message */
export async function moveStoredMessage(id: number, folder: 'inbox' | 'spam'): Promise<boolean> {
  const label = folder === 'spam' ? 'spam' : 'not spam'
  try {
    const { moved, emailsQueued } = await withDatabaseAndSite((operator) => moveMessage(operator, { id, folder }))
    if (!moved) print(`Message ${id} is ${label} already.`)
    else print(`Message ${id} is ${label} now.${emailsQueued > 0 ? ` Emails queued: ${emailsQueued}.` : ''}`)
    return true
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'not_found') throw error
    process.stderr.write(`There is no message ${id}.\n`)
    return false
  }
}

function formatMessage({ id, message, spamReason, createdAt }: StoredMessage): string {
  const { naam, email, tel, bericht } = message
  const headings = [id, createdAt.toISOString(), `${naam} <${email}>`, tel, ...(spamReason ? [spamReason] : [])]
  return `${headings.join('  ')}\n${bericht.replace(/^/gm, '    ')}\n`
}

export async function printOutbox(failedOnly: boolean): Promise<void> {
  const states: ('waiting' | 'failed')[] = failedOnly ? ['failed'] : ['waiting', 'failed']
  const emails = await withDatabaseAndSite(({ db }) => listUnsentEmails(db, { states, limit }))
  if (emails.length === 0) print(failedOnly ? 'There are no failed emails.' : 'Every email was sent.')
  for (const email of emails) print(formatEmail(email))
  if (emails.length === limit) print(`These are the newest ${limit}.`)
}

/** Makes an email due that failed or waits for a later attempt. @returns false when there is no such email */
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
  const headings = [id, createdAt.toISOString(), recipient, about ?? '', `attempts: ${attempts}`, outcome]
  return `${headings.filter((heading) => heading !== '').join('  ')}\n    ${lastError ?? 'no attempt yet'}\n`
}

/** The command `create-admin <email> [name]`. @returns the exit code; undefined for wrong usage */
export async function createAdmin([address, ...names]: string[], readsPassword: boolean): Promise<number | undefined> {
  if (address === undefined) return undefined
  const email = parseEmail(address)
  if (!email) return refuse(`${address} is no e-mail address.`)
  const name = singleLine(limits.nameChars).safeParse(names.join(' ').trim() || nameFromEmail(email))
  if (!name.success) return refuse(`The name is refused: ${describeProblem(fieldProblems(name.error))}`)
  const password = readsPassword ? (await text(process.stdin)).replace(/\r?\n$/, '') : undefined
  const checked = newPassword.optional().safeParse(password)
  if (!checked.success) return refuse(`The password is refused: ${describeProblem(fieldProblems(checked.error))}`)
  const hash = password === undefined ? undefined : await hashNewPassword(password, email).catch(passwordRefusal)
  if (hash instanceof Error) return refuse(hash.message)
  return withDatabase(
    async (ctx) => {
      const { existingName, link } = await addAdministrator(ctx, { email, name: name.data, hash })
      const wasKnown = existingName === undefined ? '' : ` was known already, with the name ${existingName}, and`
      print(`${email}${wasKnown} is an administrator now.`)
      if (link) print(`This link sets the password. It works once, for an hour:\n\n  ${link}\n`)
      return 0
    },
    { mayMigrate: true },
  )
}

/** The command `password-link <email>`. @returns the exit code; undefined for wrong usage */
export async function passwordLink([address, surplus]: string[]): Promise<number | undefined> {
  if (address === undefined || surplus !== undefined) return undefined
  const email = parseEmail(address)
  return withExistingDatabase(async (ctx) => {
    const link = email && (await createPasswordLinkForEmail(ctx, email))
    if (!link) return refuse(`Nobody who may sign in has the address ${address}.`)
    print(link)
    return 0
  })
}

/** The command `two-factor-off <email>`. @returns the exit code; undefined for wrong usage */
export async function twoFactorOff([address, surplus]: string[]): Promise<number | undefined> {
  if (address === undefined || surplus !== undefined) return undefined
  const email = parseEmail(address)
  return withExistingDatabase(async (ctx) => {
    if (!email || !(await turnOffTwoFactorByEmail(ctx, email))) {
      return refuse(`Nobody with the address ${address} signs in in two steps.`)
    }
    print(`${email} signs in with the password alone now.`)
    return 0
  })
}

/** The error that tells the operator why a password is refused. @throws the given error when it is another one */
function passwordRefusal(error: unknown): Error {
  if (!(error instanceof Refusal) || error.problems.length === 0) throw error
  return new Error(`The password is refused: ${describeProblem(error.problems)}`)
}

/** The English message of the first problem. */
const describeProblem = ([problem]: FieldProblem[]): string =>
  problem ? translator('en')(`validation.${problem.key}`, { limit: problem.limit ?? 0 }) : ''

/** The normalised address; undefined when it is invalid. */
const parseEmail = (address: string) => identifier.safeParse(address).data
