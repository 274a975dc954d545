import type { ReactNode } from 'react'
import type { Scene } from '../blocks/define-block.ts'
import { area } from './site-header.tsx'

export function siteFooter(scene: Scene): ReactNode {
  const { footer } = scene.site.branding
  return (
    <footer className="foot deep">
      <div className="wrap">
        {area(footer.left, 'left', scene)}
        {area(footer.right, 'right', scene)}
        <nav className="last" aria-label={scene.t('site.footerNavigation')}>
          {area(footer.bottom, 'bottom', scene)}
        </nav>
      </div>
    </footer>
  )
}
