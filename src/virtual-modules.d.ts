/** Made by `build/client-assets.ts`. */
declare module 'virtual:client-assets' {
  export const enhanceUrl: string
}

/** Made by `build/site-fonts.ts`: the cut fonts, each with the address it is served from. */
declare module 'virtual:site-fonts' {
  /** `@font-face` rules of one language. */
  export const fontFaces: { nl: string; fa: string }
  /** Addresses to preload, most visible first. */
  export const fontPreloads: { nl: string[]; fa: string[] }
}

/** Made by `build/site-fonts.ts`: files of uncompressed fonts, for drawing pictures with text. First the display face, then the Persian ones. */
declare module 'virtual:image-fonts' {
  export const imageFonts: { family: string; file: string }[]
}
