import { z } from 'zod'
import { counter } from './list.ts'
import { authenticationResults } from './mail-checks.ts'
import { mailProviders } from './mail-providers.ts'

/** `tls` from the first byte, `starttls` after a greeting and never without, `none` for a server on the own network. */
export const mailSecurities = ['tls', 'starttls', 'none'] as const
export type MailSecurity = (typeof mailSecurities)[number]

export const mailLimits = {
  hostChars: 253,
  userChars: 254,
  passwordChars: 500,
  selectorChars: 63,
  /** The user must wait for a test; a server that hangs ends it. */
  stepMs: 10_000,
  /** Opening a mailbox and reading what is new. */
  mailboxMs: 30_000,
  mailboxPauseMs: 2 * 60_000,
}

const line = (max: number) =>
  z
    .string()
    .trim()
    .max(max, 'tooLong')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are what is refused
    .regex(/^[^\u0000-\u001f\u007f]*$/, 'control')

const port = z.int().min(1).max(65_535)

const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?'
const hostForm = new RegExp(`^(?:(?:${label}\\.)*${label}\\.?|[0-9a-f.]*:[0-9a-f:.]+)$`, 'i')

/** Connection to a mail server, as it is stored; the password is apart. */
const connection = {
  provider: z.enum(['other', ...mailProviders.map(({ id }) => id)], 'choice'),
  host: line(mailLimits.hostChars).min(1, 'required').regex(hostForm, 'mailHostForm'),
  port,
  security: z.enum(mailSecurities, 'choice'),
  /** Empty: the server asks for no sign-in. */
  user: line(mailLimits.userChars),
}

export const smtpSettings = z.strictObject({
  ...connection,
  /** DKIM selectors that the provider named, separated by spaces; empty: those known of the provider. */
  selectors: line(300).regex(/^[\w. -]*$/, 'value'),
})
export type SmtpSettings = z.infer<typeof smtpSettings>

/** Omitted: the stored one, if the server is the same. */
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
  ...connection,
  user: line(mailLimits.userChars).min(1, 'required'),
  /** Empty: see `mailboxAddress`. */
  address: line(mailLimits.userChars)
    .refine((text) => text === '' || z.email().safeParse(text).success, 'email')
    .default(''),
  /** Delete reports that were tied to an email; otherwise nothing in the mailbox changes. */
  deleteReports: z.boolean(),
})
export type ImapSettings = z.infer<typeof imapSettings>

/** Where to send an email that must arrive in the mailbox; undefined while no address of it is known. */
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
