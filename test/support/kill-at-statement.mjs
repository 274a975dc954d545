// @ts-check
import { Socket } from 'node:net'
import { DatabaseSync } from 'node:sqlite'

/**
 * Loaded before the program (`node --import`). Kills the process with SIGKILL at the first statement that matches the regular
 * expression in the environment variable `KILLED_AT`: before SQLite prepares it, or after it is sent to PostgreSQL.
 */
const killedAt = new RegExp(process.env.KILLED_AT ?? '$^')
const killIfMatches = (/** @type {string} */ text) => {
  if (killedAt.test(text)) process.kill(process.pid, 'SIGKILL')
}

const { prepare } = DatabaseSync.prototype
DatabaseSync.prototype.prepare = function (...args) {
  killIfMatches(args[0])
  return Reflect.apply(prepare, this, args)
}

const { write } = Socket.prototype
Socket.prototype.write = function (/** @type {unknown[]} */ ...args) {
  const isSent = Reflect.apply(write, this, args)
  killIfMatches(String(args[0]))
  return isSent
}
