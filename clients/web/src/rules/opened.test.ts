import { expect, test } from 'vitest'
import { type Book, read } from './book'
import { Opened } from './opened.svelte'

const BOOKS: Record<string, Book> = { midway: read('# Midway'), nimitz: read('# Nimitz') }

/** A reader whose books come when a test says so. */
function given(): { opened: Opened; comes: Record<string, (book: Book) => void>; fails: Record<string, (why: Error) => void> } {
  const comes: Record<string, (book: Book) => void> = {}
  const fails: Record<string, (why: Error) => void> = {}
  const opened = new Opened(
    (title) =>
      new Promise((done, fail) => {
        comes[title] = done
        fails[title] = fail
      }),
  )
  return { opened, comes, fails }
}

test('of two books asked for the later one is open, whichever comes first', async () => {
  const { opened, comes } = given()
  const both = [opened.open('midway'), opened.open('nimitz')]
  comes.nimitz!(BOOKS.nimitz!)
  comes.midway!(BOOKS.midway!)
  await Promise.all(both)

  expect(opened.book).toBe(BOOKS.nimitz)
})

test('what kept the older book away is no word about the one that is open', async () => {
  const { opened, comes, fails } = given()
  const none = opened.open('none')
  fails.none!(new Error('There is no such title.'))
  await none
  expect(opened.problem).toBe('There is no such title.')

  const both = [opened.open('midway'), opened.open('nimitz')]
  comes.nimitz!(BOOKS.nimitz!)
  fails.midway!(new Error('The server cannot be reached.'))
  await Promise.all(both)

  expect([opened.problem, opened.book]).toEqual(['', BOOKS.nimitz])
})
