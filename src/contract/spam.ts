import { z } from 'zod'
import { limits } from './limits.ts'

/** The spam rules, each with a number of points. */
export const spamRules = ['link', 'linkInName', 'markup', 'otherScript', 'fast', 'old', 'noMoment', 'proof'] as const
export type SpamRule = (typeof spamRules)[number]

const points = z.int().min(0).max(20)

/** The rules by which messages are suspected; staff change them. @param text the schema of a word or phrase */
export const spamSettingsSchema = (text: z.ZodType<string>) =>
  z.strictObject({
    /** A message with so many points is suspected. */
    threshold: z.int().min(1).max(100),
    /** Links that count nothing. */
    freeLinks: z.int().min(0).max(20),
    /** A form that is sent within this time was sent fast. */
    fastSeconds: z.int().min(0).max(60),
    /** Days after which messages that came in as spam are deleted, unless their form says sooner. */
    retentionDays: z.int().min(1).max(3_650),
    points: z.strictObject(
      Object.fromEntries(spamRules.map((rule) => [rule, points])) as Record<SpamRule, typeof points>,
    ),
    /** Words and phrases with their points. */
    words: z
      .array(z.strictObject({ points: z.int().min(1).max(20), words: z.array(text).max(limits.spamWords) }))
      .max(limits.spamWordLists),
  })
export type SpamSettings = z.infer<ReturnType<typeof spamSettingsSchema>>

/** Why a message came in as spam; what staff call spam later has another reason. */
export const spamOnArrival = ['suspected', 'honeypot'] as const

/** A rule that a message met; `word` has the word, `honeypot` decides without points. */
export const spamReason = z
  .object({ rule: z.enum([...spamRules, 'word', 'honeypot']), points: z.int(), text: z.string().optional() })
  .meta({ id: 'SpamReason' })
export type SpamReason = z.infer<typeof spamReason>

/** In effect as long as staff set no others. */
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
