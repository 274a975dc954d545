import {
  createElement,
  type HTMLAttributes,
  type ReactNode,
  type ScriptHTMLAttributes,
  type SVGAttributes,
} from 'react'

type Attributes = HTMLAttributes<HTMLElement> &
  Pick<ScriptHTMLAttributes<HTMLElement>, 'type'> &
  Pick<SVGAttributes<SVGElement>, 'width' | 'height'>

/** The one door for html that React does not make: what `clean-html.ts` has cleaned, or what this program wrote itself. */
export function rawHtml(tag: string, attributes: Attributes, html: string): ReactNode {
  return createElement(tag, { ...attributes, dangerouslySetInnerHTML: { __html: html } })
}
