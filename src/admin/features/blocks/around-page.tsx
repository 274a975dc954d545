import { Link } from '@tanstack/react-router'
import { Pencil } from 'lucide-react'
import { memo, useContext } from 'react'
import { siteFooter, siteHeader } from '../../../blocks/site-areas.tsx'
import { directionOf, localizedPath } from '../../../contract/locales.ts'
import { ErrorBoundary } from '../../components/states.tsx'
import { useLocale, useText } from '../../i18n.ts'
import { configReadRights } from '../config/config.ts'
import { useRight } from '../sign-in/me.ts'
import { CanvasContext } from './canvas-block.tsx'

/** The site's header or footer around the page, as visitors see it: it is not edited here, but leads to where it is. */
export const AroundPage = memo(({ part }: { part: 'navbar' | 'footer' }) => {
  const t = useText()
  const uiLocale = useLocale()
  const mayChange = useRight(...configReadRights)
  const context = useContext(CanvasContext)?.renderContext
  if (!context) return null
  const { path, site } = context
  const alternates = site.locales.map((locale) => ({ locale, path: localizedPath(path, locale, site) }))
  return (
    <ErrorBoundary resetKey={site} fallback={() => null}>
      <div className="around-page">
        <div inert>{part === 'navbar' ? siteHeader(context, alternates) : siteFooter(context)}</div>
        {mayChange && (
          <Link
            to="/admin/config/$part"
            params={{ part }}
            className="around-page-link"
            data-leaves-canvas=""
            lang={uiLocale}
            dir={directionOf(uiLocale)}
          >
            <Pencil size={16} aria-hidden />
            {t(`blocks.visual.around.${part}`)}
          </Link>
        )}
      </div>
    </ErrorBoundary>
  )
})
