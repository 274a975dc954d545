/** Clip paths for CSS (`#shape-swell`). As images in the stylesheet they would be parsed before the first paint. */
export const shapes = Object.entries({
  /** The wavy upper edge of a section, 1440 by 60. */
  swell: ['scale(.00069444 .016667)', 'M0 34c120-22 240-22 400-4s300 30 480 8 340-26 560-4v26H0z'],
  /** The decorative line, 96 by 12. */
  wave: ['scale(.010417 .083333)', 'M0 4.5q12-8 24 0t24 0 24 0 24 0v3q-12 8-24 0t-24 0-24 0-24 0z'],
  tick: [
    'scale(.041667)',
    'M5.9 12.1 9.5 15.6 18 6.1A1.3 1.3 0 0 1 20 7.9L10.5 18.4a1.3 1.3 0 0 1-1.9 0L4.1 13.9a1.3 1.3 0 0 1 1.8-1.8z',
  ],
  chevron: [
    'scale(.041667)',
    'M6.8 8.7 12 13.9l5.2-5.2a1.1 1.1 0 0 1 1.6 1.6l-6 6a1.1 1.1 0 0 1-1.6 0l-6-6a1.1 1.1 0 0 1 1.6-1.6z',
  ],
})
  .map(
    ([name, [transform, path]]) =>
      `<clipPath id="shape-${name}" clipPathUnits="objectBoundingBox" transform="${transform}"><path d="${path}"/></clipPath>`,
  )
  .join('')
