// @ts-check
// Runs the program of a release and replaces it by that of another. It stands outside the program and needs nothing but
// Node: docs/operate/update.md.
import { spawn } from 'node:child_process'
import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs'
import net from 'node:net'
import { isAbsolute, join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { getSystemErrorName } from 'node:util'

/**
 * @typedef {{ program: string, args: string[], environment: Record<string, string> }} Start
 * @typedef {{ reason: string, why?: { key: string, [value: string]: unknown } }} Trouble
 *   `why` is the reason as a key of the program's texts in `src/i18n/nl/reasons.ts`, with its values
 * @typedef {Trouble & { from: string, to: string, at: string, outcome: 'kept' | 'undone' | 'stuck', recorded: boolean }} Outcome
 *   `stuck`: it should have been undone, and the old version did not start
 * @typedef {{ canary: string, why?: Trouble['why'], database?: 'away' | 'refused' }} CanaryAnswer
 *   what is wrong, or why it could not be tried: the database is away, or refuses only this program
 * @typedef {{ given: string, current: string, update?: { folder: string, from: string, to: string }, last?: Outcome }} State
 *   `given` and `current` are folders, `from` and `to` name versions
 */

const socketWaitMs = 40_000
const stopWithinMs = 40_000
const startWithinMs = 10 * 60_000
const steadyMs = 10_000
const longestPauseMs = 30_000
const canaryWithinMs = 20_000
const canaryEveryMs = 15_000
/** The old version is tried again for so long while the new one serves: the database may be away for a while. */
const backWithinMs = 5 * 60_000
const leastBackAttempts = 3
const longestLine = 10_000
/** @type {Trouble} */
const ended = { reason: 'it ended by itself', why: { key: 'updateEnded' } }
/** @type {Trouble} */
const formSilent = { reason: 'its contact form did not answer, and the database did', why: { key: 'updateFormSilent' } }
/** An update is undone when at least so many requests failed, and so large a part of them. */
const failures = { least: 5, share: 0.05 }

process.umask(0o077)
const env = process.env
/** Absolute, because each version runs in its own folder. */
const paths = {
  DATA_DIR: resolve(env.DATA_DIR?.trim() || 'data'),
  BACKUP_DIR: resolve(env.BACKUP_DIR?.trim() || 'backups'),
  ...(env.SITE_CONFIG?.trim() && { SITE_CONFIG: resolve(env.SITE_CONFIG.trim()) }),
}
const folder = join(paths.DATA_DIR, 'launcher')
/** The version to run until an update replaces it. */
const given = realpathSync(process.argv[2] ?? import.meta.dirname)
/** Versions elsewhere are refused: docs/operate/update.md says what for. */
const onlyBelow = process.argv[3] && realpathSync(process.argv[3])
const statePath = join(folder, 'state.json')
const socketPath = join(folder, 'socket')

await refuseSecondLauncher()
/** Whether `state` could not be written yet. */
let unsaved = false
let state = readState()
if (state.given !== given) {
  // Somebody named another version by hand.
  saveWhenPossible({ ...state, current: given })
}
if (state.update) {
  const { from, to } = state.update
  const cutOff = { reason: 'the launcher, or the machine, was stopped before its end', why: { key: 'updateCutOff' } }
  saveWhenPossible({ current: state.current, last: outcomeNow({ from, to, outcome: 'undone', ...cutOff }) })
}
const socket = await openSocket()
let stopping = false
let quickEnds = 0
/** From when the new version of an update serves until its end: a version that ends then is not simply started again. */
let switching = false
/** @type {Set<ReturnType<typeof spawnProgram>>} During an update there are two, and three while it is undone. */
const running = new Set()
let serving = start(state.current)
for (const signal of /** @type {const} */ (['SIGTERM', 'SIGINT'])) process.on(signal, () => void stop(signal))
if (!(await isServing(serving))) process.exit(serving.process.exitCode ?? 1)
let takesCommands = await openControlIfPossible()
setInterval(async () => {
  if (unsaved) saveWhenPossible(state)
  if (!takesCommands) takesCommands = await openControlIfPossible()
  tellLast(serving)
}, 60_000)
void keepRunning()

/** Starts the version in a folder. @param {string} at */
function start(at) {
  const program = spawnProgram(at)
  running.add(program)
  void program.ended.then(() => running.delete(program))
  void program.ready.then(() => {
    log('info', `${program.version} serves`, { folder: at })
    tellLast(program)
  })
  return program
}

/** @param {string} at */
function spawnProgram(at) {
  const { folder: real, version, start: how } = readRelease(at)
  const child = spawn(join(real, how.program), [...how.args, 'launched', '0', 'socket'], {
    cwd: real,
    env: { ...how.environment, ...env, ...paths },
    // The program listens on the socket that it inherits, which stays open when it ends.
    stdio: ['ignore', 'inherit', 'inherit', socket.fd, 'ipc'],
  })
  const program = {
    folder: at,
    version,
    process: child,
    since: performance.now(),
    answered: 0,
    failed: 0,
    /** With `WORKERS`, one of them ended that was not told to. */
    lostWorker: false,
    /** @type {(answer: CanaryAnswer) => void} */
    canaryAnswered: () => {},
    ended: new Promise((resolve) => {
      child.once('exit', resolve)
      child.once('error', resolve)
    }),
    /** Resolves when it serves. */
    ready: new Promise((resolve) => {
      child.on('message', (/** @type {any} */ message) => {
        if ('port' in message) resolve(undefined)
        if ('counted' in message) {
          program.answered += message.counted.answered
          program.failed += message.counted.failed
        }
        if ('lostWorker' in message) program.lostWorker = true
        if ('canary' in message) program.canaryAnswered(message)
        const { last } = state
        if ('recorded' in message && last && last.at === message.recorded)
          saveWhenPossible({ ...state, last: { ...last, recorded: true } })
      })
    }),
  }
  child.on('error', (error) => log('error', `${version} cannot be started: ${error.message}`))
  return program
}

/** @param {ReturnType<typeof start>} program */
function isRunning({ process: { pid, exitCode, signalCode } }) {
  return pid !== undefined && exitCode === null && signalCode === null
}

/** Waits until it serves. @param {ReturnType<typeof start>} program @returns {Promise<boolean>} false when it does not */
async function isServing(program) {
  const late = new AbortController()
  const tooLate = pause(startWithinMs, undefined, { signal: late.signal, ref: false }).catch(() => {})
  await Promise.race([program.ready, program.ended, tooLate])
  late.abort()
  return isRunning(program) && (await Promise.race([program.ready.then(() => true), pause(0, false)]))
}

/** Lets a program finish what it began. @param {ReturnType<typeof start>} program */
async function retire(program) {
  if (!isRunning(program)) return
  program.process.send({ stop: true }, () => {})
  const late = setTimeout(() => program.process.kill('SIGKILL'), stopWithinMs)
  await program.ended
  clearTimeout(late)
}

/** Starts the current version again whenever it ends outside an update, which looks after itself. */
async function keepRunning() {
  for (;;) {
    const program = serving
    await program.ended
    if (stopping) return
    if (program !== serving || switching) {
      await pause(50)
      continue
    }
    const { exitCode, signalCode, pid } = program.process
    log('error', `${program.version} ended and is started again`, { pid, code: exitCode, signal: signalCode })
    quickEnds = performance.now() - program.since > steadyMs ? 0 : quickEnds + 1
    if (quickEnds > 0) await pause(Math.min(500 * 2 ** quickEnds, longestPauseMs))
    if (stopping) return
    // Meanwhile an update may have put another in its place.
    if (program === serving && !switching) serving = start(state.current)
  }
}

/** @param {NodeJS.Signals} signal */
async function stop(signal) {
  if (stopping) return
  stopping = true
  const programs = [...running]
  for (const program of programs) if (isRunning(program)) program.process.kill(signal)
  await Promise.all(programs.map((program) => program.ended))
  const { exitCode, signalCode } = serving.process
  // The signal ends a program that is still starting; one kills itself when a folder that does not answer keeps it from exiting.
  process.exit(exitCode ?? (/^SIG(TERM|INT|KILL)$/.test(signalCode ?? '') ? 0 : 1))
}

/**
 * Starts the version in a folder beside the one that serves, lets that one retire, and looks for a time whether all is
 * well; if not, goes back.
 * @param {string} to
 * @param {number} watchSeconds
 * @param {(line: string) => void} say
 * @returns {Promise<Outcome>} only when the launcher is not told to stop meanwhile: its next start then undoes the update
 */
async function update(to, watchSeconds, say) {
  const versions = { from: serving.version, to: readRelease(to).version }
  save({ ...state, update: { folder: to, ...versions } })
  say(`Starting ${versions.to} beside ${versions.from}.`)
  const next = start(to)
  if (!(await isServing(next))) {
    next.process.kill('SIGKILL')
    const notStarted = { reason: 'it did not start; the log says why', why: { key: 'updateNotStarted' } }
    return end({ ...versions, outcome: 'undone', ...notStarted })
  }
  const old = serving
  switching = true
  serving = next
  say(`${versions.to} serves. ${versions.from} finishes what it began.`)
  const retired = retire(old)
  say(`Watching it for ${watchSeconds} seconds.`)
  const trouble = await watch(next, watchSeconds * 1_000)
  if (!trouble) {
    await retired
    return end({ ...versions, outcome: 'kept', reason: '' }, to)
  }
  say(`Going back to ${versions.from}: ${trouble.reason}.`)
  const back = await startAgain(old.folder, next)
  if (!back) return end({ ...versions, outcome: 'stuck', ...trouble }, to)
  serving = back
  await Promise.all([retire(next), retired])
  return end({ ...versions, outcome: 'undone', ...trouble })
}

/**
 * Starts the old version, again and again when it does not start.
 * @param {string} at
 * @param {ReturnType<typeof start>} next while this one runs, there is time
 * @returns {Promise<ReturnType<typeof start> | undefined>} undefined when it does not start
 */
async function startAgain(at, next) {
  const until = performance.now() + backWithinMs
  for (let attempt = 1; !stopping; attempt++) {
    try {
      const back = start(at)
      if (await isServing(back)) return back
      back.process.kill('SIGKILL')
    } catch (error) {
      log('error', `${at} cannot be started`, { reason: String(error) })
    }
    if (attempt >= leastBackAttempts && !(isRunning(next) && performance.now() < until)) return undefined
    await pause(Math.min(250 * 2 ** attempt, longestPauseMs))
  }
  return undefined
}

/** @param {ReturnType<typeof start>} program @param {number} forMs @returns {Promise<Trouble | undefined>} what is wrong */
async function watch(program, forMs) {
  const until = performance.now() + forMs
  let nextCanary = 0
  let formWorked = false
  while (!stopping) {
    if (!isRunning(program)) return ended
    if (program.lostWorker) return { reason: 'one of its workers ended by itself', why: { key: 'updateLostWorker' } }
    const { answered, failed } = program
    if (failed >= failures.least && failed / answered >= failures.share) {
      const why = { key: 'updateRequestsFailed', failed, answered }
      return { reason: `${failed} of ${answered} requests failed`, why }
    }
    const isOver = performance.now() >= until
    // If the last try could not tell, another one at the end decides.
    if (performance.now() >= nextCanary || (isOver && !formWorked)) {
      const { canary: reason, why, database } = await canary(program)
      if (reason) return { reason, ...(why && { why }) }
      formWorked = !database
      if (isOver && !formWorked && database !== 'away') return formSilent
      nextCanary = performance.now() + Math.min(canaryEveryMs, forMs / 4)
    }
    if (isOver) return undefined
    await Promise.race([program.ended, pause(100)])
  }
  return undefined
}

/**
 * Lets the program try its contact form.
 * @param {ReturnType<typeof start>} program
 * @returns {Promise<CanaryAnswer>}
 */
async function canary(program) {
  /** @type {Promise<CanaryAnswer>} */
  const answer = new Promise((resolve) => {
    program.canaryAnswered = resolve
  })
  program.process.send({ canary: true }, () => {})
  const late = { canary: 'it did not try its contact form in time', why: { key: 'updateFormLate' } }
  const tooLate = pause(canaryWithinMs, late, { ref: false })
  return Promise.race([answer, tooLate, program.ended.then(() => ({ canary: ended.reason, why: ended.why }))])
}

/**
 * @param {Omit<Outcome, 'at' | 'recorded'>} outcome
 * @param {string} [current] the version from now on, when it is another
 */
async function end(outcome, current = state.current) {
  // How versions behave while they are being stopped is no fault of theirs.
  if (stopping) await new Promise(() => {})
  const last = outcomeNow(outcome)
  switching = false
  saveWhenPossible({ current, last })
  const level = outcome.outcome === 'kept' ? 'info' : 'error'
  log(level, `the update to ${outcome.to}: ${outcome.outcome}`, { reason: outcome.reason })
  tellLast(serving)
  return last
}

/** @param {Omit<Outcome, 'at' | 'recorded'>} outcome @returns {Outcome} */
function outcomeNow(outcome) {
  return { ...outcome, at: new Date().toISOString(), recorded: false }
}

/** The audit log is the program's. @param {ReturnType<typeof start>} program */
function tellLast(program) {
  if (state.last && !state.last.recorded && isRunning(program)) program.process.send({ record: state.last }, () => {})
}

/**
 * In a checkout the number of the version is in `package.json`.
 * @param {string} at
 * @returns {{ folder: string, version: string, start: Start }} the folder without links
 * @throws {Error} for what is not a release, or must not be started
 */
function readRelease(at) {
  if (!existsSync(at)) {
    throw new Error(`the launcher does not see ${at}; as a service it sees no home folders and has a /tmp of its own`)
  }
  const real = realpathSync(at)
  if (onlyBelow && !real.startsWith(join(onlyBelow, '/'))) {
    throw new Error(`${at} is not below ${onlyBelow}, and this launcher starts no version from elsewhere`)
  }
  const read = (/** @type {string} */ name) => JSON.parse(readFileSync(join(real, name), 'utf8'))
  const stated = read('release.json')
  const version = stated.version ?? read('package.json').version
  const { program, args, environment } = stated.start ?? {}
  const isText = (/** @type {unknown} */ value) => typeof value === 'string' && !value.includes('\0')
  const isSound =
    isText(version) &&
    /^\d+\.\d+\.\d+$/.test(version) &&
    isText(program) &&
    !isAbsolute(program) &&
    !program.split('/').includes('..') &&
    Array.isArray(args) &&
    args.every(isText) &&
    environment?.constructor === Object &&
    Object.entries(environment).every((pair) => pair.every(isText))
  if (!isSound) throw new Error(`release.json of ${at} does not say what version it is and how it is started`)
  return { folder: real, version, start: { program, args, environment } }
}

/** @returns {State} */
function readState() {
  if (!existsSync(statePath)) return { given, current: given }
  try {
    const found = JSON.parse(readFileSync(statePath, 'utf8'))
    if (found.given === given) readRelease(found.current)
    return found
  } catch (error) {
    log('error', `${statePath} cannot be used; starting ${given}`, { reason: String(error) })
    return { given, current: given }
  }
}

/**
 * Replaces the state as a whole, so that a reader after a crash sees the one before or this one.
 * @param {Omit<State, 'given'>} next
 * @throws {Error} when it cannot be written; nothing is changed then
 */
function save(next) {
  const replacement = { ...next, given }
  mkdirSync(folder, { recursive: true })
  const file = openSync(`${statePath}.new`, 'w')
  try {
    writeSync(file, JSON.stringify(replacement, undefined, 2))
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  renameSync(`${statePath}.new`, statePath)
  state = replacement
  unsaved = false
}

/** Keeps the state in memory while the disk is full or read-only. @param {Omit<State, 'given'>} next */
function saveWhenPossible(next) {
  try {
    save(next)
  } catch (error) {
    state = { ...next, given }
    unsaved = true
    log('error', `${statePath} cannot be written; it is tried again`, { reason: String(error) })
  }
}

async function refuseSecondLauncher() {
  const probe = net.connect(socketPath)
  const found = await Promise.race([once(probe, 'connect'), once(probe, 'error').then(() => undefined)]).catch(
    () => undefined,
  )
  probe.destroy()
  if (found) {
    process.stderr.write(`A launcher runs already on ${paths.DATA_DIR}.\n`)
    process.exit(1)
  }
}

/**
 * The socket that every version listens on. The launcher only holds it, so that connections wait in its queue while one
 * version takes over from another, or is started again.
 */
async function openSocket() {
  const port = Number(env.PORT?.trim() || 3000)
  const host = env.HOST?.trim()
  const at = host ? await lookup(host) : { address: '::', family: 6 }
  const until = performance.now() + socketWaitMs
  for (let waiting = false; ; waiting = true) {
    const { handle, code } = bind(at.address, port, at.family)
    if (handle) return handle
    // A machine without IPv6.
    if (!host && at.family === 6 && code !== 'EADDRINUSE') Object.assign(at, { address: '0.0.0.0', family: 4 })
    else if (code !== 'EADDRINUSE' || performance.now() > until) {
      process.stderr.write(`PORT ${port} cannot be used: ${code}\n`)
      process.exit(1)
    } else {
      // After the launcher was killed, its program still ends.
      if (!waiting) log('warn', `port ${port} is in use; waiting for it`)
      await pause(100)
    }
  }
}

/** Node's own function for sockets that other processes listen on: `cluster` uses it. @param {string} address @param {number} port @param {number} family */
function bind(address, port, family) {
  const made = /** @type {any} */ (net)._createServerHandle(address, port, family, -1, 0)
  const error = typeof made === 'number' ? made : made.getsockname({})
  if (error === 0) return { handle: made }
  if (typeof made !== 'number') made.close()
  return { code: getSystemErrorName(error) }
}

/** False on a disk that is full or read-only: the site is served all the same. */
async function openControlIfPossible() {
  try {
    await openControl()
    return true
  } catch (error) {
    log('error', `${socketPath} cannot be made, so commands are not taken; it is tried again`, {
      reason: String(error),
    })
    return false
  }
}

/** Answers commands: a line of JSON each way, several back for an update. */
async function openControl() {
  mkdirSync(folder, { recursive: true })
  rmSync(socketPath, { force: true })
  const server = net.createServer((connection) => {
    let text = ''
    const answer = (/** @type {object} */ what) => connection.writable && connection.write(`${JSON.stringify(what)}\n`)
    const obey = async () => {
      if (text.length > longestLine) throw new Error('the command is too long')
      await command(JSON.parse(text), answer)
    }
    const receive = (/** @type {string} */ part) => {
      text += part
      if (!text.endsWith('\n') && text.length <= longestLine) return
      connection.off('data', receive).resume()
      void obey()
        .catch((error) => answer({ refused: String(error.message) }))
        .finally(() => connection.destroySoon())
    }
    connection.on('error', () => {})
    connection.setEncoding('utf8').on('data', receive)
  })
  server.listen(socketPath)
  await once(server, 'listening')
}

/** @param {any} asked @param {(what: object) => void} answer */
async function command(asked, answer) {
  if (asked.do === 'status') return answer({ status: { ...state, version: serving.version, pid: serving.process.pid } })
  if (asked.do !== 'check' && asked.do !== 'update') throw new Error('the launcher does not know this command')
  const { folder: to, watchSeconds } = asked
  if (typeof to !== 'string' || !isAbsolute(to)) throw new Error('the folder of the new version must be absolute')
  const { version } = readRelease(to)
  if (asked.do === 'check') return answer({ checked: version })
  if (!Number.isFinite(watchSeconds) || watchSeconds <= 0) throw new Error('watchSeconds must be a positive number')
  if (state.update) throw new Error('another update is being made')
  if (!isRunning(serving)) throw new Error('the present version does not run; see its log')
  const made = update(to, watchSeconds, (line) => answer({ says: line }))
  answer({
    ended: await made.catch((error) => {
      if (!state.update) throw error
      const { from, to } = state.update
      return end({ from, to, outcome: 'undone', reason: String(error.message) })
    }),
  })
}

/** A line like those of the program. @param {'info' | 'warn' | 'error'} level @param {string} msg @param {object} [more] */
function log(level, msg, more = {}) {
  process.stdout.write(
    `${JSON.stringify({ level, time: new Date().toISOString(), ...more, msg: `launcher: ${msg}` })}\n`,
  )
}
