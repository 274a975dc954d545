import { text } from 'node:stream/consumers'
import { Refusal } from '../contract/errors.ts'
import { identifier, nameFromEmail, newPassword } from '../contract/users.ts'
import { turnOffTwoFactorByEmail } from '../domain/profile/turn-off-user-two-factor.ts'
import { addAdministrator, createLinkForEmail } from '../domain/sign-in/administrators.ts'
import { hashNewPassword } from '../domain/sign-in/passwords.ts'
import { translator } from '../i18n/translate.ts'
import { print, withDatabase } from './command-context.ts'

/** `create-admin <email> [name]`. @returns the exit code; undefined for wrong usage */
export async function createAdmin([address, ...names]: string[], fromInput: boolean): Promise<number | undefined> {
  const email = address === undefined ? undefined : emailIn(address)
  if (address === undefined) return undefined
  if (!email) return refuse(`${address} is no e-mail address.`)
  const password = fromInput ? (await text(process.stdin)).replace(/\r?\n$/, '') : undefined
  if (password !== undefined && !newPassword.safeParse(password).success) {
    return refuse(translator('nl')('validation.passwordMin'))
  }
  const hash = password === undefined ? undefined : await hashNewPassword(password, email).catch(wordsOf)
  if (hash instanceof Error) return refuse(hash.message)
  return withDatabase(async (ctx) => {
    const name = names.join(' ').trim() || nameFromEmail(email)
    const { known, link } = await addAdministrator(ctx, { email, name, hash })
    print(known ? `${email} was known already, and is an administrator now.` : `${email} is an administrator now.`)
    if (link) print(`This link sets the password. It works once, for an hour:\n\n  ${link}\n`)
    return 0
  })
}

/** `password-link <email>`. @returns the exit code; undefined for wrong usage */
export async function passwordLink([address, more]: string[]): Promise<number | undefined> {
  if (address === undefined || more !== undefined) return undefined
  const email = emailIn(address)
  return withDatabase(async (ctx) => {
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
  return withDatabase(async (ctx) => {
    if (!email || !(await turnOffTwoFactorByEmail(ctx, email))) {
      return refuse(`Nobody with the address ${address} signs in in two steps.`)
    }
    print(`${email} signs in with the password alone now.`)
    return 0
  })
}

/** An error that explains to the operator why a password is refused. */
function wordsOf(error: unknown): Error {
  const key = error instanceof Refusal ? error.problems[0]?.key : undefined
  if (!key) throw error
  return new Error(translator('nl')(`validation.${key}`))
}

const emailIn = (address: string) => identifier.safeParse(address).data

function refuse(why: string): number {
  process.stderr.write(`${why}\n`)
  return 1
}
