import { DirectionProvider, MantineProvider, useDirection } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { useEffect, useMemo } from 'react'
import type { AdminStart } from '../contract/admin-start.ts'
import { direction } from '../contract/locales.ts'
import { useLocale } from './i18n.ts'
import type { AdminRouter } from './router.ts'
import { schemeManager } from './scheme.ts'
import { houseTheme, houseVariables } from './theme.ts'

/** Everything around the screens: language and direction, colours, what the server said, messages. */
export function Admin({ start, queries, router }: { start: AdminStart; queries: QueryClient; router: AdminRouter }) {
  const theme = useMemo(() => houseTheme(start.shades), [start.shades])
  return (
    <DirectionProvider initialDirection={direction[start.me.locale]} detectDirection={false}>
      <Turn />
      <MantineProvider
        theme={theme}
        cssVariablesResolver={houseVariables}
        colorSchemeManager={schemeManager}
        defaultColorScheme="auto"
        deduplicateCssVariables={false}
      >
        <Notifications position="bottom-center" limit={3} autoClose={6_000} />
        <QueryClientProvider client={queries}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </MantineProvider>
    </DirectionProvider>
  )
}

/** Turns the parts around when another language is chosen. */
function Turn() {
  const locale = useLocale()
  const { setDirection } = useDirection()
  useEffect(() => setDirection(direction[locale]), [locale, setDirection])
  return null
}
