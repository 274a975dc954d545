import { createElement, type HTMLAttributes, type ReactNode, type ScriptHTMLAttributes } from 'react'

type Attributes = HTMLAttributes<HTMLElement> & Pick<ScriptHTMLAttributes<HTMLElement>, 'type'>

/** The one door for html that React does not make: what `clean-html.ts` has cleaned, or what this program wrote itself. */
export function rawHtml(tag: string, attributes: Attributes, html: string): ReactNode {
  return createElement(tag, { ...attributes, dangerouslySetInnerHTML: { __html: html } })
}
