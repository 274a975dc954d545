// @ts-check
// Runs the server of a release, and replaces it by that of another in an update. It imports nothing but Node's modules,
// because it outlives the version that it came with: docs/operate/update.md.
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
 * @typedef {{ reason: string, why?: { key: string, [value: string]: unknown } }} Problem
 *   `why`: the reason as a key of `src/i18n/nl/reasons.ts`, with its values
 * @typedef {Problem & { from: string, to: string, at: string, outcome: 'kept' | 'undone' | 'stuck', recorded: boolean }} Outcome
 *   of an update. `stuck`: it could not be undone, because the old version did not start. `recorded`: in the audit log
 * @typedef {{ canary: string, why?: Problem['why'], database?: 'away' | 'refused' }} CanaryResult
 *   `canary`: the problem, or empty; `database`: why there is no result: it is unavailable, or refuses this version
 * @typedef {{ given: string, current: string, update?: { folder: string, from: string, to: string }, last?: Outcome }} State
 *   the content of `state.json`. `given`: `startFolder`; `current`: the folder of the version to run; `update`: in progress
 */

const socketWaitMs = 40_000
const stopTimeoutMs = 40_000
const startTimeoutMs = 10 * 60_000
/** After this time, a server that ends is restarted without a pause. */
const stableAfterMs = 10_000
const maxRestartPauseMs = 30_000
const canaryTimeoutMs = 20_000
const canaryIntervalMs = 15_000
/** How long a rollback is retried while the new version still serves: the database may be unavailable for a while. */
const rollbackTimeoutMs = 5 * 60_000
const minRollbackAttempts = 3
const maxCommandChars = 10_000
/** @type {Problem} */
const endedByItself = { reason: 'it ended by itself', why: { key: 'updateEnded' } }
/** @type {Problem} */
const formSilent = { reason: 'its contact form did not answer, and the database did', why: { key: 'updateFormSilent' } }
/** An update is undone when at least so many requests failed, and at least this share of all. */
const failureThreshold = { count: 5, share: 0.05 }

process.umask(0o077)
const env = process.env
/** Absolute, because each version runs in its own folder. */
const paths = {
  DATA_DIR: resolve(env.DATA_DIR?.trim() || 'data'),
  BACKUP_DIR: resolve(env.BACKUP_DIR?.trim() || 'backups'),
  ...(env.SITE_CONFIG?.trim() && { SITE_CONFIG: resolve(env.SITE_CONFIG.trim()) }),
}
const launcherFolder = join(paths.DATA_DIR, 'launcher')
/** The folder of the version to run until an update replaces it. */
const startFolder = realpathSync(process.argv[2] ?? import.meta.dirname)
/** If given, versions outside this folder are refused, for security: see docs/operate/update.md. */
const allowedFolder = process.argv[3] && realpathSync(process.argv[3])
const statePath = join(launcherFolder, 'state.json')
const socketPath = join(launcherFolder, 'socket')

await refuseSecondLauncher()
/** Whether `state` could not be written yet. */
let unsaved = false
let state = readState()
if (state.given !== startFolder) {
  // The operator started the launcher with another version.
  saveWhenPossible({ ...state, current: startFolder })
}
if (state.update) {
  const { from, to } = state.update
  const interrupted = {
    reason: 'the launcher, or the machine, was stopped before its end',
    why: { key: 'updateCutOff' },
  }
  saveWhenPossible({ current: state.current, last: outcomeNow({ from, to, outcome: 'undone', ...interrupted }) })
}
const socket = await openSocket()
let stopping = false
let quickEnds = 0
/** True once the new version of an update serves, until its end: `update` handles a server that ends meanwhile. */
let switching = false
/** @type {Set<ReturnType<typeof spawnProgram>>} Two servers during an update, and three while it is undone. */
const running = new Set()
let serving = start(state.current)
for (const signal of /** @type {const} */ (['SIGTERM', 'SIGINT'])) process.on(signal, () => void stop(signal))
if (!(await waitUntilServing(serving))) process.exit(serving.process.exitCode ?? 1)
let takesCommands = await openCommandSocketIfPossible()
setInterval(async () => {
  if (unsaved) saveWhenPossible(state)
  if (!takesCommands) takesCommands = await openCommandSocketIfPossible()
  reportLastOutcome(serving)
}, 60_000)
void keepRunning()

