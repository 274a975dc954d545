import type { Locale } from '../../contract/locales.ts'
import type { Context } from '../../platform/context.ts'
import { postLetter } from '../../platform/mail/outbox.ts'
import { countReset, type Place } from './limit-attempts.ts'
import { passwordTemplate } from './password-letter.ts'

/**
 * Promises a letter with a link to set a password, whoever asks and whether or not anybody has this address: who has it
 * is looked up when the letter is sent. So neither the answer, nor its time, nor a mail server that is down tells.
 * @throws {Refusal} `too_many`
 */
export async function askForLink(ctx: Context, input: { email: string; locale: Locale }, place: Place): Promise<void> {
  if (!(await countReset(ctx, input.email, place))) return
  await ctx.transaction((tx) =>
    postLetter(
      tx,
      { template: passwordTemplate, locale: input.locale, data: {}, recipients: [input.email] },
      ctx.now(),
      ctx.site.sender.email,
    ),
  )
  ctx.signal.letter()
}
