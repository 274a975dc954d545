import { fstatSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { operatorMessage } from '../platform/operator-message.ts'
import {
  checkConfig,
  createAdmin,
  exportConfig,
  importConfig,
  moveStoredMessage,
  passwordLink,
  printMessages,
  printOutbox,
  printSchema,
  retryEmail,
  twoFactorOff,
} from './commands.ts'

const usage = `Usage: npm run cli -- <command>

  create-admin <email> [name]   creates an administrator, or makes this user one; prints a link to set
                           the password, or with --password-stdin reads it from standard input
  password-link <email>    prints a single-use link to set this user's password, valid for an hour
  two-factor-off <email>   turns two-factor off for a user who lost the app and the recovery codes

  config check [file]      validates a configuration
  config export            prints the current configuration
  config import <file>     imports a configuration as a new revision
  config schema            prints the JSON Schema of the configuration file

  messages list [--spam]   prints the newest messages, or the newest spam with the reason
  messages spam <id>       moves a message to the spam folder
  messages not-spam <id>   moves it back, and emails it if it was not emailed before

  backup [folder]          writes an encrypted backup of the whole site, while it serves
  restore <backup>         replaces the site by that of a backup; stop the program first
                           --check   only reads the backup and reports whether it is complete
                           --yes     does not ask before a site is replaced
                           --moved   the old site is used no more: what waits to be sent is sent
                           --without-damaged-files
                                     restores the rest when files beside the backup are missing or damaged
  restore <backup> --list  prints the messages and pages that are in a backup of this site
  restore <backup> --message <number>
                           puts one message into the inbox again, with its files; the program may run
  restore <backup> --page <address>
                           adds one page as a new one that is not published, with its files
  update <folder or archive> [--accept-changes]
                           replaces the running version by that one: backs up, rehearses it on a copy, switches
                           without refusing a visitor, watches, and goes back when it fails; exit code 3: went back
                           --accept-changes  also when pages look different without the release saying so
  prove                    lets the running program restore the newest backup aside and compare it
                           with the site; reports whether it can be restored
  recovery-sheet [--replace-key]
                           prints the key of the backups, with what to do with it; --replace-key makes the
                           key of these settings the one of all backups from now on

  check-config             reports whether the program would start with these settings, this configuration file and
                           this database, with the line of each mistake; changes nothing
  doctor [--json]          checks the data, mail, address and program of the site, and prints what to do;
                           the exit code is 1 when something failed

  mail list [--failed]     prints unsent emails, or only failed ones, with the reason
  mail retry <id>          retries an email that failed, or that waits for a later attempt
`

// Output files contain personal data: only the owner may read them. The shell creates the file of `>` itself.
process.umask(0o077)

reportOutputErrors()
try {
  process.exitCode = await run()
} catch (error) {
  process.stderr.write(`${operatorMessage(error)}\n`)
  process.exitCode = 1
}

/** Lets the command finish when its output cannot be written, as on a full disk; then the exit code is not 0. */
function reportOutputErrors(): void {
  let failure: Error | undefined
  const recordFailure = (error: NodeJS.ErrnoException) => {
    // A reader such as `head` may close the pipe before the end.
    if (error.code !== 'EPIPE') failure ??= error
  }
  const { stdout } = process
  stdout.on('error', recordFailure)
  // `write` ignores that only a part of a text was written to a file; `writeFileSync` does not.
  if (fstatSync(stdout.fd).isFile()) {
    stdout.write = (text: string | Uint8Array) => {
      try {
        writeFileSync(stdout.fd, text)
      } catch (error) {
        recordFailure(error as Error)
      }
      return true
    }
  }
  process.once('exit', (code) => {
    if (!failure) return
    process.stderr.write(`The output was not written completely: ${failure.message}\n`)
    process.exitCode = code || 1
  })
}

/** Runs the command of the arguments. @returns the exit code: 1 when it failed or found nothing, 2 for wrong usage */
async function run(): Promise<number> {
  const parsed = readArguments()
  if (typeof parsed === 'string') return printUsage(`${parsed}\n\n`)
  const { help, spam, failed } = parsed.values
  if (help) {
    process.stdout.write(usage)
    return 0
  }
  const [noun, ...rest] = parsed.positionals
  if (noun === 'create-admin')
    return (await createAdmin(rest, parsed.values['password-stdin'] === true)) ?? printUsage()
  if (noun === 'password-link') return (await passwordLink(rest)) ?? printUsage()
  if (noun === 'backup' && rest.length < 2) return (await loadBackupCommands()).writeBackup(rest[0])
  if (noun === 'prove' && rest.length === 0) return (await loadBackupCommands()).prove()
  if (noun === 'recovery-sheet' && rest.length === 0) {
    return (await loadBackupCommands()).printRecoverySheet({ replaceKey: parsed.values['replace-key'] ?? false })
  }
  if (noun === 'restore' && rest[0] !== undefined && rest.length === 1) {
    const { list = false, message, page } = parsed.values
    const parts = [list || undefined, message, page].filter((option) => option !== undefined)
    if (parts.length > 1) return printUsage('Give one of --list, --message and --page.\n\n')
    if (parts.length === 1) {
      const { listBackup, restoreOneMessage, restoreOnePage } = await import('./restore-one.ts')
      if (message !== undefined) return restoreOneMessage(rest[0], message)
      return page === undefined ? listBackup(rest[0]) : restoreOnePage(rest[0], page)
    }
    const { yes = false, moved = false, check = false } = parsed.values
    const withoutDamaged = parsed.values['without-damaged-files'] ?? false
    return (await loadBackupCommands()).restore(rest[0], { yes, moved, check, withoutDamaged })
  }
  if (noun === 'update' && rest[0] !== undefined && rest.length === 1) {
    const { update } = await import('./update.ts')
    return update(rest[0], { acceptChanges: parsed.values['accept-changes'] ?? false })
  }
  if (noun === 'check-config' && rest.length === 0) {
    const { checkSetup } = await import('./check-config.ts')
    return checkSetup()
  }
  if (noun === 'doctor' && rest.length === 0) {
    const { printHealth } = await import('./doctor.ts')
    return printHealth({ json: parsed.values.json === true })
  }
  if (noun === 'two-factor-off') return (await twoFactorOff(rest)) ?? printUsage()
  const [verb, operand, ...surplus] = rest
  const command = `${noun} ${verb}${spam ? ' --spam' : ''}${failed ? ' --failed' : ''}`
  const runCommand = () => runWithOperand(command, operand) ?? runWithoutOperand(command, operand)
  const succeeded = surplus.length > 0 ? undefined : await runCommand()
  if (succeeded === undefined) return printUsage()
  return succeeded ? 0 : 1
}

/** Loads the commands of backups only when needed: encryption and archives are a large part of the code. */
function loadBackupCommands() {
  return import('./backup.ts')
}

/** Whether the command succeeded; undefined: there is no such command. */
type Outcome = Promise<boolean> | undefined

function runWithOperand(command: string, operand: string | undefined): Outcome {
  if (operand === undefined) return undefined
  const id = /^[1-9]\d{0,8}$/.test(operand) ? Number(operand) : undefined
  if (command === 'config check') return succeeds(() => checkConfig(operand))
  if (command === 'config import') return succeeds(() => importConfig(operand))
  if (id === undefined) return undefined
  if (command === 'messages spam') return moveStoredMessage(id, 'spam')
  if (command === 'messages not-spam') return moveStoredMessage(id, 'inbox')
  if (command === 'mail retry') return retryEmail(id)
  return undefined
}

function runWithoutOperand(command: string, operand: string | undefined): Outcome {
  if (operand !== undefined) return undefined
  if (command === 'config check') return succeeds(() => checkConfig(undefined))
  if (command === 'config export') return succeeds(exportConfig)
  if (command === 'config schema') return succeeds(printSchema)
  if (command === 'messages list') return succeeds(() => printMessages('inbox'))
  if (command === 'messages list --spam') return succeeds(() => printMessages('spam'))
  if (command === 'mail list') return succeeds(() => printOutbox(false))
  if (command === 'mail list --failed') return succeeds(() => printOutbox(true))
  return undefined
}

/** Runs a command without a result of its own. @returns true, unless the command throws */
async function succeeds(work: () => Promise<void> | void): Promise<true> {
  await work()
  return true
}

/** @returns the parsed arguments, or the error message */
function readArguments() {
  const flag = { type: 'boolean' } as const
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        help: { ...flag, short: 'h' },
        spam: flag,
        failed: flag,
        'password-stdin': flag,
        yes: flag,
        moved: flag,
        'without-damaged-files': flag,
        check: flag,
        list: flag,
        message: { type: 'string' },
        page: { type: 'string' },
        json: flag,
        'replace-key': flag,
        'accept-changes': flag,
      },
    })
  } catch (error) {
    return (error as Error).message
  }
}

/** @returns the exit code */
function printUsage(message = ''): number {
  process.stderr.write(message + usage)
  return 2
}
