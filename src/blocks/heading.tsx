import type { ReactNode } from 'react'
import type { Scene } from './define-block.ts'
import { say } from './say.ts'

/** The head of a section: its title with the river's line under it, and what it is about. */
export function sectionHead(title: string, intro: string, scene: Scene): ReactNode {
  return (
    <div className="head">
      <h2>{say(title, scene)}</h2>
      {intro && <p className="lead">{say(intro, scene)}</p>}
    </div>
  )
}
