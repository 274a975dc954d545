import { text } from 'node:stream/consumers'
import { identifier, nameFromEmail, newPassword } from '../contract/users.ts'
import { turnOffTwoFactorByEmail } from '../domain/profile/turn-off-two-factor-of.ts'
import { addAdministrator, linkForEmail } from '../domain/sign-in/operator.ts'
import { translator } from '../i18n/translate.ts'
import { hashPassword } from '../platform/auth/password.ts'
import { readSettings } from '../platform/config/settings.ts'
import type { Context } from '../platform/context.ts'
import { openDatabase } from '../platform/db/database.ts'

/** `create-admin <email> [name]`. @returns the exit code; undefined when it is used wrongly */
export async function createAdmin([address, ...names]: string[], fromInput: boolean): Promise<number | undefined> {
  const email = address === undefined ? undefined : emailIn(address)
  if (address === undefined) return undefined
  if (!email) return refuse(`${address} is no e-mail address.`)
  const password = fromInput ? (await text(process.stdin)).replace(/\r?\n$/, '') : undefined
  if (password !== undefined && !newPassword.safeParse(password).success) {
    return refuse(translator('nl')('validation.passwordMin'))
  }
  const hash = password === undefined ? undefined : await hashPassword(password)
  return withDatabase(async (ctx) => {
    const name = names.join(' ').trim() || nameFromEmail(email)
    const { known, link } = await addAdministrator(ctx, { email, name, hash })
    say(known ? `${email} was known already, and is an administrator now.` : `${email} is an administrator now.`)
    if (link) say(`This link sets the password. It works once, for an hour:\n\n  ${link}\n`)
    return 0
  })
}

/** `password-link <email>`. @returns the exit code; undefined when it is used wrongly */
export async function passwordLink([address, more]: string[]): Promise<number | undefined> {
  if (address === undefined || more !== undefined) return undefined
  const email = emailIn(address)
  return withDatabase(async (ctx) => {
    const link = email && (await linkForEmail(ctx, email))
    if (!link) return refuse(`Nobody who may sign in has the address ${address}.`)
    say(link)
    return 0
  })
}

/** `two-factor-off <email>`. @returns the exit code; undefined when it is used wrongly */
export async function twoFactorOff([address, more]: string[]): Promise<number | undefined> {
  if (address === undefined || more !== undefined) return undefined
  const email = emailIn(address)
  return withDatabase(async (ctx) => {
    if (!email || !(await turnOffTwoFactorByEmail(ctx, email))) {
      return refuse(`Nobody with the address ${address} signs in in two steps.`)
    }
    say(`${email} signs in with the password alone now.`)
    return 0
  })
}

const emailIn = (address: string) => identifier.safeParse(address).data

async function withDatabase<T>(work: (ctx: Pick<Context, 'now' | 'origin' | 'transaction'>) => Promise<T>): Promise<T> {
  const settings = readSettings()
  const { db } = await openDatabase(settings)
  try {
    return await work({
      now: () => new Date(),
      // Whoever has set no address has the program on their own machine.
      origin: settings.baseUrl ?? `http://localhost:${settings.port}`,
      transaction: (work) => db.transaction().execute(work),
    })
  } finally {
    await db.destroy()
  }
}

const say = (line: string) => process.stdout.write(`${line}\n`)

function refuse(why: string): number {
  process.stderr.write(`${why}\n`)
  return 1
}
