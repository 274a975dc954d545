import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { limits } from '../../src/contract/limits.ts'
import { builtInLocales } from '../../src/contract/locales.ts'
import { siteConfigVersion } from '../../src/contract/site-config.ts'
import { translator } from '../../src/i18n/translate.ts'
import { defaultSiteFile } from '../support/site-file.ts'

const t = translator('nl')

test('spec 5 messages: the exact texts', () => {
  expect(t('validation.required')).toBe('Dit is een verplicht veld!')
  expect(t('validation.email')).toBe('Dit e-mailadres is niet geldig!')
  expect(t('validation.url')).toBe('Dit is geen geldig url!')
  expect(t('validation.passwordMismatch')).toBe('De ingevoerde wachtwoorden komen niet overeen!')
  expect(t('validation.passwordMin')).toBe('Wachtwoord moet bestaan uit minstens 6 karakters!')
})

test('spec 8 contact: the exact texts of failure and success', () => {
  for (const key of ['contact.failureTitle', 'errors.contact_failed.title'] as const) {
    expect(t(key)).toBe('Uw bericht is niet verstuurd!')
  }
  for (const key of ['contact.failureText', 'errors.contact_failed.detail'] as const) {
    expect(t(key)).toBe('Er is een fout opgetreden bij het verzenden van uw bericht.')
  }
  expect(t('contact.successTitle')).toBe('Dank voor uw bericht!')
  expect(t('contact.successText')).toBe('We zullen z.s.m contact met u opnemen.')
})

test('spec 2 and 8 errors: the titles are the same in every language', () => {
  for (const locale of builtInLocales) {
    expect(translator(locale)('errors.not_found.title')).toBe('Page Not Found')
    expect(translator(locale)('errors.unexpected.title')).toBe('Internal Server Error')
  }
})

test('spec 9 constants: locales, version of the configuration, days of the language cookie', () => {
  expect(defaultSiteFile().locales).toEqual(['nl', 'fa'])
  expect(siteConfigVersion).toBe('1.2')
  expect(limits.localeCookieDays).toBe(365)
  expect(limits.passwordMinChars).toBe(6)
})

test('the Dutch texts address people formally, except in the sentences of the specification', () => {
  const ofSpecification = /'Je bent ingelogd als \{\{name\}\}'|'Je gebruikersprofiel is (opgeslagen|nit opgeslagen)!'/
  const files = readdirSync('src/i18n/nl', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join('src/i18n/nl', name))
  expect(files.length).toBeGreaterThan(10)
  const texts = [...files, 'site.config.json'].flatMap((path) =>
    readFileSync(path, 'utf8')
      .split('\n')
      .map((line) => `${path}: ${line.trim()}`),
  )
  expect(texts.some((line) => /\bu\b/.test(line))).toBe(true)
  expect(
    texts.filter((line) => /\b(je|jij|jou|jouw|jullie|jezelf)\b/i.test(line.replace(ofSpecification, ''))),
  ).toEqual([])
})
