import type { SiteConfig } from '../contract/site-config.ts'

type Look = NonNullable<SiteConfig['look']>

/**
 * The rules with which a look differs from the usual one; none for a configuration without a look. Where a rule changes
 * what a part of the stylesheet says with the same selector, `:root` makes it the stronger one: the part may be linked later.
 */
export function lookCss(look: Look | undefined): string {
  return Object.entries(look ?? {})
    .map(([name, value]) => rules[`${name}.${value}`] ?? '')
    .join('')
}

const edges = [
  '.bar::after',
  '.page-head::after',
  '.foot::before',
  'section:not(.hero)::before',
  '.on:not([class*="edge-"])::before',
]
const inRtl = (selector: string) => `[dir="rtl"] ${selector}`
const ownPicture = '.on:not([class*="edge-"],:first-child)>.backdrop'
const smallCorners =
  ':root :is(.gallery figure>:is(.image,img),.field :is(input,textarea),.works :is(.image,li>img),.works li:first-child>:is(.image,img))'
const everyButton = '.button,[dir="rtl"] .button'

/** By field and value; a value without rules is the usual one. */
const rules: Readonly<Record<string, string>> = {
  'scale.calm': `h1,:root .hero h1,:root[lang="fa"] .hero h1{font-size:clamp(2rem,1.5rem + 2.6vw,3.9rem)}h2{font-size:clamp(1.6rem,1.3rem + 1.4vw,2.5rem)}`,
  'scale.loud': `h1{font-size:clamp(2.8rem,1.4rem + 7vw,8rem)}h2{font-size:clamp(2.3rem,1.2rem + 4.4vw,5.25rem)}`,
  'corners.square': `:root,[dir="rtl"]{--bend:0}${everyButton},${smallCorners},:root .plans .offer:is(:first-child,:last-child){border-radius:0}`,
  'corners.round': `:root,[dir="rtl"]{--bend:1.75rem}${everyButton},${smallCorners}{border-radius:1.1rem}`,
  'edges.straight': `${edges},.foot::after{content:none}:root ${ownPicture}{--crest:0rem}`,
  'edges.slant': `${edges}{clip-path:polygon(0 100%,100% 0,100% 100%)}${edges.map(inRtl)}{clip-path:polygon(0 0,100% 100%,0 100%)}.foot::after{content:none}:root ${ownPicture}{mask:none;clip-path:polygon(0 var(--crest),100% 0,100% 100%,0 100%)}:root${inRtl(ownPicture)}{clip-path:polygon(0 0,100% var(--crest),100% 100%,0 100%)}`,
  'buttons.outline': `.button{background:none;color:var(--strong);box-shadow:inset 0 0 0 2px currentColor}.button:hover{background:var(--button);color:var(--on-button)}`,
  'fonts.geometric': 'h1,h2{letter-spacing:-.03em}',
  'fonts.humanist': 'h1,h2{letter-spacing:-.015em}',
  'fonts.editorial': 'h1,h2{letter-spacing:-.015em;line-height:1.04}',
  'fonts.rounded': 'h1,h2{letter-spacing:-.01em}',
  'fonts.condensed': 'h1,h2{letter-spacing:-.01em;line-height:.98}',
  'fonts.classic': 'h1,h2{letter-spacing:-.005em;line-height:1.12}',
  'buttons.pill': `${everyButton}{border-radius:10rem}`,
}
