// @ts-check
import { Socket } from 'node:net'
import { DatabaseSync } from 'node:sqlite'

/** Loaded before the program: kills it when it has said to its database what `KILLED_AT` matches. */
const killedAt = new RegExp(process.env.KILLED_AT ?? '$^')
const killAt = (/** @type {string} */ said) => {
  if (killedAt.test(said)) process.kill(process.pid, 'SIGKILL')
}

const { prepare } = DatabaseSync.prototype
DatabaseSync.prototype.prepare = function (...said) {
  killAt(said[0])
  return Reflect.apply(prepare, this, said)
}

const { write } = Socket.prototype
Socket.prototype.write = function (/** @type {unknown[]} */ ...said) {
  const isSent = Reflect.apply(write, this, said)
  killAt(String(said[0]))
  return isSent
}
