import { useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import { fillText, placeholdersOf } from '../../../contract/fill-text.ts'
import type { Locale } from '../../../contract/locales.ts'
import type { SiteConfig } from '../../../contract/site-config.ts'
import { useRight } from '../sign-in/me.ts'
import { sceneQuery } from './scene.ts'

export type Fill = (text: string) => string

/**
 * Says a text as the site will: with what stands for the names in brackets. Until that is known they stay as they are.
 * @param locale of the text
 */
export function useFill(locale: Locale): Fill {
  const { data: parts } = useQuery({ ...sceneQuery([]), enabled: useRight('pages.write', 'config.write') })
  return useCallback(
    (text) => (parts ? fillText(text, placeholdersOf(parts.site as unknown as SiteConfig, locale, new Date())) : text),
    [parts, locale],
  )
}
