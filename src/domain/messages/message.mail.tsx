import { fillText } from '../../contract/fill-text.ts'
import type { Locale } from '../../contract/locales.ts'
import type { SiteConfig } from '../../contract/site-config.ts'
import { longDateTime } from '../../i18n/dates.ts'
import { referenceNumber } from '../../i18n/reference.ts'
import { translator } from '../../i18n/translate.ts'
import { layOut } from '../../platform/mail/layout.tsx'
import type { Letter } from '../../platform/mail/transport.ts'
import type { MessageLetter } from './message-letter.ts'

/** The letter that brings a message to the company, in the language that the visitor read; an answer to it goes to the visitor. */
export async function renderMessageLetter(site: SiteConfig, locale: Locale, data: MessageLetter): Promise<Letter> {
  const { naam, email, tel, bericht } = data.message
  const t = translator(locale)
  const mailto = `mailto:${encodeURIComponent(email).replace('%40', '@')}`
  const number = tel.replace(/[^+\d]/g, '')

  const parts = await layOut(site, locale, {
    title: t('mail.message.title'),
    preview: `${naam}: ${bericht}`.replace(/\s+/g, ' '),
    intro: t('mail.message.intro'),
    rows: [
      { label: t('mail.message.naam'), value: naam },
      { label: t('mail.message.email'), value: email, href: mailto, ltr: true },
      { label: t('mail.message.tel'), value: tel, ltr: true, ...(number === '' ? {} : { href: `tel:${number}` }) },
      { label: t('mail.message.reference'), value: referenceNumber(data.id, locale) },
      { label: t('mail.message.received'), value: longDateTime(new Date(data.receivedAt), locale) },
    ],
    quote: { label: t('mail.message.bericht'), text: bericht },
    action: { label: t('mail.message.reply'), href: mailto },
  })
  return {
    ...parts,
    from: { name: fillText(site.sender.name, { brand: site.brand }), address: site.sender.email },
    // `=?` begins an encoded word, in which a name could hide a line end from the reader of the letter.
    replyTo: { name: naam.replaceAll('=?', '= ?'), address: email },
    to: site.contact.recipients.map((address) => ({ name: '', address })),
    subject: fillText(site.contact.subject, { brand: site.brand }),
  }
}
