/** Made by `build/client-assets.ts`. */
declare module 'virtual:client-assets' {
  /** The script that stands in every page; it brings the enhancements after the first paint. */
  export const firstPaint: string
  /** Only for pages where somebody signs in. */
  export const passkeyUrl: string
  /** `modules` are what `script` imports; `texts` are loaded by it, one language. */
  export const admin: { script: string; styles: string[]; modules: string[]; texts: { nl: string; fa: string } }
}

/** Made by `build/site-fonts.ts`: the cut fonts, each with the address it is served from. */
declare module 'virtual:site-fonts' {
  /** Rules of one language: one that holds its fonts, then the faces of the visitor's machine that keep their place. */
  export const fontFaces: { nl: string; fa: string }
}

/** Made by `build/site-fonts.ts`: files of uncompressed fonts, for drawing pictures with text. First the display face, then the Persian ones. */
declare module 'virtual:image-fonts' {
  export const imageFonts: { family: string; file: string }[]
}
