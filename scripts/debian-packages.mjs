// @ts-check
import { ensureDebianPackages } from './setup/debian-programs.mjs'
import { command } from './setup/project.mjs'

await command(ensureDebianPackages)
