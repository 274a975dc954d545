import { z } from 'zod'
import { counter } from './list.ts'
import { authenticationResults } from './mail-checks.ts'
import { mailProviders } from './mail-providers.ts'

/** Encryption: `tls` from the start, `starttls` always (or no connection), `none` for a server in the same network. */
export const mailSecurities = ['tls', 'starttls', 'none'] as const
export type MailSecurity = (typeof mailSecurities)[number]

export const mailLimits = {
  hostChars: 253,
  userChars: 254,
  passwordChars: 500,
  /** The timeout of each step of a test, which the user waits for. */
  stepMs: 10_000,
  /** The timeout of opening a mailbox and reading new emails, and the pause between two readings. */
  mailboxMs: 30_000,
  mailboxPauseMs: 2 * 60_000,
}

const singleLine = (max: number) =>
  z
    .string()
    .trim()
    .max(max, 'tooLong')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are what is refused
    .regex(/^[^\u0000-\u001f\u007f]*$/, 'control')

const port = z.int().min(1).max(65_535)

const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?'
const hostPattern = new RegExp(`^(?:(?:${label}\\.)*${label}\\.?|[0-9a-f.]*:[0-9a-f:.]+)$`, 'i')

/** The stored fields of a connection to a mail server, without the password, which is stored separately. */
const connectionFields = {
  provider: z.enum(['other', ...mailProviders.map(({ id }) => id)], 'choice'),
  host: singleLine(mailLimits.hostChars).min(1, 'required').regex(hostPattern, 'mailHostForm'),
  port,
  security: z.enum(mailSecurities, 'choice'),
  /** Empty: without sign-in. */
  user: singleLine(mailLimits.userChars),
}

export const smtpSettings = z.strictObject({
  ...connectionFields,
  /** DKIM selectors, separated by spaces; empty: those in `mailProviders`. */
  selectors: singleLine(300).regex(/^[\w. -]*$/, 'value'),
})
export type SmtpSettings = z.infer<typeof smtpSettings>

/** Omitted: the stored password stays, if server and user are the same. */
const password = z.string().max(mailLimits.passwordChars, 'tooLong').optional()

export const mailServer = z
  .object({
    version: z.int(),
    /** The settings of this screen, without the password; `null`: none. */
    smtp: smtpSettings.nullable(),
    hasPassword: z.boolean().describe('Whether a password is stored; it is never returned'),
    passwordLost: z.boolean().describe('The stored password cannot be read, because the secret of the program changed'),
    inUse: z
      .enum(['environment', 'settings', 'files'])
      .describe('`files`: emails are written to files and reach nobody'),
    environment: z
      .object({ host: z.string(), port: z.int() })
      .nullable()
      .describe('The server of `SMTP_URL`, which is used whatever the settings say'),
    sender: z.string().describe('The address that emails come from'),
    can: z.object({
      change: z.boolean().describe('Only with every right: the mail server sees links to set a password'),
    }),
  })
  .meta({ id: 'MailServer' })
export type MailServer = z.infer<typeof mailServer>

export const changedMailServer = z
  .strictObject({
    version: counter,
    /** `null` removes the settings. */
    smtp: smtpSettings.extend({ password }).nullable(),
  })
  .meta({ id: 'ChangedMailServer' })
export type ChangedMailServer = z.infer<typeof changedMailServer>

/** The steps of a connection to a mail server, in this order; with `tls`, the encryption comes before the greeting. */
export const mailSteps = [
  'resolve',
  'connect',
  'greeting',
  'encrypt',
  'signIn',
  'sender',
  'recipient',
  'content',
] as const
export type MailStep = (typeof mailSteps)[number]

const mailStepResult = z.object({
  step: z.enum(mailSteps),
  outcome: z.enum(['ok', 'failed', 'skipped', 'notReached']),
  problem: z.string().optional().describe('Why it failed, a permanent name'),
  advice: z.string().optional().describe('What to do, in the language of the request'),
  answer: z.string().optional().describe('What the server answered, without secrets'),
})
export type MailStepResult = z.infer<typeof mailStepResult>

export const mailTest = z
  .object({
    recipient: z.string(),
    sent: z.boolean(),
    steps: z.array(mailStepResult),
    returns: z.boolean().describe('Whether another one went to the mailbox for delivery reports'),
  })
  .meta({ id: 'MailTest' })
export type MailTest = z.infer<typeof mailTest>

export const imapSettings = z.strictObject({
  ...connectionFields,
  user: singleLine(mailLimits.userChars).min(1, 'required'),
  /** The email address of the mailbox; empty: see `mailboxAddress`. */
  address: singleLine(mailLimits.userChars)
    .refine((text) => text === '' || z.email().safeParse(text).success, 'email')
    .default(''),
  /** Whether to delete reports that were matched to an email; otherwise nothing in the mailbox changes. */
  deleteReports: z.boolean(),
})
export type ImapSettings = z.infer<typeof imapSettings>

/** The email address of the mailbox: the setting, or else a user name that is an address; undefined without both. */
export const mailboxAddress = ({ address, user }: ImapSettings): string | undefined =>
  address || (z.email().safeParse(user).success ? user : undefined)

export const mailbox = z
  .object({
    version: z.int(),
    imap: imapSettings.nullable(),
    hasPassword: z.boolean().describe('Whether a password is stored; it is never returned'),
    passwordLost: z.boolean(),
    readAt: z.iso.datetime().nullable().describe('The last reading, also one that failed'),
    problem: z.string().nullable().describe('What to do about the last reading, when it failed'),
    sender: z.string().describe('The address that delivery reports come to'),
    test: z
      .object({
        sentAt: z.iso.datetime(),
        results: authenticationResults.nullable().describe('Null until it was found in the mailbox'),
      })
      .nullable()
      .describe('The last test email to the mailbox'),
    can: z.object({ change: z.boolean() }),
  })
  .meta({ id: 'Mailbox' })
export type Mailbox = z.infer<typeof mailbox>

export const changedMailbox = z
  .strictObject({ version: counter, imap: imapSettings.extend({ password }).nullable() })
  .meta({ id: 'ChangedMailbox' })
export type ChangedMailbox = z.infer<typeof changedMailbox>
