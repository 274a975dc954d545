/** The part of `subset-font` that is used here; the package has no types of its own. */
declare module 'subset-font' {
  interface Axis {
    min: number
    max: number
  }
  export default function subsetFont(
    font: Buffer,
    text: string,
    options: {
      targetFormat: 'sfnt' | 'woff2'
      noHinting?: boolean
      keepFeatures?: string[]
      variationAxes?: Record<string, number | Axis>
    },
  ): Promise<Buffer>
}
