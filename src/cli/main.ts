import { parseArgs } from 'node:util'
import { operatorWords } from '../platform/operator-words.ts'
import { checkConfig, exportConfig, importConfig, printSchema } from './config.ts'
import { listLetters, tryAgain } from './mail.ts'
import { listStored, moveStored } from './messages.ts'
import { createAdmin, passwordLink, twoFactorOff } from './people.ts'

const usage = `Usage: npm run cli -- <command>

  create-admin <email> [name]   makes an administrator, or makes one of who has this address; prints a link
                           to set the password, or with --password-stdin takes it from standard input
  password-link <email>    prints a link to set this user's password, which works once, for an hour
  two-factor-off <email>   lets this user in without the second step, when app and recovery codes are lost

  config check [file]      reads a configuration and says what is wrong with it
  config export            prints the configuration in force
  config import <file>     puts a configuration in force, as a new revision
  config schema            prints the JSON Schema of the configuration file

  messages list [--spam]   prints the newest messages, or those that are kept apart as spam, with the reason
  messages spam <id>       moves a message to the spam
  messages not-spam <id>   moves it back, and mails it if it was not mailed before

  mail list [--failed]     prints the letters that were not sent, or those that were given up, with the reason
  mail retry <id>          tries a letter once more that was given up, or that has long to wait
`

// What a command writes holds what people wrote: it is for its owner alone.
process.umask(0o077)

try {
  process.exitCode = await run()
} catch (error) {
  process.stderr.write(`${operatorWords(error)}\n`)
  process.exitCode = 1
}

/** @returns the exit code: 1 when there is not what was asked for, 2 for a command that does not exist */
async function run(): Promise<number> {
  const asked = readArguments()
  if (typeof asked === 'string') return wrongUse(`${asked}\n\n`)
  const { help, spam, failed } = asked.values
  if (help) {
    process.stdout.write(usage)
    return 0
  }
  const [noun, ...rest] = asked.positionals
  if (noun === 'create-admin') return (await createAdmin(rest, asked.values['password-stdin'] === true)) ?? wrongUse()
  if (noun === 'password-link') return (await passwordLink(rest)) ?? wrongUse()
  if (noun === 'two-factor-off') return (await twoFactorOff(rest)) ?? wrongUse()
  const [verb, operand, ...more] = rest
  const command = `${noun} ${verb}${spam ? ' --spam' : ''}${failed ? ' --failed' : ''}`
  const done = await (more.length > 0 ? undefined : (withOperand(command, operand) ?? alone(command, operand)))
  return done === undefined ? wrongUse() : done ? 0 : 1
}

type Outcome = Promise<boolean> | undefined

function withOperand(command: string, operand: string | undefined): Outcome {
  if (operand === undefined) return undefined
  const id = /^[1-9]\d{0,8}$/.test(operand) ? Number(operand) : undefined
  if (command === 'config check') return well(() => checkConfig(operand))
  if (command === 'config import') return well(() => importConfig(operand))
  if (id === undefined) return undefined
  if (command === 'messages spam') return moveStored(id, 'spam')
  if (command === 'messages not-spam') return moveStored(id, 'inbox')
  if (command === 'mail retry') return tryAgain(id)
  return undefined
}

function alone(command: string, operand: string | undefined): Outcome {
  if (operand !== undefined) return undefined
  if (command === 'config check') return well(() => checkConfig(undefined))
  if (command === 'config export') return well(exportConfig)
  if (command === 'config schema') return well(printSchema)
  if (command === 'messages list') return well(() => listStored('inbox'))
  if (command === 'messages list --spam') return well(() => listStored('spam'))
  if (command === 'mail list') return well(() => listLetters(false))
  if (command === 'mail list --failed') return well(() => listLetters(true))
  return undefined
}

/** What ends without an error has done what was asked. */
async function well(work: () => Promise<void> | void): Promise<true> {
  await work()
  return true
}

/** @returns what is wrong with them, in words, when they cannot be read */
function readArguments() {
  const flag = { type: 'boolean' } as const
  try {
    return parseArgs({
      allowPositionals: true,
      options: { help: { ...flag, short: 'h' }, spam: flag, failed: flag, 'password-stdin': flag },
    })
  } catch (error) {
    return (error as Error).message
  }
}

function wrongUse(said = ''): number {
  process.stderr.write(said + usage)
  return 2
}
