import type { Colours } from '../contract/palette.ts'

/**
 * An illustration: a bridge on the Maas at low light, with layered waves. It has no text and no colours;
 * `styles/illustrations/river.css` colours it for light and dark mode.
 */
export function riverView(): string {
  svg ??= view()
  return svg
}
let svg: string | undefined

/** Waves with equal slopes at their joins, so that the curve is smooth. The list is one period of 1440. */
function waves(y: number, height: number, lengths: number[]): string {
  const crests = [...lengths, ...lengths].map((length, index) => {
    const rise = (index % 2 ? 1 : -1) * height * length
    return `${Math.round(length * 0.64)} ${round(rise)} ${length} 0`
  })
  const first = lengths[0] ?? 0
  return `M-9 102V${y}h9c${[`${Math.round(first * 0.36)} ${round(-height * first)}`, crests[0]].join(' ')}s${crests.slice(1).join(' ')}V102`.replaceAll(
    ' -',
    '-',
  )
}

const layers = [
  waves(7, 0.012, [160, 110, 130, 180, 120, 90, 150, 140, 110, 90, 70, 90]),
  waves(20, 0.014, [260, 190, 150, 220, 240, 130, 110, 140]),
  waves(41, 0.018, [340, 260, 300, 180, 220, 140]),
  waves(66, 0.022, [420, 300, 400, 320]),
]

/**
 * Light on the water: short strokes, closer and smaller in the distance. Three groups twinkle; the others are the first
 * one mirrored and moved, which takes few bytes of the page.
 */
function glints(): string {
  const strokes: string[] = []
  for (let row = 0; row < 27; row += 3) {
    const y = 3 + row ** 1.6 * 0.98
    const reach = 20 + row * 3.4
    for (let part = 0; part < 3; part++) {
      if (part === Math.floor(row / 3) % 3) continue
      // Pseudo-random but deterministic, so that each render is the same.
      const chance = (Math.abs(Math.sin((row * 3 + part + 1) * 78.233)) * 437.5) % 1
      const width = (5 + row * 1.5) * (0.4 + ((chance * 17) % 1))
      const middle = 200 + (part - 1 + (chance - 0.5) * 1.3) * reach
      strokes.push(`M${Math.round(middle - width / 2)} ${Math.round(y)}h${Math.round(width)}`)
    }
  }
  return strokes.join('')
}

const glintGroups = () => [
  `<path id="glints" d="${glints()}"/>`,
  '<use href="#glints" transform="matrix(-1 0 0 .83 400 5)"/>',
  '<use href="#glints" transform="matrix(-.86 0 0 .92 366 3)"/>',
]

function bridge(): string {
  const arches = Array.from({ length: 9 }, (_, index) => {
    const [from, crown] = [392 + index * 104, deck(435 + index * 104) + 14]
    return `M${from} 152V${Math.round(crown + 38)}a43 38 0 0 1 86 0V152Z`
  })
  const posts = Array.from(
    { length: 9 },
    (_, index) => `M${383 + index * 104} ${Math.round(deck(383 + index * 104))}v-17`,
  )
  // A lamp is the end of its post: the same line with a dash pattern that leaves one dot near its upper end.
  return ['posts', 'lamps'].reduce(
    (svg, part) => `${svg}<path class="${part}" d="${posts.join('')}"/>`,
    `<path class="stone" fill-rule="evenodd" d="M330 152L348 92Q820 58 1340 76V152Z${arches.join('')}"/>`,
  )
}

/** The height of the road: the curve of the bridge's upper edge. */
function deck(x: number): number {
  const t = (x - 348) / 992
  return (1 - t) ** 2 * 92 + 2 * t * (1 - t) * 58 + t ** 2 * 76
}

const town =
  'M0 152C90 146 190 128 330 132q60-10 130-4 70-24 150-6 60-14 130 2h250v-14h14v-40l9-16 9 16v40h8v-40l9-16 9 16v40h44l26-14 26 14h40v-58h4l7-22 7 22h4v58h60q40-10 80-4V152Z'

function view(): string {
  return `<i class="sun"></i><svg class="town" viewBox="0 0 1340 152"><path class="far" d="${town}"/><g id="bridge">${bridge()}</g></svg><div class="water"><svg class="mirror" viewBox="0 0 1340 152"><use href="#bridge" transform="matrix(1 0 0 -1 0 152)"/></svg>${layers.map((path, index) => `<svg class="wave w${index + 1}" viewBox="0 0 2880 100" preserveAspectRatio="none"><path d="${path}"/></svg>`).join('')}<i class="shine"></i>${glintGroups()
    .map(
      (strokes, group) =>
        `<svg class="glint g${group}" viewBox="0 0 400 200" preserveAspectRatio="none">${strokes}</svg>`,
    )
    .join('')}</div>`
}

/** The background of the Open Graph image, 1200 by 630; the waterline is at 450. */
export function riverOpenGraphSvg(c: Colours): string {
  const style = `.far{fill:${c.far}}.stone{fill:${c.bridge}}.posts,.lamps,.glint{fill:none;stroke:${c.bridge};stroke-width:1.6}.lamps{stroke:${c.lamp};stroke-width:5;stroke-linecap:round;stroke-dasharray:0 99;stroke-dashoffset:-16}.water{fill:${c.water1}}.w1{fill:${c.water2};opacity:.5}.w2{fill:${c.water3};opacity:.8}.w3{fill:${c.water4}}.w4{fill:${c.water5}}.glint{stroke:${c.glow};stroke-width:2.5;stroke-linecap:round}`
  return `<defs><style>${style}</style><linearGradient id="sky" x2="0" y2="1"><stop stop-color="${c.sky}"/><stop offset=".8" stop-color="${c.skyLow}"/></linearGradient><radialGradient id="glow"><stop offset=".2" stop-color="${c.glow}"/><stop offset="1" stop-color="${c.glow}" stop-opacity="0"/></radialGradient></defs><path fill="url(#sky)" d="M0 0h1200v630H0z"/><circle cx="920" cy="410" r="290" fill="url(#glow)"/><circle cx="920" cy="410" r="84" fill="${c.sun}"/><g transform="translate(0 330)"><g transform="translate(140 14) scale(.79 .7)"><path class="far" d="${town}"/>${bridge()}</g><rect class="water" y="120" width="1200" height="180"/><g transform="translate(140 226) scale(.79 -.7)" opacity=".3">${bridge()}</g><g transform="translate(0 120) scale(.8 1.8)">${layers.map((path, index) => `<path class="w${index + 1}" d="${path}"/>`).join('')}</g><g class="glint" transform="translate(740 122) scale(.9)">${glintGroups().join('')}</g></g>`
}

function round(number: number): number {
  return Math.round(number * 10) / 10
}
