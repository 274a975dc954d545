import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { SiteConfig } from '../../src/contract/site-config.ts'
import { parseConfiguration } from '../../src/domain/configuration/configuration.ts'
import { configurationCache } from '../../src/platform/config/configuration-cache.ts'
import { aTempFolder } from '../support/databases.ts'

const text = readFileSync('site.config.json', 'utf8')
const site = parseConfiguration(text, 'site.config.json')
const aFile = () => join(aTempFolder(), 'cache', 'configuration.json')

test('the next start of the same program finds the validated configuration as it was', () => {
  const file = aFile()
  configurationCache<SiteConfig>(file, 'one').store(text, site)
  expect(configurationCache<SiteConfig>(file, 'one').find(text)).toStrictEqual(site)
})

test('another configuration text is validated again, and so is the same text by another version of the program', () => {
  const file = aFile()
  configurationCache<SiteConfig>(file, 'one').store(text, site)
  expect(configurationCache<SiteConfig>(file, 'one').find(`${text} `)).toBeUndefined()
  expect(configurationCache<SiteConfig>(file, 'two').find(text)).toBeUndefined()
})

test('a file that was not written completely is ignored', () => {
  const file = aFile()
  const cache = configurationCache<SiteConfig>(file, 'one')
  cache.store(text, site)
  writeFileSync(file, readFileSync(file, 'utf8').slice(0, 1_000))
  expect(cache.find(text)).toBeUndefined()
})

test('a program that runs without a build stores nothing', () => {
  const cache = configurationCache<SiteConfig>(aFile(), '')
  cache.store(text, site)
  expect(cache.find(text)).toBeUndefined()
})
