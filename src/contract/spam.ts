import { z } from 'zod'
import { limits } from './limits.ts'

/** The spam rules; the settings give each a number of points. */
export const spamRules = ['link', 'linkInName', 'markup', 'otherScript', 'fast', 'old', 'noMoment', 'proof'] as const
export type SpamRule = (typeof spamRules)[number]

const points = z.int().min(0).max(20)

/** The settings of the spam filter. @param text the schema of a word or phrase */
export const spamSettingsSchema = (text: z.ZodType<string>) =>
  z.strictObject({
    /** A message with at least so many points is suspected. */
    threshold: z.int().min(1).max(100),
    /** The number of links in a message that give no points. */
    freeLinks: z.int().min(0).max(20),
    /** The rule `fast` matches a form that is sent within this time after it was opened. */
    fastSeconds: z.int().min(0).max(60),
    /** Days after which messages that arrived as spam are deleted, unless the retention period of their form is shorter. */
    retentionDays: z.int().min(1).max(3_650),
    points: z.strictObject(
      Object.fromEntries(spamRules.map((rule) => [rule, points])) as Record<SpamRule, typeof points>,
    ),
    /** Lists of suspicious words and phrases, each with the points of a match. */
    words: z
      .array(z.strictObject({ points: z.int().min(1).max(20), words: z.array(text).max(limits.spamWords) }))
      .max(limits.spamWordLists),
  })
export type SpamSettings = z.infer<ReturnType<typeof spamSettingsSchema>>

/** The reasons by which the filter puts a new message in the spam folder; those moved there by staff have `staff`. */
export const spamOnArrival = ['suspected', 'honeypot'] as const

/** A rule that matched a message. `word` has the word as text; `honeypot` always means spam, whatever the points. */
export const spamReason = z
  .object({ rule: z.enum([...spamRules, 'word', 'honeypot']), points: z.int(), text: z.string().optional() })
  .meta({ id: 'SpamReason' })
export type SpamReason = z.infer<typeof spamReason>

/** The settings of a site that has none in its configuration. */
export const defaultSpamSettings: SpamSettings = {
  threshold: 5,
  freeLinks: 2,
  fastSeconds: 3,
  retentionDays: 90,
  points: { link: 2, linkInName: 4, markup: 4, otherScript: 4, fast: 2, old: 1, noMoment: 1, proof: 3 },
  words: [
    {
      points: 4,
      words: [
        ...['casino', 'online gokken', 'viagra', 'cialis', 'porno', 'escort', 'payday loan', 'binary options'],
        ...[
          'backlinks',
          'backlink',
          'link building',
          'linkbuilding',
          'guest post',
          'gastblog',
          'do-follow',
          'dofollow',
        ],
        ...['domain authority', 'crypto investment', 'forex signals', 'weight loss pills', 'afslankpillen'],
        ...['lening zonder bkr', 'email list for sale', 'e-mailadressen kopen', 'rank your website'],
        ...['کازینو', 'شرط‌بندی', 'قرص لاغری', 'بک‌لینک', 'خرید فالوور', 'فیلترشکن'],
      ],
    },
    {
      points: 2,
      words: [
        ...['seo', 'bitcoin', 'crypto', 'forex', 'first page of google', 'page one of google', 'search rankings'],
        ...['increase traffic', 'more traffic', 'website traffic', 'special offer', 'unsubscribe', 'opt out'],
        ...['eerste pagina van google', 'bovenaan in google', 'meer bezoekers', 'gratis analyse', 'free audit'],
        ...['i came across your website', 'i was on your website', 'i visited your website', 'bulk email'],
        ...['investment opportunity', 'kindly reply', 'outsource', 'offshore', 'low cost', 'per month only'],
        ...['سئو', 'بیت‌کوین', 'ارز دیجیتال', 'سرمایه‌گذاری تضمینی', 'صفحهٔ اول گوگل', 'تبلیغات انبوه', 'ارسال انبوه'],
      ],
    },
  ],
}
