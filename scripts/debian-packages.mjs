// @ts-check
import { ensureDebianPackages } from './setup/debian-programs.mjs'
import { runScript } from './setup/project.mjs'

await runScript(ensureDebianPackages)
