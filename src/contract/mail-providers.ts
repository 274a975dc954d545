/** The kind of password that a provider requires; its explanation is `config.mail.hints.<name>` in `i18n`. */
type SignInHint = 'mailboxPassword' | 'appPassword' | 'apiKey' | 'smtpKey' | 'token'

/** Of `MailSecurity`: all providers require encryption. */
type Encryption = 'tls' | 'starttls'

interface MailProvider {
  id: string
  /** The brand name, which is not translated. */
  label: string
  hint: SignInHint
  smtp: { host: string; port: number; security: Encryption; user?: string }
  imap?: { host: string; port: number; security: Encryption }
  /** The `include:` of the SPF record. */
  spf: string
  /** The DKIM selectors that the provider uses; empty when each customer has different ones. */
  selectors: readonly string[]
  /** The MX record: priority and host; undefined when it differs per customer. */
  mx?: string
}

/** Well-known mail providers, with the settings in their documentation. */
export const mailProviders = [
  {
    id: 'google',
    label: 'Google Workspace, Gmail',
    hint: 'appPassword',
    smtp: { host: 'smtp.gmail.com', port: 465, security: 'tls' },
    imap: { host: 'imap.gmail.com', port: 993, security: 'tls' },
    spf: '_spf.google.com',
    selectors: ['google'],
    mx: '1 smtp.google.com',
  },
  {
    id: 'microsoft',
    label: 'Microsoft 365, Outlook',
    hint: 'mailboxPassword',
    // Its IMAP accepts OAuth only.
    smtp: { host: 'smtp.office365.com', port: 587, security: 'starttls' },
    spf: 'spf.protection.outlook.com',
    selectors: ['selector1', 'selector2'],
  },
  {
    id: 'transip',
    label: 'TransIP',
    hint: 'mailboxPassword',
    smtp: { host: 'smtp.transip.email', port: 465, security: 'tls' },
    imap: { host: 'imap.transip.email', port: 993, security: 'tls' },
    spf: '_spf.transip.email',
    selectors: ['transip-a', 'transip-b', 'transip-c'],
    mx: '10 mx.transip.email',
  },
  {
    id: 'fastmail',
    label: 'Fastmail',
    hint: 'appPassword',
    smtp: { host: 'smtp.fastmail.com', port: 465, security: 'tls' },
    imap: { host: 'imap.fastmail.com', port: 993, security: 'tls' },
    spf: 'spf.messagingengine.com',
    selectors: ['fm1', 'fm2', 'fm3'],
    mx: '10 in1-smtp.messagingengine.com',
  },
  {
    id: 'proton',
    label: 'Proton Mail',
    hint: 'token',
    smtp: { host: 'smtp.protonmail.ch', port: 587, security: 'starttls' },
    spf: '_spf.protonmail.ch',
    selectors: ['protonmail', 'protonmail2', 'protonmail3'],
    mx: '10 mail.protonmail.ch',
  },
  {
    id: 'postmark',
    label: 'Postmark',
    hint: 'token',
    smtp: { host: 'smtp.postmarkapp.com', port: 587, security: 'starttls' },
    spf: 'spf.mtasv.net',
    selectors: [],
  },
  {
    id: 'sendgrid',
    label: 'Twilio SendGrid',
    hint: 'apiKey',
    smtp: { host: 'smtp.sendgrid.net', port: 587, security: 'starttls', user: 'apikey' },
    spf: 'sendgrid.net',
    selectors: ['s1', 's2'],
  },
  {
    id: 'mailgun',
    label: 'Mailgun (EU)',
    hint: 'smtpKey',
    smtp: { host: 'smtp.eu.mailgun.org', port: 587, security: 'starttls' },
    spf: 'mailgun.org',
    selectors: [],
  },
  {
    id: 'brevo',
    label: 'Brevo',
    hint: 'smtpKey',
    smtp: { host: 'smtp-relay.brevo.com', port: 587, security: 'starttls' },
    spf: 'spf.brevo.com',
    selectors: ['brevo1', 'brevo2', 'mail'],
  },
  {
    id: 'ses',
    label: 'Amazon SES (Ireland)',
    hint: 'smtpKey',
    smtp: { host: 'email-smtp.eu-west-1.amazonaws.com', port: 587, security: 'starttls' },
    spf: 'amazonses.com',
    selectors: [],
  },
] as const satisfies readonly MailProvider[]

/** The provider of a connection, by its id or else by its SMTP host; undefined for another provider. */
export const mailProviderOf = (connection: { provider?: string | undefined; host: string }): MailProvider | undefined =>
  mailProviders.find(({ id }) => id === connection.provider) ??
  mailProviders.find(({ smtp }) => smtp.host === connection.host.toLowerCase())
