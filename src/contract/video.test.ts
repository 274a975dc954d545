import { expect, test } from 'vitest'
import { parseVideo } from './video.ts'

const youtube = {
  kind: 'youtube',
  page: 'https://www.youtube.com/watch?v=aqz-KE-bpKQ',
  player: 'https://www.youtube-nocookie.com/embed/aqz-KE-bpKQ?autoplay=1',
}

test.each([
  'https://www.youtube.com/watch?v=aqz-KE-bpKQ&t=12s',
  'https://youtu.be/aqz-KE-bpKQ?si=abc',
  'https://m.youtube.com/shorts/aqz-KE-bpKQ',
  'https://www.youtube-nocookie.com/embed/aqz-KE-bpKQ',
])('%s is a video on YouTube, whose player sets no cookies', (address) => {
  expect(parseVideo(address)).toEqual(youtube)
})

test('a Vimeo address is recognised as a video, also of an unlisted one', () => {
  expect(parseVideo('https://vimeo.com/76979871')).toEqual({
    kind: 'vimeo',
    page: 'https://vimeo.com/76979871',
    player: 'https://player.vimeo.com/video/76979871?autoplay=1&dnt=1',
  })
  expect(parseVideo('https://player.vimeo.com/video/76979871?h=8272103f6e')).toMatchObject({
    page: 'https://vimeo.com/76979871/8272103f6e',
    player: 'https://player.vimeo.com/video/76979871?h=8272103f6e&autoplay=1&dnt=1',
  })
})

test('an uploaded film is recognised as a video of the site itself', () => {
  expect(parseVideo('/files/0123456789abcdef0123456789abcdef/film.mp4')).toEqual({ kind: 'own' })
})

test.each([
  'https://video.example/watch?v=aqz-KE-bpKQ',
  'https://youtube.com.video.example/watch?v=aqz-KE-bpKQ',
  'https://www.youtube.com/@kanaal',
  'https://www.youtube.com/watch?v=aqz-KE-bpKQ"onload=x',
  'http://www.youtube.com/watch?v=aqz-KE-bpKQ',
  'https://vimeo.com/blog',
  '//elders.example/film.mp4',
  '/folder.pdf',
  '',
])('%s is no video', (address) => {
  expect(parseVideo(address)).toBeUndefined()
})

test.each(['/film\u0000.mp4', '/film\u0007.webm'])('%j is refused: an address has no control characters', (address) => {
  expect(parseVideo(address)).toBeUndefined()
})
