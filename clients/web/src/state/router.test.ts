import { describe, expect, it } from 'vitest'
import { parse } from './router.svelte'

const ID = '01900000-0000-7000-8000-000000000001'

describe('addresses', () => {
  it.each([
    ['/', '', '', { page: 'lobby' }],
    [`/match/${ID}`, '', '#token', { page: 'match', match: ID }],
    [`/match/${ID}/replay`, '?as=1', '#42', { page: 'replay', match: ID, seq: 42, as: '1' }],
    [`/match/${ID}/replay`, '', '', { page: 'replay', match: ID, seq: null, as: '' }],
    [`/match/${ID}/end`, '', '', { page: 'end', match: ID }],
    ['/verify', '', '', { page: 'verify', match: null }],
    ['/trust', '', '', { page: 'trust' }],
    [`/match/${ID}/verify`, '', '', { page: 'verify', match: ID }],
    ['/rules/coral_sea', '', '#C7.3', { page: 'rules', title: 'coral_sea', anchor: 'C7.3' }],
    ['/ratings', '', '', { page: 'ratings', title: '' }],
    ['/ratings/midway', '', '', { page: 'ratings', title: 'midway' }],
    ['/people/Nagumo_41', '', '', { page: 'person', handle: 'nagumo_41' }],
    ['/people/no-handle', '', '', { page: 'nowhere' }],
    ['/tournaments', '', '', { page: 'tournaments' }],
    [`/tournaments/${ID}`, '', '', { page: 'tournament', id: ID }],
    ['/tournaments/nonsense', '', '', { page: 'nowhere' }],
    ['/match/nonsense', '', '', { page: 'nowhere' }],
  ])('%s%s%s', (path, query, hash, wanted) => {
    expect(parse(path, query, hash)).toEqual(wanted)
  })
})
