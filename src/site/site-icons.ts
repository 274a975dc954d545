import type { SiteConfig } from '../contract/site-config.ts'
import type { Drawing } from './draw-images.ts'

/** The icons of browsers and phones, all made from the mark. */
export function iconDrawings(site: SiteConfig, logo: string): Drawing[] {
  const { secondary } = site.palette
  const plain = (name: string, size: number) => square(name, size, placed(logo, 0, 0, 512))
  return [
    plain('favicon.ico', 32),
    plain('icon-192.png', 192),
    plain('icon-512.png', 512),
    // Phones cut these to a shape of their own: the mark keeps clear of the edge.
    square('icon-maskable.png', 512, `<path fill="${secondary}" d="M0 0h512v512H0z"/>${placed(logo, 92, 92, 328)}`),
    square('apple-touch-icon.png', 180, `<path fill="${secondary}" d="M0 0h512v512H0z"/>${placed(logo, 62, 62, 388)}`),
  ]
}

/** An SVG file as a part of another one, at a place and size. */
export function placed(svg: string, x: number, y: number, size: number): string {
  const start = svg.indexOf('<svg')
  return svg.slice(start).replace(/^<svg([^>]*)>/, (_, attributes: string) => {
    const kept = attributes.replace(/\s(?:width|height|x|y)="[^"]*"/g, '')
    return `<svg${kept} x="${x}" y="${y}" width="${size}" height="${size}">`
  })
}

const square = (name: string, size: number, content: string): Drawing => ({
  name,
  width: size,
  height: size,
  svg: `<svg xmlns="http://www.w3.org/2000/svg" width="512" height="512" viewBox="0 0 512 512">${content}</svg>`,
})