/** Starts the version in a folder, and keeps it in `running` until it ends. @param {string} releaseFolder */
function start(releaseFolder) {
  const program = spawnProgram(releaseFolder)
  running.add(program)
  void program.ended.then(() => running.delete(program))
  void program.ready.then(() => {
    log('info', `${program.version} serves`, { folder: releaseFolder })
    reportLastOutcome(program)
  })
  return program
}

/** Spawns the server of a version. @param {string} releaseFolder */
function spawnProgram(releaseFolder) {
  const { folder, version, start: command } = readRelease(releaseFolder)
  const child = spawn(join(folder, command.program), [...command.args, 'launched', '0', 'socket'], {
    cwd: folder,
    env: { ...command.environment, ...env, ...paths },
    // The server listens on the inherited socket (file descriptor 3), which stays open when the server ends.
    stdio: ['ignore', 'inherit', 'inherit', socket.fd, 'ipc'],
  })
  const program = {
    folder: releaseFolder,
    version,
    process: child,
    startedAt: performance.now(),
    answered: 0,
    failed: 0,
    /** Whether one of its worker processes (`WORKERS`) ended unexpectedly. */
    lostWorker: false,
    /** Called with the result that `runCanary` waits for. @type {(result: CanaryResult) => void} */
    onCanaryResult: () => {},
    ended: new Promise((resolve) => {
      child.once('exit', resolve)
      child.once('error', resolve)
    }),
    /** Resolves when the server accepts requests. */
    ready: new Promise((resolve) => {
      child.on('message', (/** @type {any} */ message) => {
        if ('port' in message) resolve(undefined)
        if ('counted' in message) {
          program.answered += message.counted.answered
          program.failed += message.counted.failed
        }
        if ('lostWorker' in message) program.lostWorker = true
        if ('canary' in message) program.onCanaryResult(message)
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

/** @param {ReturnType<typeof start>} program @returns {Promise<boolean>} false when it ended, or at the timeout */
async function waitUntilServing(program) {
  const timer = new AbortController()
  const timeout = pause(startTimeoutMs, undefined, { signal: timer.signal, ref: false }).catch(() => {})
  await Promise.race([program.ready, program.ended, timeout])
  timer.abort()
  return isRunning(program) && (await Promise.race([program.ready.then(() => true), pause(0, false)]))
}

/** Lets a server finish its requests and end; kills it at the timeout. @param {ReturnType<typeof start>} program */
async function stopGracefully(program) {
  if (!isRunning(program)) return
  program.process.send({ stop: true }, () => {})
  const killTimer = setTimeout(() => program.process.kill('SIGKILL'), stopTimeoutMs)
  await program.ended
  clearTimeout(killTimer)
}

/** Restarts the current version whenever it ends outside an update. */
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
    quickEnds = performance.now() - program.startedAt > stableAfterMs ? 0 : quickEnds + 1
    if (quickEnds > 0) await pause(Math.min(500 * 2 ** quickEnds, maxRestartPauseMs))
    if (stopping) return
    // An update may have replaced it meanwhile.
    if (program === serving && !switching) serving = start(state.current)
  }
}

/** Forwards the signal to all servers, and ends the launcher when they have ended. @param {NodeJS.Signals} signal */
async function stop(signal) {
  if (stopping) return
  stopping = true
  const programs = [...running]
  for (const program of programs) if (isRunning(program)) program.process.kill(signal)
  await Promise.all(programs.map((program) => program.ended))
  const { exitCode, signalCode } = serving.process
  // The signal ends a server that is still starting; SIGKILL: one that kills itself because its exit is blocked.
  process.exit(exitCode ?? (/^SIG(TERM|INT|KILL)$/.test(signalCode ?? '') ? 0 : 1))
}

/**
 * Starts the version in a folder while the current one still serves, stops the current one, and watches the new one for
 * a time. On problems it rolls back to the old version.
 * @param {string} newFolder
 * @param {number} watchSeconds
 * @param {(line: string) => void} say reports progress
 * @returns {Promise<Outcome>} never resolves when the launcher is stopped meanwhile: its next start then undoes the
 * update
 */
async function update(newFolder, watchSeconds, say) {
  const versions = { from: serving.version, to: readRelease(newFolder).version }
  save({ ...state, update: { folder: newFolder, ...versions } })
  say(`Starting ${versions.to} beside ${versions.from}.`)
  const next = start(newFolder)
  if (!(await waitUntilServing(next))) {
    next.process.kill('SIGKILL')
    const notStarted = { reason: 'it did not start; the log says why', why: { key: 'updateNotStarted' } }
    return finishUpdate({ ...versions, outcome: 'undone', ...notStarted })
  }
  const old = serving
  switching = true
  serving = next
  say(`${versions.to} serves. ${versions.from} finishes what it began.`)
  const oldStopped = stopGracefully(old)
  say(`Watching it for ${watchSeconds} seconds.`)
  const problem = await watch(next, watchSeconds * 1_000)
  if (!problem) {
    await oldStopped
    return finishUpdate({ ...versions, outcome: 'kept', reason: '' }, newFolder)
  }
  say(`Going back to ${versions.from}: ${problem.reason}.`)
  const restarted = await rollBack(old.folder, next)
  if (!restarted) return finishUpdate({ ...versions, outcome: 'stuck', ...problem }, newFolder)
  serving = restarted
  await Promise.all([stopGracefully(next), oldStopped])
  return finishUpdate({ ...versions, outcome: 'undone', ...problem })
}

/**
 * Starts the old version again, with several attempts; until the timeout while the new version still serves.
 * @param {string} oldFolder
 * @param {ReturnType<typeof start>} next the new version
 * @returns {Promise<ReturnType<typeof start> | undefined>} undefined when the old version does not start
 */
async function rollBack(oldFolder, next) {
  const deadline = performance.now() + rollbackTimeoutMs
  for (let attempt = 1; !stopping; attempt++) {
    try {
      const back = start(oldFolder)
      if (await waitUntilServing(back)) return back
      back.process.kill('SIGKILL')
    } catch (error) {
      log('error', `${oldFolder} cannot be started`, { reason: String(error) })
    }
    if (attempt >= minRollbackAttempts && !(isRunning(next) && performance.now() < deadline)) return undefined
    await pause(Math.min(250 * 2 ** attempt, maxRestartPauseMs))
  }
  return undefined
}

/** @param {ReturnType<typeof start>} program @param {number} durationMs @returns {Promise<Problem | undefined>} */
async function watch(program, durationMs) {
  const endsAt = performance.now() + durationMs
  let nextCanaryAt = 0
  let formWorked = false
  while (!stopping) {
    if (!isRunning(program)) return endedByItself
    if (program.lostWorker) return { reason: 'one of its workers ended by itself', why: { key: 'updateLostWorker' } }
    const { answered, failed } = program
    if (failed >= failureThreshold.count && failed / answered >= failureThreshold.share) {
      const why = { key: 'updateRequestsFailed', failed, answered }
      return { reason: `${failed} of ${answered} requests failed`, why }
    }
    const isOver = performance.now() >= endsAt
    // If the last canary had no result, another one at the end decides.
    if (performance.now() >= nextCanaryAt || (isOver && !formWorked)) {
      const { canary: reason, why, database } = await runCanary(program)
      if (reason) return { reason, ...(why && { why }) }
      formWorked = !database
      if (isOver && !formWorked && database !== 'away') return formSilent
      nextCanaryAt = performance.now() + Math.min(canaryIntervalMs, durationMs / 4)
    }
    if (isOver) return undefined
    await Promise.race([program.ended, pause(100)])
  }
  return undefined
}

/**
 * Lets a server send a test message (a canary) through its contact form.
 * @param {ReturnType<typeof start>} program
 * @returns {Promise<CanaryResult>}
 */
async function runCanary(program) {
  /** @type {Promise<CanaryResult>} */
  const result = new Promise((resolve) => {
    program.onCanaryResult = resolve
  })
  program.process.send({ canary: true }, () => {})
  const timedOut = { canary: 'it did not try its contact form in time', why: { key: 'updateFormLate' } }
  const timeout = pause(canaryTimeoutMs, timedOut, { ref: false })
  const ended = program.ended.then(() => ({ canary: endedByItself.reason, why: endedByItself.why }))
  return Promise.race([result, timeout, ended])
}

/**
 * @param {Omit<Outcome, 'at' | 'recorded'>} outcome
 * @param {string} [current] the folder of the version to run from now on; by default the same as before
 */
async function finishUpdate(outcome, current = state.current) {
  // Never resolves while the launcher stops: how servers behave then says nothing about the update.
  if (stopping) await new Promise(() => {})
  const last = outcomeNow(outcome)
  switching = false
  saveWhenPossible({ current, last })
  const level = outcome.outcome === 'kept' ? 'info' : 'error'
  log(level, `the update to ${outcome.to}: ${outcome.outcome}`, { reason: outcome.reason })
  reportLastOutcome(serving)
  return last
}

/** @param {Omit<Outcome, 'at' | 'recorded'>} outcome @returns {Outcome} */
function outcomeNow(outcome) {
  return { ...outcome, at: new Date().toISOString(), recorded: false }
}

/** Lets a server record the last outcome, until one confirms it. @param {ReturnType<typeof start>} program */
function reportLastOutcome(program) {
  if (state.last && !state.last.recorded && isRunning(program)) program.process.send({ record: state.last }, () => {})
}

/**
 * Reads and validates `release.json`. In a Git checkout the version is in `package.json`.
 * @param {string} path
 * @returns {{ folder: string, version: string, start: Start }} `folder` with symbolic links resolved
 * @throws {Error} when the folder is no release, or must not be started
 */
function readRelease(path) {
  if (!existsSync(path)) {
    throw new Error(`the launcher does not see ${path}; as a service it sees no home folders and has a /tmp of its own`)
  }
  const folder = realpathSync(path)
  if (allowedFolder && !folder.startsWith(join(allowedFolder, '/'))) {
    throw new Error(`${path} is not below ${allowedFolder}, and this launcher starts no version from elsewhere`)
  }
  const read = (/** @type {string} */ name) => JSON.parse(readFileSync(join(folder, name), 'utf8'))
  const release = read('release.json')
  const version = release.version ?? read('package.json').version
  const { program, args, environment } = release.start ?? {}
  const isText = (/** @type {unknown} */ value) => typeof value === 'string' && !value.includes('\0')
  const isValid =
    isText(version) &&
    /^\d+\.\d+\.\d+$/.test(version) &&
    isText(program) &&
    !isAbsolute(program) &&
    !program.split('/').includes('..') &&
    Array.isArray(args) &&
    args.every(isText) &&
    environment?.constructor === Object &&
    Object.entries(environment).every((pair) => pair.every(isText))
  if (!isValid) throw new Error(`release.json of ${path} does not say what version it is and how it is started`)
  return { folder, version, start: { program, args, environment } }
}

/** @returns {State} the stored state; without a usable one, that of a first start */
function readState() {
  if (!existsSync(statePath)) return { given: startFolder, current: startFolder }
  try {
    const stored = JSON.parse(readFileSync(statePath, 'utf8'))
    if (stored.given === startFolder) readRelease(stored.current)
    return stored
  } catch (error) {
    log('error', `${statePath} cannot be used; starting ${startFolder}`, { reason: String(error) })
    return { given: startFolder, current: startFolder }
  }
}

/**
 * Replaces the state file atomically: after a crash it has either the old or the new state.
 * @param {Omit<State, 'given'>} next
 * @throws {Error} when it cannot be written; nothing is changed then
 */
function save(next) {
  const replacement = { ...next, given: startFolder }
  mkdirSync(launcherFolder, { recursive: true })
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

/** Like `save`; on a full or read-only disk a timer saves it later. @param {Omit<State, 'given'>} next */
function saveWhenPossible(next) {
  try {
    save(next)
  } catch (error) {
    state = { ...next, given: startFolder }
    unsaved = true
    log('error', `${statePath} cannot be written; it is tried again`, { reason: String(error) })
  }
}

async function refuseSecondLauncher() {
  const probe = net.connect(socketPath)
  const isConnected = await Promise.race([once(probe, 'connect'), once(probe, 'error').then(() => undefined)]).catch(
    () => undefined,
  )
  probe.destroy()
  if (isConnected) {
    process.stderr.write(`A launcher runs already on ${paths.DATA_DIR}.\n`)
    process.exit(1)
  }
}

/**
 * Opens the socket that every version listens on. The launcher does not accept connections itself: they wait in the
 * queue of the socket while one version replaces another, or is restarted.
 */
async function openSocket() {
  const port = Number(env.PORT?.trim() || 3000)
  const host = env.HOST?.trim()
  const target = host ? await lookup(host) : { address: '::', family: 6 }
  const deadline = performance.now() + socketWaitMs
  for (let isWaiting = false; ; isWaiting = true) {
    const { handle, code } = bind(target.address, port, target.family)
    if (handle) return handle
    // The machine has no IPv6.
    if (!host && target.family === 6 && code !== 'EADDRINUSE') Object.assign(target, { address: '0.0.0.0', family: 4 })
    else if (code !== 'EADDRINUSE' || performance.now() > deadline) {
      process.stderr.write(`PORT ${port} cannot be used: ${code}\n`)
      process.exit(1)
    } else {
      // The server of a killed launcher may still be ending.
      if (!isWaiting) log('warn', `port ${port} is in use; waiting for it`)
      await pause(100)
    }
  }
}

/**
 * Binds a socket for other processes, as `cluster` does.
 * @param {string} address
 * @param {number} port
 * @param {number} family
 */
function bind(address, port, family) {
  // A number is an error code.
  const handle = /** @type {any} */ (net)._createServerHandle(address, port, family, -1, 0)
  const error = typeof handle === 'number' ? handle : handle.getsockname({})
  if (error === 0) return { handle }
  if (typeof handle !== 'number') handle.close()
  return { code: getSystemErrorName(error) }
}

/** Opens the socket for commands. @returns false on a full or read-only disk, which must not stop the site */
async function openCommandSocketIfPossible() {
  try {
    await openCommandSocket()
    return true
  } catch (error) {
    log('error', `${socketPath} cannot be made, so commands are not taken; it is tried again`, {
      reason: String(error),
    })
    return false
  }
}

/** Listens for commands: each connection sends one line of JSON and receives one, or several for an update. */
async function openCommandSocket() {
  mkdirSync(launcherFolder, { recursive: true })
  rmSync(socketPath, { force: true })
  const server = net.createServer((connection) => {
    let text = ''
    const respond = (/** @type {object} */ message) =>
      connection.writable && connection.write(`${JSON.stringify(message)}\n`)
    const runCommand = async () => {
      if (text.length > maxCommandChars) throw new Error('the command is too long')
      await handleCommand(JSON.parse(text), respond)
    }
    const receive = (/** @type {string} */ chunk) => {
      text += chunk
      if (!text.endsWith('\n') && text.length <= maxCommandChars) return
      connection.off('data', receive).resume()
      void runCommand()
        .catch((error) => respond({ refused: String(error.message) }))
        .finally(() => connection.destroySoon())
    }
    connection.on('error', () => {})
    connection.setEncoding('utf8').on('data', receive)
  })
  server.listen(socketPath)
  await once(server, 'listening')
}

/** Handles `status`, `check` and `update`. @param {any} command @param {(message: object) => void} respond */
async function handleCommand(command, respond) {
  if (command.do === 'status')
    return respond({ status: { ...state, version: serving.version, pid: serving.process.pid } })
  if (command.do !== 'check' && command.do !== 'update') throw new Error('the launcher does not know this command')
  const { folder, watchSeconds } = command
  if (typeof folder !== 'string' || !isAbsolute(folder))
    throw new Error('the folder of the new version must be absolute')
  const { version } = readRelease(folder)
  if (command.do === 'check') return respond({ checked: version })
  if (!Number.isFinite(watchSeconds) || watchSeconds <= 0) throw new Error('watchSeconds must be a positive number')
  if (state.update) throw new Error('another update is being made')
  if (!isRunning(serving)) throw new Error('the present version does not run; see its log')
  const updating = update(folder, watchSeconds, (line) => respond({ says: line }))
  respond({
    ended: await updating.catch((error) => {
      if (!state.update) throw error
      const { from, to } = state.update
      return finishUpdate({ from, to, outcome: 'undone', reason: String(error.message) })
    }),
  })
}

/** Logs like the server. @param {'info' | 'warn' | 'error'} level @param {string} msg @param {object} [fields] */
function log(level, msg, fields = {}) {
  process.stdout.write(
    `${JSON.stringify({ level, time: new Date().toISOString(), ...fields, msg: `launcher: ${msg}` })}\n`,
  )
}
