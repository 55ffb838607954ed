import { expect, test } from 'vitest'
import { the, withArticle } from './article'

test('a side has the article that English gives it', () => {
  expect(['United States', 'Allies', 'Japan'].map(withArticle)).toEqual(['The United States', 'The Allies', 'Japan'])
})

test('within a sentence too, and so has the id that stands for its name', () => {
  expect(['Mariana Islands', 'West Coast', 'Japan'].map((name) => the(name))).toEqual(['the Mariana Islands', 'the West Coast', 'Japan'])
  expect([the('West Coast', '[WC]'), the('Japan', '[JA]')]).toEqual(['the [WC]', '[JA]'])
})
