import { expect, test } from 'vitest'
import { withArticle } from './article'

test('a side has the article that English gives it', () => {
  expect(['United States', 'Allies', 'Japan'].map(withArticle)).toEqual(['The United States', 'The Allies', 'Japan'])
})
